"""A game that was packed into a ZIP (referee/archive/export.py), read again and verified.

What is in it was made by somebody else: sizes are looked at before anything is unpacked.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from referee.archive.sealed import FORMAT, MANIFEST, manifest_text, seal_problem
from referee.storage.chain import as_stored, verified
from referee.storage.journal import JournalEntry, JournalError, read_journal

EVENTS, RECORD, PICTURES, CHECKPOINT = "journal.jsonl", "record.txt", "pictures", "checkpoint.txt"
LARGEST_NOTE = 100_000
LARGEST_EVENTS = 256 * 2**20
LARGEST_PICTURE = 64 * 2**20
_UNREADABLE = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
)
"""What zipfile raises for damage: RuntimeError for what seems encrypted or of another version, too."""
_TABLE = re.compile(r"table/(table\.json|calibration/[A-Za-z0-9_-]+\.json)")
JOURNAL = b"SQLite format 3\x00"
"""How a journal begins, as every file of SQLite."""
_LINE = re.compile(r'\{"event":(?P<body>.*),"hash":"(?P<hash>[0-9a-f]{64})"\}')


def is_packed(path: Path) -> bool:
    """Whether a file is a ZIP, or was one before it was damaged."""
    try:
        with path.open("rb") as file:
            begins = file.read(len(JOURNAL))
            # A journal may hold the mark that ends a ZIP, in its words or by damage.
            return begins != JOURNAL and (zipfile.is_zipfile(path) or begins.startswith(b"PK\x03\x04"))
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
    # Line by line, not split: a small ZIP may hold hundreds of millions of empty lines.
    number = begin = 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        found = _LINE.fullmatch(text, begin, end)
        begin, number = end + 1, number + 1
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


def packed_picture(path: Path, content: str) -> bytes | None:
    """A picture of a packed game by its content id; ``None`` where it isn't there as it was. Raises JournalError."""
    with _opened(path) as pack:
        names = (name for name in pack.namelist() if PurePosixPath(name).stem == content)
        name = next((name for name in names if name.startswith(f"{PICTURES}/")), None)
        found = _member(pack, path, name, LARGEST_PICTURE) if name is not None else None
    return found if found is not None and hashlib.sha256(found).hexdigest() == content else None


def packed_table(path: Path) -> dict[str, bytes]:
    """The table's measures and lenses in a packed game, by path below the table's folder. Raises JournalError."""
    with _opened(path) as pack:
        names = [name for name in pack.namelist() if _TABLE.fullmatch(name)]
        return {name.removeprefix("table/"): _member(pack, path, name, LARGEST_EVENTS) for name in names}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export says is in it: number of events, hash of the newest, and name, SHA-256 and size of each file."""

    events: int
    head: str
    files: tuple[tuple[str, str, int], ...]


def packed_problems(path: Path) -> list[str]:
    """What is wrong with the files of a packed game, by its seal and manifest: nothing where it has neither.

    Whether events and pictures hold is looked at elsewhere. Raises JournalError where it can't be opened.
    """
    found = []
    try:
        if seal := seal_problem(path):
            found.append(seal)
    except OSError as error:
        raise JournalError(f"{path} can't be read: {error.strerror}") from error
    with _opened(path) as pack:
        names = [name for name in pack.namelist() if not name.endswith("/")]
        if MANIFEST not in names:
            made_since = "verify.py" in names or pack.comment
            return [*found, f"{MANIFEST} was removed"] if made_since else found
        manifest = _manifest(pack, path)
        if manifest is None:
            return [*found, f"{MANIFEST} was changed"]
        found += _differences(pack, path, names, manifest)
    try:
        entries = packed_entries(path)
    except JournalError:
        return found
    return found + _tail_problems(entries, manifest)


def _manifest(pack: zipfile.ZipFile, path: Path) -> Manifest | None:
    """The manifest, ``None`` where it isn't as a referee writes it."""
    try:
        text = _member(pack, path, MANIFEST, LARGEST_EVENTS).decode()
        said = json.loads(text)
        files = tuple((str(name), str(one["sha256"]), one["bytes"]) for name, one in said["files"].items())
        right = said["format"] == FORMAT and manifest_text(said) == text and isinstance(said["events"], int)
        right = right and said.keys() == {"format", "events", "head", "files"}
        right = right and all(one.keys() == {"bytes", "sha256"} for one in said["files"].values())
        return Manifest(said["events"], str(said["head"]), files) if right else None
    except (JournalError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _differences(pack: zipfile.ZipFile, path: Path, names: list[str], manifest: Manifest) -> list[str]:
    """Files that were changed, removed, added or put in another order."""
    known = [name for name, _, _ in manifest.files]
    wrong = [f"{name} was added" for name in names if name not in {*known, MANIFEST}]
    for name, digest, size in manifest.files:
        if name not in names:
            wrong.append(f"{name} was removed")
        elif _digest(pack, path, name) != digest:
            wrong.append(f"{name} was changed")
        elif pack.getinfo(name).file_size != size:
            wrong.append(f"{MANIFEST} was changed: what it says of {name}")
    if not wrong and names != [*known, MANIFEST]:
        wrong.append("the files stand in another order, or one of them twice")
    return wrong


def _digest(pack: zipfile.ZipFile, path: Path, name: str) -> str:
    try:
        return hashlib.sha256(_member(pack, path, name, LARGEST_EVENTS)).hexdigest()
    except JournalError:
        return ""


def _tail_problems(entries: list[JournalEntry], manifest: Manifest) -> list[str]:
    if len(entries) < manifest.events:
        return [f"the journal ends at event {len(entries)}, {MANIFEST} knows {manifest.events}: the end was cut off"]
    if len(entries) > manifest.events:
        return [f"event {manifest.events + 1} and what follows was added"]
    if entries and entries[-1].hash != manifest.head:
        return [f"event {len(entries)}, or one before it, was rewritten: {MANIFEST} knows another"]
    return []


def packed_checkpoint(path: Path) -> str | None:
    """The checkpoint that a packed game brings along, ``None`` where there is none. Raises JournalError."""
    with _opened(path) as pack:
        if CHECKPOINT not in pack.namelist():
            return None
        return _member(pack, path, CHECKPOINT, LARGEST_NOTE).decode("utf-8", "replace")


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _UNREADABLE as error:
        raise JournalError(f"{path} can't be read as a packed game: {error}") from error


def _member(pack: zipfile.ZipFile, path: Path, name: str, most: int) -> bytes:
    try:
        if pack.getinfo(name).file_size > most:
            raise JournalError(f"{path}: {name} in it is too large")
        with pack.open(name) as file:
            return file.read(most + 1)[:most]
    except KeyError:
        raise JournalError(f"{path} is no packed game: there is no {name} in it") from None
    except _UNREADABLE as error:
        raise JournalError(f"{path}: {name} in it can't be read: {error}") from error
