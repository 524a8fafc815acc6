"""Write a game's journal anew without names, places and times, with the pictures of boards alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.match.events import ArbiterOrdered, GameStarted, ReadingMade, TableChecked
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, JournalEntry, elapsed_s
from referee.values.ticks import Ticks
from referee.virtual.folder import VIRTUAL_TABLE

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
"""When every game is said to have begun; how long its turns took stays."""
LEFT_OUT = frozenset({ArbiterOrdered.kind, TableChecked.kind})
"""Events that name desks or files and that no ruling rests on."""
TYPED = ("by", "words")
"""Values of events that people or their devices write; where they hold the referee's sentences they are no text."""
NAMED_BY_US = frozenset({VIRTUAL_TABLE, "Recorded game"})


@dataclass(frozen=True, slots=True)
class Written:
    """pictures: how many were packed; left_out: how many show a hand or more than the board, or are not kept."""

    pictures: int
    left_out: int


def nameless(kind: str, data: Mapping[str, Any], table: str) -> dict[str, Any]:
    """Return an event's data without what people typed. table: what the table is called instead of its name."""
    said = {key: "" if key in TYPED and isinstance(value, str) else value for key, value in data.items()}
    if kind == GameStarted.kind:
        said |= {"players": {}, "source": data["source"] if data["source"] in NAMED_BY_US else table}
    if kind == ReadingMade.kind and "pictures" in data:
        said["pictures"] = _of_boards(data)
    return said


def _of_boards(data: Mapping[str, Any]) -> dict[str, str]:
    """Return a reading's pictures that show the board alone: masked, and taken while nothing was in the way."""
    notes = data["cameras"]
    masked = (name for name in data["pictures"] if notes.get(name, {}).get("outline"))
    return {name: data["pictures"][name] for name in masked} if data["clear"] else {}


def table_code(measures: Path) -> str:
    """Return what a table is called where its name is left out: a code of its measures, which lie in a folder."""
    file = measures / "table.json"
    return f"table {sha256(file.read_bytes()).hexdigest()[:8]}" if file.is_file() else "table"


def _pictures(entry: JournalEntry) -> Mapping[str, str]:
    found = entry.data["pictures"]
    return found if isinstance(found, Mapping) else {}


def write_nameless(
    entries: Sequence[JournalEntry], path: Path, table: str, picture: Callable[[str], bytes | None]
) -> Written:
    """Write a journal without names, and the pictures beside it. picture: by content id. Raises JournalError."""
    now = BEGIN
    store, packed, left_out = EvidenceStore(pictures_folder(path)), 0, 0
    with Journal(path, clock=lambda: now, ticks=lambda: Ticks("evening", (now - BEGIN).total_seconds())) as journal:
        for entry in entries:
            if entry.kind in LEFT_OUT:
                continue
            data = nameless(entry.kind, entry.data, table)
            named = data.get("pictures")
            if isinstance(named, dict):
                found = {name: kept for name, content in named.items() if (kept := picture(content)) is not None}
                store.keep(found)
                packed, left_out = packed + len(found), left_out + len(_pictures(entry)) - len(found)
            now = BEGIN + timedelta(seconds=max(0.0, elapsed_s(entries[0], entry)))
            journal.append(entry.kind, data)
    return Written(packed, left_out)
