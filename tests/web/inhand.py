"""A table whose only camera is a phone in a hand: a film that walks around the board, played by a real browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.games import package_named
from referee.games.record import parse_record
from referee.values.kit import Kit
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import PHONE
from referee.virtual.scene import TableScene
from tests.web.filmed import filled, noisy

GAME = "terra-turrium"
SIDES_DEG = (-100.0, -10.0, 80.0)
"""From where the film shows the board, one after the other, again and again."""
EACH = 4
"""Frames from each side: a browser leaves some out."""
ELEVATION_DEG = 50.0
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Boards:
    """What is shown of a game: its start, the boards after its first turns, and one that no turn leads to."""

    position: Any
    start: str
    turns: Sequence[str]
    broken: str


def boards(turns: int) -> Boards:
    """Play the first turns of the game that comes along as a text."""
    package = package_named(GAME)
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    position = start = package.records.start(record)
    found = []
    for entry in record.turns[:turns]:
        ruling = package.records.play(position, entry)
        assert ruling.next is not None
        position = ruling.next
        found.append(position.observed.text)
    rows = found[0].split("/")
    rows[3] = f"{rows[3][:-1]}{int(rows[3][-1]) + 1}"  # one stone more than there are, at the end of row 7
    return Boards(start, start.observed.text, found, "/".join(rows))


class WalkedAround:
    """The pictures of a walk around a virtual table."""

    def __init__(self, table: TableSetup, kit: Kit) -> None:
        self._eyes = {side: DrawnCamera(PHONE, table, kit) for side in SIDES_DEG}

    def views(self, lying: str) -> list[Image]:
        """Return one picture from each side."""
        return [
            np.asarray(eye.picture(TableScene(lying, held={PHONE: (side, ELEVATION_DEG)})).copy(), np.uint8)
            for side, eye in self._eyes.items()
        ]


class HeldTable:
    """The folder of a table with one phone and nothing else, and the film that the phone's camera shows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.film, self.game = folder / "table", folder / "film.mjpeg", folder / "game.json"
        package = package_named(GAME)
        kit = package.game.kit
        table = make_table(self.folder, GAME, held=True)
        self._walk = WalkedAround(table, kit)
        self.boards = boards(2)
        self.game.write_text(json.dumps(self.boards.position.to_json()), encoding="utf-8")
        self.put(self.boards.start)

    def put(self, lying: str, blurred: bool = False) -> None:
        """Paint the film over with what lies there now."""
        pictures = self._walk.views(lying)
        if blurred:
            pictures = [np.asarray(cv2.GaussianBlur(one, (0, 0), 4.0), np.uint8) for one in pictures]
        with self.film.open("r+b" if self.film.exists() else "wb") as file:
            for number, one in enumerate(pictures):
                file.write(EACH * filled(noisy(one, number)))

    @property
    def options(self) -> tuple[str, ...]:
        """Return what the command is called with: no camera is named, for the table's own is one in a hand."""
        return (str(self.folder), "--game", str(self.game))
