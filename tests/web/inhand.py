"""A table whose only camera is a phone in a hand: a film that walks around the board, played by a real browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import save_lens
from calibration.table import TableSetup
from calibration.writing import write_table
from referee.games import package_named
from referee.games.record import parse_record
from referee.values.kit import Kit
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table, sizes_of
from referee.virtual.lenses import CAMERAS, PHONE, lens_of
from referee.virtual.scene import TableScene
from tests.vision.sources.webcam import Webcam
from tests.web.filmed import FPS, FRAMES, filled, loaded, noisy, with_arm

GAME = "terra-turrium"
SIDES_DEG = (-100.0, -10.0, 80.0)
"""From where the film shows the board, one after the other, again and again."""
EACH = 4
"""Frames from each side: a browser leaves some out."""
ELEVATION_DEG = 50.0
LOW_DEG = {CAMERAS[0]: (-100.0, 22.0), CAMERAS[1]: (-70.0, 20.0)}
"""Azimuth and elevation of fixed cameras that stand so low, and so near each other, that towers hide much."""
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


class FilmTable:
    """The folder of a table with one phone, and the film that the phone's camera shows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.film, self.game = folder / "table", folder / "film.mjpeg", folder / "game.json"

    def paint(self, pictures: Iterable[Image]) -> None:
        """Paint the film over: each picture for a moment, one after the other."""
        with self.film.open("r+b" if self.film.exists() else "wb") as file:
            for number, one in enumerate(pictures):
                file.write(EACH * filled(noisy(one, number)))

    @property
    def options(self) -> tuple[str, ...]:
        """Return what the command is called with: no camera is named, for the table's own is one in a hand."""
        return (str(self.folder), "--game", str(self.game))


class PhotographedTable(FilmTable):
    """A table whose looks were photographed from all around; the film walks around through these pictures."""

    def __init__(self, folder: Path, photographed: Path, name: str) -> None:
        """photographed: a table's folder with its truth. name: of one of its games."""
        super().__init__(folder)
        shutil.copytree(photographed / "calibration", self.folder / "calibration")
        sizes = json.loads((photographed / "table.json").read_text(encoding="utf-8"))
        (self.folder / "table.json").write_text(json.dumps(sizes | {"held": sizes["cameras"]}), encoding="utf-8")
        truth = json.loads((photographed / "truth.json").read_text(encoding="utf-8"))
        (game,) = [game for game in truth["games"] if game["name"] == name]
        self._pictures = photographed / name
        self.frames: Sequence[dict[str, Any]] = game["frames"]
        self.game.write_text(json.dumps(self.frames[1]["turn"]["position"]), encoding="utf-8")
        self.put(0)

    def put(self, frame: int) -> None:
        """Show what was photographed at one look."""
        self.paint(loaded(self._pictures / name) for name in self.frames[frame]["files"])


class HeldTable(FilmTable):
    """A virtual table with one phone and nothing else."""

    TURNS = 2

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.kit = package_named(GAME).game.kit
        self.table = self._made()
        self.walk = WalkedAround(self.table, self.kit)
        self.boards = boards(self.TURNS)
        self.game.write_text(json.dumps(self.boards.position.to_json()), encoding="utf-8")
        self.put(self.boards.start)

    def _made(self) -> TableSetup:
        return make_table(self.folder, GAME, held=True)

    def put(self, lying: str, blurred: bool = False) -> None:
        """Paint the film over with what lies there now."""
        pictures = self.walk.views(lying)
        if blurred:
            pictures = [np.asarray(cv2.GaussianBlur(one, (0, 0), 4.0), np.uint8) for one in pictures]
        self.paint(pictures)


class MixedTable(HeldTable):
    """A table with two fixed cameras, webcams that stand low, and a phone in a hand.

    The former don't see the second and the third turn whole.
    """

    TURNS = 3

    def __init__(self, folder: Path, webcams: Sequence[Webcam]) -> None:
        self._webcams = dict(zip(LOW_DEG, webcams, strict=True))
        super().__init__(folder)
        for webcam in webcams:
            webcam.fps = FPS

    def _made(self) -> TableSetup:
        data = sizes_of(package_named(GAME), (*CAMERAS, PHONE))
        assert data is not None
        self.folder.mkdir()
        table = write_table(self.folder, data | {"held": [PHONE]})
        for camera in table.cameras:
            save_lens(self.folder / "calibration" / f"{camera}.json", lens_of(camera))
        return table

    def reach(self, lying: str) -> None:
        """Show the fixed cameras what lies there, with somebody's arm over it."""
        self._film(lying, with_arm)

    def put(self, lying: str, blurred: bool = False) -> None:
        """Show what lies there now to all cameras."""
        super().put(lying, blurred)
        self._film(lying, lambda picture: picture)

    def _film(self, lying: str, over: Callable[[Image], Image]) -> None:
        for camera, side_deg in LOW_DEG.items():
            drawn = DrawnCamera(camera, self.table, self.kit).picture(TableScene(lying, held={camera: side_deg}))
            picture = over(np.asarray(drawn.copy(), np.uint8))
            self._webcams[camera].own = [noisy(picture, number) for number in range(FRAMES)]

    @property
    def options(self) -> tuple[str, ...]:
        """Return what the command is called with: the webcams by their addresses."""
        sources = [f"{camera}={webcam.url()}?delay=0" for camera, webcam in self._webcams.items()]
        return (*super().options, *(part for one in sources for part in ("--camera", one)))
