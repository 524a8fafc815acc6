"""Read and verify a game that was packed into a ZIP (referee/archive/export.py).

What is in it was made by somebody else: referee/archive/zipreader.py reads it, within bounds.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Self

from referee.archive.measures import LARGEST_NOTE, TIMESTAMPS, WITNESSES
from referee.archive.sealed import FORMAT, MANIFEST, manifest_text, seal_problem
from referee.archive.zipreader import MOST_FILES, ZipReader, fit, values_in
from referee.games.record import MOST_CHARACTERS
from referee.storage import timestamps
from referee.storage.chain import ChainError, JournalEntry, JournalError, as_stored, verified
from referee.storage.timestamps import Timestamped, timestamps_in
from referee.storage.witnesses import MOST_BYTES, Witnessed, witnessed_in

EVENTS, RECORD, PICTURES, TABLE, CHECKPOINT = "journal.jsonl", "record.txt", "pictures", "table", "checkpoint.txt"
ALWAYS = (MANIFEST, EVENTS, "verify.py", "README.txt")
"""Files that are in every export."""
LARGEST_EVENTS = 128 * 2**20
"""Bytes of all events. A game of 300 turns has 3 MB."""
LARGEST_EVENT = 4 * 2**20
"""Bytes of one event. The largest known, of a ledger, have 7 kB."""
MOST_VALUES = 5_000_000
"""Values in all events. A game of 300 turns has 0.1 million."""
LARGEST_FILE = 256 * 2**20
LARGEST_PICTURE = 64 * 2**20
LARGEST_MEASURES, MOST_MEASURES = 2**20, 100
"""Bytes of a file of the table's, and how many there may be."""
MOST_PROBLEMS = 100
_LOST = {MANIFEST: ": nothing tells how many events and which files there must be"}
_TABLE = re.compile(r"table/(table\.json|calibration/[A-Za-z0-9_-]+\.json|calibration/board-[0-9]{1,2}\.jpg)")
JOURNAL = b"SQLite format 3\x00"
"""First bytes of a journal, as of every file of SQLite."""
_LINE = re.compile(r'\{"event":(?P<body>.*),"hash":"(?P<hash>[0-9a-f]{64})"\}')
Row = tuple[object, object, object]


def _largest(name: str) -> int:
    """Return how many bytes a file of the table's may have."""
    return LARGEST_MEASURES if name.endswith(".json") else LARGEST_PICTURE


def is_packed(path: Path) -> bool:
    """Return whether a file is a ZIP, or was one before it was damaged."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            begins = file.read(len(JOURNAL))
            # A journal may hold the mark that ends a ZIP, in its words or by damage.
            return begins != JOURNAL and (zipfile.is_zipfile(path) or begins.startswith(b"PK\x03\x04"))
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export says is in it: number of events, hash of the newest, and name, SHA-256 and size of each file."""

    events: int
    head: str
    files: tuple[tuple[str, str, int], ...]


class PackedGame:
    """An export that is open. Each method raises JournalError for what can't be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._zip = ZipReader(path, "it is cut off or no export: copy or export it again")
        places = ((PurePosixPath(name), name) for name in self._zip.names)
        self._pictures = {
            place.stem: name for place, name in places if len(place.parts) == 2 and place.parts[0] == PICTURES
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def rows(self) -> Iterator[Row]:
        """Yield number, body and hash of each event as they stand there, not verified."""
        number = values = 0
        for line in self._zip.lines(EVENTS, LARGEST_EVENTS, LARGEST_EVENT):
            number, values = number + 1, values + values_in(line)
            if values > MOST_VALUES:
                raise JournalError(f"{self.path}: {EVENTS} in it holds more than the journal of any game")
            found = _LINE.fullmatch(as_stored(line))
            yield (number, found["body"], found["hash"]) if found else (number, None, None)

    def entries(self) -> list[JournalEntry]:
        """Return the events, verified. Raises ChainError where the chain breaks."""
        self._not_damaged()
        return list(verified(self.rows(), self.path))

    def _not_damaged(self) -> None:
        """Raise ChainError for an export of a journal that was damaged already."""
        whole = [name for name in self._zip.names if name.endswith(".journal") and "/" not in name]
        if whole and not self._zip.size(EVENTS):
            raise ChainError(
                self.path,
                1,
                f"is not in it: the journal was damaged, or without events, when it was packed, and lies in it as it "
                f"was ({fit(whole[0])}; 'referee games repair' saves what can be read of it)",
            )

    @property
    def holds_events(self) -> bool:
        """Return whether it was packed from a journal, or holds a damaged one; else it has a record at most."""
        return EVENTS in self._zip

    def readable(self) -> tuple[list[Row], list[JournalEntry], str]:
        """Return the events up to the first that does not hold, as rows and read, and why no more, if so.

        Raises JournalError where none holds.
        """
        rows: list[Row] = []
        entries: list[JournalEntry] = []

        def noted() -> Iterator[Row]:
            for row in self.rows():
                rows.append(row)
                yield row

        self._not_damaged()
        try:
            entries.extend(verified(noted(), self.path))
        except JournalError as error:
            if not entries:
                raise
            return rows[: len(entries)], entries, str(error)
        if not entries:
            raise JournalError(f"{self.path}: no game has begun in it: there is no event, it is empty or was emptied")
        return rows, entries, ""

    def record(self) -> bytes | None:
        """Return the record as it lies there, ``None`` where there is none."""
        return self._zip.read(RECORD, 4 * MOST_CHARACTERS) if RECORD in self._zip else None

    def pictures(self) -> Iterator[tuple[str, bool]]:
        """Yield the content id of every picture, and whether it is as it was."""
        for content, name in self._pictures.items():
            yield content, self._zip.digest(name, LARGEST_PICTURE) == content

    def picture(self, content: str) -> bytes | None:
        """Return a picture by its content id; ``None`` where it isn't there as it was."""
        name = self._pictures.get(content)
        found = self._zip.read(name, LARGEST_PICTURE) if name is not None else None
        return found if found is not None and hashlib.sha256(found).hexdigest() == content else None

    def table(self) -> dict[str, bytes]:
        """Return the table's measures and lenses, by path below the table's folder."""
        return {name: self._zip.read(f"{TABLE}/{name}", _largest(name)) for name in self.table_names()}

    def table_names(self) -> list[str]:
        """Return the names that ``table`` knows. Raises JournalError for more files than any table has."""
        names = [name for name in self._zip.names if _TABLE.fullmatch(name)]
        if len(names) > MOST_MEASURES:
            raise JournalError(f"{self.path}: there are more files of the table in it than any table has")
        return [name.removeprefix(f"{TABLE}/") for name in names]

    def measures(self, name: str, manifest: Manifest | None) -> bytes | None:
        """Return a file of the table's; ``None`` where it isn't as the manifest says."""
        full = f"{TABLE}/{name}"
        known = {each: digest for each, digest, _ in manifest.files} if manifest is not None else {}
        return self._zip.read(full, _largest(name)) if known.get(full) == self._digest(full) else None

    def checkpoint(self) -> str | None:
        """Return the checkpoint that it brings along, ``None`` where there is none."""
        return (
            self._zip.read(CHECKPOINT, LARGEST_NOTE).decode("utf-8", "replace") if CHECKPOINT in self._zip else None
        )

    def timestamped(self) -> list[Timestamped]:
        """Return the timestamps that it brings along; lines that are none are passed over."""
        there = TIMESTAMPS in self._zip
        return timestamps_in(self._zip.read(TIMESTAMPS, timestamps.MOST_BYTES)) if there else []

    def witnessed(self) -> list[Witnessed]:
        """Return the notes of devices that it brings along; lines that are none are passed over."""
        return witnessed_in(self._zip.read(WITNESSES, MOST_BYTES)) if WITNESSES in self._zip else []

    def garbled(self) -> list[str]:
        """List the files in which a line is none: the last event's has no end, or a note is garbage."""
        found, end = [], b"\n"
        for chunk in self._zip.chunks(EVENTS, LARGEST_EVENTS):
            end = chunk[-1:]
        if end != b"\n":
            found.append(f"{EVENTS} was changed: its last line has no end")
        for name, parsed, most in (
            (WITNESSES, witnessed_in, MOST_BYTES),
            (TIMESTAMPS, timestamps_in, timestamps.MOST_BYTES),
        ):
            content = self._zip.read(name, most) if name in self._zip else b""
            if len(parsed(content)) < content.count(b"\n") + (not content.endswith(b"\n") and bool(content)):
                found.append(f"{name} was changed: not every line of it is a note")
        return found

    def problems(self) -> list[str]:
        """List what is wrong with the files, by seal and manifest. Events and pictures are looked at elsewhere."""
        try:
            found = list(filter(None, [seal_problem(self.path)]))
        except OSError as error:
            raise JournalError(f"{self.path} can't be read: {error.strerror}") from error
        found += filter(None, [self._zip.ambiguity()])
        found += [f"{name} was removed{_LOST.get(name, '')}" for name in ALWAYS if name not in self._zip]
        if MANIFEST in self._zip:
            manifest = self.manifest()
            found += self._differences(manifest) if manifest is not None else [f"{MANIFEST} was changed"]
        return found if len(found) <= MOST_PROBLEMS else [*found[:MOST_PROBLEMS], "and so on"]

    def stray_pictures(self, named: Collection[str]) -> list[str]:
        """List the pictures that no event names. named: the content ids that events name."""
        stray = sorted(self.picture_names - set(named))[:MOST_PROBLEMS]
        return [f"no event names the picture {fit(one)}: it was added, or the event was removed" for one in stray]

    @property
    def picture_names(self) -> frozenset[str]:
        """Return the content ids by which pictures lie there, whatever is in them."""
        return frozenset(self._pictures)

    @property
    def sealed(self) -> bool:
        """Return whether it has a seal, right or not; what is packed again by another program has none."""
        return bool(self._zip.comment)

    def tail_problems(self, entries: list[JournalEntry]) -> list[str]:
        """Say whether the events go as far as the manifest says, and come to the same hash there."""
        manifest = self.manifest()
        if manifest is None:
            return []
        if len(entries) < manifest.events:
            known = f"{MANIFEST} knows {manifest.events}"
            return [f"the journal ends at event {len(entries)}, {known}: the end was cut off"]
        if len(entries) > manifest.events:
            return [f"event {manifest.events + 1} and what follows was added"]
        if entries and entries[-1].hash != manifest.head:
            return [f"event {len(entries)}, or one before it, was rewritten: {MANIFEST} knows another"]
        return []

    def manifest(self) -> Manifest | None:
        """Return the manifest, ``None`` where it isn't as a referee writes it."""
        try:
            said: Any = self._zip.json(MANIFEST, LARGEST_EVENTS, 4 * MOST_FILES)
            files = tuple((str(name), str(one["sha256"]), one["bytes"]) for name, one in said["files"].items())
            right = said["format"] == FORMAT and isinstance(said["events"], int)
            right = right and manifest_text(said).encode() == self._zip.read(MANIFEST, LARGEST_EVENTS)
            right = right and said.keys() == {"format", "events", "head", "files"}
            right = right and all(one.keys() == {"bytes", "sha256"} for one in said["files"].values())
            return Manifest(said["events"], str(said["head"]), files) if right else None
        except (JournalError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None

    def _differences(self, manifest: Manifest) -> list[str]:
        """Yield files that were changed, removed, added or put in another order."""
        known = {name: (digest, size) for name, digest, size in manifest.files}
        names = self._zip.names
        wrong = [f"{fit(name)} is in it twice" for name, times in Counter(names).items() if times > 1]
        wrong += [f"{fit(name)} was added" for name in names if name not in known and name != MANIFEST]
        for name, (digest, size) in known.items():
            if name not in self._zip:
                wrong += [f"{fit(name)} was removed"] if name not in ALWAYS else []
            elif self._digest(name) != digest:
                wrong.append(f"{fit(name)} was changed")
            elif self._zip.size(name) != size:
                wrong.append(f"{MANIFEST} was changed: what it says of {fit(name)}")
        if not wrong and names != (*known, MANIFEST):
            wrong.append("the files stand in another order than they were packed in")
        return wrong

    def _digest(self, name: str) -> str:
        try:
            return self._zip.digest(name, LARGEST_FILE)
        except JournalError:
            return ""
