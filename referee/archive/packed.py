"""A game that was packed into a ZIP (referee/archive/export.py), read again and verified.

What is in it was made by somebody else: sizes are looked at before anything is unpacked.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from referee.storage.chain import as_stored, verified
from referee.storage.journal import JournalEntry, JournalError, read_journal

EVENTS, RECORD, PICTURES = "journal.jsonl", "record.txt", "pictures"
LARGEST_EVENTS = 256 * 2**20
LARGEST_PICTURE = 64 * 2**20
_LINE = re.compile(r'\{"event":(?P<body>.*),"hash":"(?P<hash>[0-9a-f]{64})"\}')


def is_packed(path: Path) -> bool:
    """Whether a file is a ZIP."""
    try:
        return zipfile.is_zipfile(path)
    except OSError:
        return False


def packed_entries(path: Path) -> list[JournalEntry]:
    """The events of a packed game, verified. Raises ChainError where the chain breaks, else JournalError."""
    with _opened(path) as pack:
        text = _member(pack, path, EVENTS, LARGEST_EVENTS)
        whole = [name for name in pack.namelist() if name.endswith(".journal") and "/" not in name]
        if not text and whole:  # a journal whose chain was broken is packed as it lay there
            with tempfile.TemporaryDirectory() as folder:
                journal = Path(folder) / "packed.journal"
                journal.write_bytes(_member(pack, path, whole[0], LARGEST_EVENTS))
                return read_journal(journal)
    return list(verified(_rows(as_stored(text)), path))


def _rows(text: str) -> Iterator[tuple[object, object, object]]:
    for number, line in enumerate(text.split("\n")[:-1] if text.endswith("\n") else text.split("\n"), 1):
        found = _LINE.fullmatch(line)
        yield (number, found["body"], found["hash"]) if found else (number, None, None)


def packed_record(path: Path) -> bytes | None:
    """The record in a packed game as it lies there, ``None`` where there is none. Raises JournalError."""
    with _opened(path) as pack:
        return _member(pack, path, RECORD, LARGEST_EVENTS) if RECORD in pack.namelist() else None


def packed_pictures(path: Path) -> Iterator[tuple[str, bool]]:
    """The content id of every picture in a packed game, and whether it is as it was. Raises JournalError."""
    with _opened(path) as pack:
        for name in pack.namelist():
            place = PurePosixPath(name)
            if place.parts[:1] == (PICTURES,) and len(place.parts) == 2:
                content = hashlib.sha256(_member(pack, path, name, LARGEST_PICTURE)).hexdigest()
                yield place.stem, content == place.stem


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise JournalError(f"{path} can't be read as a packed game: {error}") from error


def _member(pack: zipfile.ZipFile, path: Path, name: str, most: int) -> bytes:
    try:
        if pack.getinfo(name).file_size > most:
            raise JournalError(f"{path}: {name} in it is too large")
        with pack.open(name) as file:
            return file.read(most + 1)[:most]
    except KeyError:
        raise JournalError(f"{path} is no packed game: there is no {name} in it") from None
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise JournalError(f"{path}: {name} in it can't be read: {error}") from error
