"""Files and folders that are written under another name first, and deleted where a kill left them.

The writer holds a lock on such a file, which the system releases when the process dies, however it dies. A file with
such a name that is ours and that nobody locks was left by a kill; the next writer there deletes it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from referee.storage.diskspace import sync_folder
from referee.storage.filelock import lock

ENDING = ".referee-aside"
"""Ending of the names of all that is written aside."""
_MOST_NAME = 100
_UNLED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Nobody leads us elsewhere, or lets us wait."""
_UMASK = os.umask(0o077)
os.umask(_UMASK)
_USUAL_MODE = 0o666 & ~_UMASK
"""Mode of files that a process writes. It can only be read by setting it, so it is read once, before there are
threads."""
"""Characters of the name that a file will have, in the one that it has aside."""


@contextlib.contextmanager
def folder_aside(prefix: str, place: Path | None = None) -> Iterator[Path]:
    """Make a folder that is deleted when it is left; what was renamed out of it stays.

    place: the folder it lies in; where the system keeps temporary files for none. Raises OSError.
    """
    inside = place or Path(tempfile.gettempdir())
    clear_left(inside)
    if not hasattr(os, "O_DIRECTORY"):  # Windows opens no folder: nothing can be held, so nothing is cleared away
        with tempfile.TemporaryDirectory(prefix=prefix, dir=inside, ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    path, handle = _held(lambda: _folder(inside, prefix))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)  # a process that is just ending may write into it still
        os.close(handle)


@contextlib.contextmanager
def file_aside(out: Path, mode: int = _USUAL_MODE) -> Iterator[IO[bytes]]:
    """Make a file that takes a place, whole and on the disk, when it is left without an error.

    Nobody can lead it elsewhere beforehand: it is made anew, under a name that nobody knows. Raises OSError.
    """
    folder = out.absolute().parent
    clear_left(folder)
    try:
        path, handle = _held(lambda: _file(folder, f".{out.name[:_MOST_NAME]}."))
    except OSError as error:
        error.filename = str(out)  # the name aside tells nobody anything
        raise
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            if hasattr(os, "fchmod"):
                os.fchmod(handle, mode)
            os.fsync(handle)
            if not hasattr(os, "O_DIRECTORY"):  # Windows renames no open file
                file.close()
            path.replace(out)
        sync_folder(folder)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def clear_left(folder: Path) -> None:
    """Delete what kills left aside in a folder. What can't be deleted stays, and so does what somebody holds."""
    with contextlib.suppress(OSError):
        for path in [path for path in folder.iterdir() if path.name.endswith(ENDING)]:
            with contextlib.suppress(OSError):
                _clear(path)


def _clear(path: Path) -> None:
    found = path.lstat()
    ours = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    if not ours or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return
    handle = os.open(path, os.O_RDONLY | _UNLED)
    try:
        lock(handle)
        if stat.S_ISDIR(found.st_mode):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    finally:
        os.close(handle)


def _held(made: Callable[[], tuple[Path, int]]) -> tuple[Path, int]:
    """Make a file or folder and lock it.

    Another process may delete it before it is locked; then it is made again.
    """
    while True:
        path, handle = made()
        try:
            lock(handle, wait=True)
        except OSError:  # on a disk without locks nothing is cleared away either
            return path, handle
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.lstat()):
                return path, handle
        os.close(handle)


def _folder(place: Path, prefix: str) -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(dir=place, prefix=prefix, suffix=ENDING))
        with contextlib.suppress(FileNotFoundError):  # it was cleared away at once
            return path, os.open(path, os.O_RDONLY | os.O_DIRECTORY | _UNLED)


def _file(place: Path, prefix: str) -> tuple[Path, int]:
    handle, name = tempfile.mkstemp(dir=place, prefix=prefix, suffix=ENDING)
    return Path(name), handle
