"""Tell users what failed, in one sentence: the referee itself, with a traceback where it was asked for, or a file."""

from __future__ import annotations

import os
import shlex
import traceback
from errno import ENOSPC
from pathlib import Path

from referee.storage.chain import DamagedError

DEBUG = "REFEREE_DEBUG"
"""Environment variable: set to anything, it prints the traceback of every failure."""


def failure(error: Exception) -> str:
    """Return one sentence about an unexpected error; print its traceback when ``REFEREE_DEBUG`` is set."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
        return "the referee failed on this: please report it, with the traceback it printed"
    told = " ".join(str(error).split())[:200]
    name = type(error).__name__
    return (
        f"the referee failed on this ({name}{f': {told}' if told else ''}): "
        f"please report it, with what it prints when {DEBUG}=1 is set"
    )


def in_words(error: Exception, out: Path | None = None) -> str:
    """Return what is wrong; for an OSError in plain words, with what to do. out: what was to be written, if any."""
    if not isinstance(error, OSError):
        return str(error)
    path = Path(error.filename) if isinstance(error.filename, str) else out
    if path is None:
        return error.strerror or str(error)
    if error.errno == ENOSPC:
        return f"{path}: the disk is full: make room on it"
    if not isinstance(error, FileNotFoundError):
        return f"{path}: {error.strerror}{'; name another place' if out else ''}"
    if out is None:
        return f"{path}: there is no such file"
    if path.parent.is_dir():
        return f"{path}: nothing can be made there; name another place"
    return f"{path.parent}: there is no such folder; make it or name another"


def about(path: Path, error: Exception) -> str:
    """Return what is wrong with a file, which is named once, and how to repair it where it is a damaged journal."""
    told = str(error)
    return f"{told if told.startswith(str(path)) else f'{path}: {told}'}{repair_of(path, error)}"


def repair_of(path: Path, error: Exception) -> str:
    """Return which command repairs a journal; nothing where the disk did not damage it."""
    if not isinstance(error, DamagedError) or "can't be read" not in str(error):
        return ""
    words = f"--folder {shlex.quote(str(path.parent))} {shlex.quote(path.stem)}"
    return f"; 'referee games repair {words}' saves what can be read of it"
