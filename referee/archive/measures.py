"""Keep the table's measures and lenses beside a game's journal: without them its pictures can't be read again.

With them lie the checkpoint that an export brought along, signed by the table where the game was played, and the
notes of devices that witnessed the game, and the timestamps of an authority.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from referee.storage.aside import file_aside
from referee.storage.checkpoint import Checkpoint
from referee.storage.witnesses import read_start

BROUGHT = "checkpoint.txt"
WITNESSES = "witnesses.jsonl"
TIMESTAMPS = "timestamps.jsonl"
LARGEST_NOTE = 100_000
"""Bytes of a checkpoint with text around it."""
_LOG = logging.getLogger(__name__)


MEASURES = ".table"
"""Ending of a game's folder of measures."""


TABLE = "table.json"
BEFORE = "table-before.json"
"""The table's file with which a game was begun, where another set-up took its place since."""
_OF_CAMERAS = ("cameras", "held")
"""Keys of which everybody is told by the cameras that look on; photographs add to them in a game."""


def same_setup(one: bytes, other: bytes) -> bool:
    """Return whether two table files have one set-up, whatever cameras there are."""
    return _setup(one) == _setup(other)


def _setup(content: bytes) -> object:
    try:
        data = json.loads(content)
    except ValueError:
        return content
    return {key: value for key, value in data.items() if key not in _OF_CAMERAS} if isinstance(data, dict) else data


def measures_folder(journal: Path) -> Path:
    """Return where they lie: ``game.table`` beside ``game.journal``."""
    return journal.with_suffix(MEASURES)


def brought_checkpoint(journal: Path) -> Checkpoint | None:
    """Return the checkpoint that a game taken from an export brought along, signed by the table where it was played.

    Raises CheckpointError for one that was changed since.
    """
    note = measures_folder(journal) / BROUGHT
    return Checkpoint.parse(read_start(note, LARGEST_NOTE).decode("utf-8", "replace")) if note.is_file() else None


def witnesses_file(journal: Path) -> Path:
    """Return where the notes of devices lie that witnessed a game."""
    return measures_folder(journal) / WITNESSES


def timestamps_file(journal: Path) -> Path:
    """Return where the timestamps on a game's checkpoints lie."""
    return measures_folder(journal) / TIMESTAMPS


def keep_measures(journal: Path, files: Mapping[str, bytes], must: bool = False, learnt: bool = False) -> None:
    """Put them there: by path below the folder, what is in each. The first of two set-ups is kept, too.

    must: raise OSError where the disk takes nothing; else play goes on. learnt: they tell better what the same set-up
    is, before the first turn.
    """
    folder = measures_folder(journal)
    for name, content in dict(files).items():  # a lens that is found just now may come to the files meanwhile
        path = folder / name
        try:
            with contextlib.suppress(FileNotFoundError):
                known = path.read_bytes()
                if known == content:
                    continue
                if name == TABLE and not (learnt or same_setup(known, content) or (folder / BEFORE).exists()):
                    with file_aside(folder / BEFORE) as file:
                        file.write(known)
            path.parent.mkdir(parents=True, exist_ok=True)
            with file_aside(path) as file:
                file.write(content)
        except OSError as error:
            if must:
                raise
            _LOG.warning("%s could not be kept beside the game: %s", path, error)
