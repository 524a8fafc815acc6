"""The table's measures and lenses, kept beside a game's journal: without them its pictures can't be read again."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping
from pathlib import Path

_LOG = logging.getLogger(__name__)


def measures_folder(journal: Path) -> Path:
    """Where they lie: ``game.table`` beside ``game.journal``."""
    return journal.with_suffix(".table")


def keep_measures(journal: Path, files: Mapping[str, bytes]) -> None:
    """Put them there: by path below the folder, what is in each. Where the disk takes nothing, play goes on."""
    folder = measures_folder(journal)
    for name, content in dict(files).items():  # a lens that is found just now may come to the files meanwhile
        path = folder / name
        try:
            with contextlib.suppress(FileNotFoundError):
                if path.read_bytes() == content:
                    continue
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")
            part.write_bytes(content)
            part.replace(path)
        except OSError as error:
            _LOG.warning("%s could not be kept beside the game: %s", path, error)
