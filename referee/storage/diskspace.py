"""Free space on the disk, and a reserve that is given up for the journal when the disk is full.

A journal that can't be written stops the game. So a file of a few megabytes lies beside it that nobody needs: when
the disk is full in spite of everything it is deleted, and the journal goes on in its place.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from pathlib import Path

RESERVE_BYTES = 8 * 1024 * 1024
"""Enough for the events of several games."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes can still be written where the folder lies; 0 where that is not known."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def sync_folder(folder: Path) -> None:
    """Bring the folder's own entries, names of files just made, to the disk. Raises OSError."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows opens no folder
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Reserve:
    """A file that keeps room for the journal. Safe to use from several threads."""

    def __init__(self, path: Path, size_bytes: int = RESERVE_BYTES) -> None:
        self.path = path
        self.size_bytes = size_bytes
        self._mutex = threading.Lock()

    def lay(self) -> bool:
        """Put the reserve there, unless it is; answers whether it is there now. A full disk is no error."""
        with self._mutex:
            if self._there():
                return True
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                handle = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
                try:
                    if hasattr(os, "posix_fallocate"):
                        os.posix_fallocate(handle, 0, self.size_bytes)
                    else:
                        os.write(handle, bytes(self.size_bytes))
                    os.fsync(handle)
                finally:
                    os.close(handle)
            except OSError:
                with contextlib.suppress(OSError):
                    self.path.unlink()
            return self._there()

    def give_up(self) -> bool:
        """Delete the reserve; answers whether that made room."""
        with self._mutex:
            try:
                self.path.unlink()
                sync_folder(self.path.parent)
            except OSError:
                return False
            return True

    def _there(self) -> bool:
        try:
            return self.path.stat().st_size >= self.size_bytes
        except OSError:
            return False
