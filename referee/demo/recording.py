"""Read a recorded game: what the players agreed before it, and the looks at their table in order.

A recording says nothing of what the pictures show. Errors: RecordingError, naming the file and what is wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lenses import read_picture
from referee.values.declaring import Declared

BUNDLED = Path(__file__).parent / "data"
"""The recording that comes with the referee."""


class RecordingError(Exception):
    """A recording that can't be shown; the message names the file."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the table. setup: at the set-up, before the first turn. pictures: a file a camera.

    declared: what the players said of the turn before it was looked at. answer: what they declared when asked.
    """

    setup: bool
    pictures: Mapping[str, Path]
    declared: Declared = field(default_factory=dict)
    answer: Declared = field(default_factory=dict)

    def load(self) -> dict[str, NDArray[np.uint8]]:
        """Load the pictures, BGR. Raises RecordingError for one that can't be read."""
        return {camera: _load(path) for camera, path in self.pictures.items()}


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded game. folder: also the table's folder; position: what the players agreed on, as formats write it."""

    folder: Path
    source: str
    position: Mapping[str, Any]
    looks: tuple[Look, ...]

    @property
    def game(self) -> object:
        """Return the game's name."""
        return self.position.get("game")

    @classmethod
    def open(cls, folder: Path) -> Recording:
        """Read a recording's ``game.json``; every picture it names must be there."""
        path = folder / "game.json"
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            looks = tuple(_look(folder, item) for item in data["looks"])
            recording = cls(folder, str(data["source"]), dict(data["position"]), looks)
        except OSError as error:
            raise RecordingError(f"{path} can't be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RecordingError(f"{path} is no recording: {error!r}") from error
        for look in looks:
            for picture in look.pictures.values():
                if not picture.is_file():
                    raise RecordingError(f"{picture} is missing, but {path.name} names it")
        return recording


def _look(folder: Path, item: Mapping[str, Any]) -> Look:
    if item["at"] not in ("set-up", "turn"):
        raise ValueError(f"a look is at the 'set-up' or at the end of a 'turn', not at {item['at']!r}")
    pictures = {camera: folder / name for camera, name in item["pictures"].items()}
    return Look(item["at"] == "set-up", pictures, dict(item.get("declared", {})), dict(item.get("answer", {})))


def _load(path: Path) -> NDArray[np.uint8]:
    picture = read_picture(path)
    if picture is None:
        raise RecordingError(f"{path} can't be read as a picture")
    return picture
