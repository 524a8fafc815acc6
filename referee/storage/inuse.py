"""Lets only one referee use a data folder: it holds a lock there, with the address at which it answers."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Self

from referee.storage.aside import clear_left
from referee.storage.chain import JournalError
from referee.storage.filelock import lock

FILE = "running"
WAIT_S = 0.5
"""A referee that was just killed may hold the lock for a moment longer."""
_MOST_BYTES = 1000


class InUse:
    """The mark of a running referee. The system releases the lock when the process dies, however it dies."""

    def __init__(self, folder: Path) -> None:
        """Take the folder. Raises JournalError where another referee has it, or it can't be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            advice = "let the referee write there, or name another data_folder in the settings"
            raise JournalError(f"{folder} can't be written: {error.strerror}; {advice}") from error
        until = time.monotonic() + WAIT_S
        while True:
            try:
                lock(self._handle)
                clear_left(folder)
                return
            except OSError as error:
                if time.monotonic() < until:
                    time.sleep(WAIT_S / 10)
                    continue
                where = os.read(self._handle, _MOST_BYTES).decode(errors="replace").strip()
                os.close(self._handle)
                raise JournalError(
                    f"another referee is running on {folder}{f' (open {where})' if where else ''}: stop that one "
                    "first, or give this one a folder of its own with REFEREE_DATA_FOLDER"
                ) from error

    def say(self, url: str) -> None:
        """Note the address at which the page answers, for those who look (``running_at``)."""
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, url.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def running_at(folder: Path) -> str | None:
    """Return the address of the referee that runs on a folder, ``None`` where none does."""
    try:
        handle = os.open(folder / FILE, os.O_RDONLY)
    except OSError:
        return None
    try:
        lock(handle, shared=True)
    except OSError:
        return os.read(handle, _MOST_BYTES).decode(errors="replace").strip()
    finally:
        os.close(handle)
    return None
