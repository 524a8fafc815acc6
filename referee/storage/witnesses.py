"""The notes that devices co-signed, kept beside the journal, a line of JSON each; and what they say of it.

They are no events: a note signs all events so far, so noting it down there would call for the next. Nothing is lost
that the devices don't hold, too.
"""

from __future__ import annotations

import errno
import json
import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.storage.diskspace import RESERVE_BYTES, free_bytes, sync_folder
from referee.storage.eventtree import EventTree
from referee.storage.journal import JournalEntry
from referee.storage.signednote import NoteError, WitnessNote

MOST_BYTES = 16 << 20
"""Bytes of all notes of a game that are kept or read: some twenty thousand."""


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A note as it lies there. device: the name it had then; note: the text with all signatures."""

    device: str
    note: str

    @property
    def line(self) -> str:
        """Return it as a line of JSON, with its end."""
        said = {"device": self.device, "note": self.note}
        return json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass(frozen=True, slots=True)
class Witness:
    """A device that co-signed.

    names: those it had. key: 32 bytes. rulings: the numbers of those that it signed before the next was given,
    counted from 1. events: how far its newest signature goes.
    """

    names: tuple[str, ...]
    key: bytes
    rulings: tuple[int, ...]
    events: int


def read_witnessed(path: Path) -> list[Witnessed]:
    """Return the notes in a file; a line that was broken off is passed over. Raises OSError."""
    return witnessed_in(read_start(path, MOST_BYTES)) if path.is_file() else []


def read_start(path: Path, most_bytes: int) -> bytes:
    """Return the first bytes of a file, which somebody else may have made as large as they like. Raises OSError."""
    with path.open("rb") as file:
        return file.read(most_bytes)


def witnessed_in(content: bytes) -> list[Witnessed]:
    """Return the notes among lines of JSON; what is none is passed over."""
    found = []
    for line in content.split(b"\n"):  # and at no other sign that ends lines: a device's name may hold one
        try:
            said = json.loads(line.decode("utf-8", "replace"))
            found.append(Witnessed(str(said["device"]), str(said["note"])))
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
    return found


def keep_witnessed(path: Path, fresh: Witnessed) -> None:
    """Add a note to a file and bring it to the disk. Raises OSError as ``keep_line`` does."""
    keep_line(path, fresh.line, MOST_BYTES)


def keep_line(path: Path, line: str, most_bytes: int) -> None:
    """Add a line, with its end, to a file and bring it to the disk.

    Raises OSError, also where the file would be larger than that, and where only the room that is left to the journal
    is free.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if free_bytes(path.parent) < RESERVE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    there = path.exists()
    with path.open("a+b") as file:
        size = file.seek(0, os.SEEK_END)
        if size > most_bytes - len(line.encode()):
            raise OSError(errno.EFBIG, "there is more beside the journal than any game has", str(path))
        broken = False
        if size:
            file.seek(size - 1)
            broken = file.read(1) != b"\n"  # the power went while the last one was written
        file.write((b"\n" if broken else b"") + line.encode())
        file.flush()
        os.fsync(file.fileno())
    if not there:
        sync_folder(path.parent)


def tree_of(entries: Iterable[JournalEntry]) -> EventTree:
    """Return the tree over events."""
    tree = EventTree()
    for entry in entries:
        tree.add(entry.hash)
    return tree


def disagreement(note: WitnessNote, entries: Sequence[JournalEntry], tree: EventTree) -> str:
    """Return how a journal, all its verified events, contradicts a note; empty when it does not."""
    if note.head.game != (entries[0].hash[:16] if entries else ""):
        return "it is of another game, or this one was rewritten from its first event on"
    missing = note.head.events - len(entries)
    if missing > 0:
        were = "event was" if missing == 1 else "events were"
        return f"it knows {note.head.events} events, there are {len(entries)}: the last {missing} {were} cut off"
    if tree.root(note.head.events) != note.head.root:
        return f"it knows another event {note.head.events}, or one before it: this journal was rewritten"
    return ""


def witnesses_of(notes: Iterable[Witnessed], entries: Sequence[JournalEntry]) -> list[Witness]:
    """Return who witnessed what. Raises NoteError for a note that is none, or that the events contradict."""
    tree, ruled = tree_of(entries), [entry.number for entry in entries if entry.kind == "ruling"]
    names: dict[bytes, dict[str, None]] = {}
    signed: dict[bytes, set[int]] = {}
    for one in notes:
        note = WitnessNote.parse(one.note)
        if problem := disagreement(note, entries, tree):
            raise NoteError(f"the note of {one.device}: {problem}")
        for cosignature in note.cosignatures:
            names.setdefault(cosignature.key, {})[one.device] = None
            signed.setdefault(cosignature.key, set()).add(note.head.events)
    found = []
    for key, sizes in signed.items():
        rulings = {bisect_right(ruled, size) for size in sizes} - {0}
        found.append(Witness(tuple(names[key]), key, tuple(sorted(rulings)), max(sizes)))
    return found


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as people write them: ``1–3, 5``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("–".join(str(number) for number in part) for part in parts)
