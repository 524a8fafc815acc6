"""Show one camera to somebody who is setting it up: its picture with the grid on it, and what is amiss."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError, PoseError
from calibration.lenses import lens_path
from calibration.pose import MIN_MARKERS, find_markers, find_pose
from calibration.table import TableSetup
from referee.addons import addon_modules
from referee.certificate.figures import CameraFigures
from referee.certificate.judge import REPROJECTION_PX, glance
from referee.certificate.values import Check, Grade, worst
from referee.daemon.preview import as_jpeg, draw_grid
from referee.daemon.tablecheck import camera_figures
from referee.values.board import Board
from referee.values.words import Words, say
from vision.geometry.view import View
from vision.posefinder import PoseFinder
from vision.sources.address import Scheme
from vision.sources.camera import Camera
from vision.sources.words import camera_words

FRESH_S = 1.0
"""A camera is looked at so often at most, however many pages ask."""
TOWER_STONES = 3
"""The second grid floats this high: where both grids fit the stones, lens, frame and stone sizes are right."""
_OF_THEIR_OWN = (Scheme.FOLDER, Scheme.FILE, Scheme.PHONE, Scheme.VIRTUAL)
"""Sources whose own words say what is to be done."""
OPEN_CAMERA = say("A phone finds its lens by itself: open /camera on it and do what stands below its picture.")
FIRST_SHOW = say("First show the phone the board: walk round it once.")
_OFF = say("This phone’s camera is off until somebody shows the board.")
_HIGH_BGR = (255, 150, 40)

Picture = NDArray[np.uint8]


class PictureTold(Protocol):
    """What an add-on tells of a camera's picture.

    ``looked`` in its module ``camera`` takes the camera, the view, the table, and the levels on the board looked at
    last, where known, and returns one of these or ``None``.
    """

    @property
    def name(self) -> str:
        """Return the key under which the page gets it."""

    def view(self, language: str) -> dict[str, object]:
        """Return it as JSON-able values."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """A camera at one moment. jpeg: empty where there is no picture. size: of its picture, (0, 0) without one."""

    camera: str
    checks: tuple[Check, ...]
    jpeg: bytes = b""
    size: tuple[int, int] = (0, 0)
    markers: int = 0
    framed: bool = False
    """Whether the frame is seen where the table says it lies."""
    told: tuple[PictureTold, ...] = ()
    """What add-ons tell of the picture."""
    off: bool = False
    """Whether it is in a hand that shows nothing now; all else is as it was when it did last."""

    @property
    def grade(self) -> Grade:
        """Return the grade of the camera's light."""
        return worst([check.grade for check in self.checks])

    @property
    def words(self) -> Words:
        """Say what to do first, or that nothing is."""
        first = next(
            (check for grade in (Grade.BAD, Grade.WARNING) for check in self.checks if check.grade is grade), None
        )
        if first is not None:
            return first.advice or first.value
        return _OFF if self.off else say("This camera sees the table well.")


def _advice(camera: Camera, told: Words) -> Words:
    """Say what to do about a camera without a picture: nobody plugs in a folder, a film or a phone."""
    if camera.source.scheme in _OF_THEIR_OWN:
        return told
    return say("See that it is plugged in and switched on; 'referee doctor' lists the cameras there are.")


class CameraCheck:
    """Looks through one camera when somebody asks. Every method may be called from many threads at once."""

    def __init__(
        self,
        camera: Camera,
        reader: PoseFinder,
        folder: str,
        calibrated: Callable[[], bool],
        levels: Callable[[], NDArray[np.int8] | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a camera.

        folder: the table's, as commands name it. calibrated: whether the camera takes part by now.
        levels: on the board looked at last, where they are known.
        """
        self.camera = camera
        self._calibrated, self._levels = calibrated, levels
        self._reader, self._folder, self._clock = reader, folder, clock
        self._mutex = threading.Lock()
        self._seen: tuple[int, float, Glance] | None = None

    @property
    def finds_lens(self) -> bool:
        """Return whether the camera finds its lens by itself, as phones do."""
        return (
            self.camera.source.scheme is Scheme.PHONE
            and not lens_path(self._reader.folder, self.camera.name).exists()
        )

    @property
    def held(self) -> bool:
        """Return whether the camera is in a hand."""
        return self.camera.name in self._reader.table.held

    @property
    def calibrated(self) -> bool:
        """Return whether the camera takes part in play."""
        return self._calibrated()

    def picture(self) -> Picture | None:
        """Return the newest full picture; ``None`` where there is none."""
        newest = self.camera.newest() if self.camera.state.seeing else None
        return None if newest is None else newest.load()

    def newest(self) -> Glance:
        """Return the camera as it is now, not older than a second."""
        with self._mutex:
            state, found = self.camera.state, self.camera.newest()
            number = found.number if state.seeing and found is not None else 0
            if self._seen is not None and number and (
                self._seen[0] == number or self._clock() - self._seen[1] < FRESH_S
            ):  # fmt: skip
                return self._seen[2]
            picture = self.picture() if number else None
            if picture is None and self.held:
                return self._shown_last()
            if picture is None:
                told = camera_words(state)
                check = Check(say("Picture"), told, Grade.BAD, _advice(self.camera, told))
                return Glance(self.camera.name, (check,))
            look = self._look(picture)
            self._seen = number, self._clock(), look
            return look

    def _shown_last(self) -> Glance:
        """Return what a camera in a hand showed last: it is off until somebody shows the board."""
        if not self.calibrated and self.camera.name not in self._reader.table.beside:
            return Glance(self.camera.name, (Check(say("Lens"), FIRST_SHOW, Grade.WARNING),), off=True)
        last = Glance(self.camera.name, ()) if self._seen is None else self._seen[2]
        return replace(last, checks=(Check(say("Picture"), _OFF, Grade.GOOD),), told=(), off=True)

    def _look(self, picture: Picture) -> Glance:
        name, table = self.camera.name, self._reader.table
        size = int(picture.shape[1]), int(picture.shape[0])
        command = f"referee calibrate lenses --table {self._folder} --camera {name}"
        solve = OPEN_CAMERA if self.finds_lens else say("Run: {command}", command=command)
        if not self.calibrated and not lens_path(self._reader.folder, name).exists():
            grade = Grade.WARNING if name in table.beside else Grade.BAD  # photographs do without
            check = Check(say("Lens"), say("not calibrated yet"), grade, solve)
            return _blind(name, table, picture, (check,))
        try:
            lens = self._reader.lens(name)
            lens_check = self._lens_check()
            view = View(name, picture, lens, find_pose(picture, lens, table, name))
        except PoseError:
            return _blind(name, table, picture, (lens_check,))
        except CalibrationError:
            told = say("made for pictures of another size, or damaged")
            return _blind(name, table, picture, (Check(say("Lens"), told, Grade.BAD, solve),))
        shown = picture.copy()
        draw_grid(shown, table, lens, view.pose, TOWER_STONES, _HIGH_BGR)
        draw_grid(shown, table, lens, view.pose)
        figures = _figures(view, table)
        checks = (lens_check, *glance(figures))
        framed = figures.reprojection_px <= REPROJECTION_PX[0]
        brought = addon_modules("camera")
        added = tuple(filter(None, (one.looked(self.camera, view, table, self._levels()) for one in brought)))
        return Glance(name, checks, as_jpeg(shown), size, view.pose.markers, framed, added)

    def _lens_check(self) -> Check:
        if self.calibrated:
            return Check(say("Lens"), say("calibrated"), Grade.GOOD)
        soon = say("This camera takes part in a moment, if its pictures have the size the lens was measured at.")
        return Check(say("Lens"), say("calibrated just now"), Grade.WARNING, soon)


def check_view(check: Check, language: str) -> dict[str, object]:
    """Return a check in the players' words, as JSON-able values."""
    return {
        "what": check.what.text(language),
        "value": check.value.text(language),
        "grade": check.grade.value,
        "advice": None if check.advice is None else check.advice.text(language),
    }


def _blind(name: str, table: TableSetup, picture: Picture, checks: tuple[Check, ...]) -> Glance:
    """Return a picture without a grid: the frame is not seen, or nothing is known of the lens."""
    markers, of = len(find_markers(picture, table)), len(table.markers)
    enough = markers >= MIN_MARKERS
    value = say("{n} of {all} found", n=markers, all=of)
    advice = (
        say("Lay the frame flat around the board, and see that table.json and the lens belong to it.")
        if enough
        else say(
            "Lay the printed frame around the board and get the whole of it into the picture, free and evenly lit."
        )
    )
    lost = enough and all(check.grade is not Grade.BAD for check in checks)
    grade = Grade.BAD if lost or not enough else Grade.GOOD
    frame = Check(say("Markers of the frame"), value, grade, None if grade is Grade.GOOD else advice)
    size = int(picture.shape[1]), int(picture.shape[0])
    return Glance(name, (*checks, frame), as_jpeg(picture), size, markers)


def _figures(view: View, table: TableSetup) -> CameraFigures:
    """Return a view's figures without knowing what stands on the board."""
    none = np.zeros((table.rows, table.columns), np.int8)
    found = camera_figures(view, table, Board(none, none, ""), none, ())
    middles = table.centres_mm().reshape(-1, 2)
    wide_px, high_px = view.lens.size
    outside = np.zeros(len(middles), np.bool_)
    for level in (0, TOWER_STONES):
        at = view.project(np.column_stack([middles, np.full(len(middles), level * table.cube_mm[2])]))
        inside = (at >= 0).all(axis=1) & (at <= (wide_px - 1, high_px - 1)).all(axis=1)  # nan: behind the camera
        outside |= ~inside
    return replace(found, outside=int(outside.sum()))
