"""Photographs of a board without a printed frame, on their way from a phone to the turn loop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.pose import Pose
from calibration.table import load_table
from referee.daemon.boardphotographs import BoardPhotographs
from referee.daemon.boardsetup import BoardSetup
from referee.daemon.livecameras import LiveFrameSource
from referee.daemon.photographinbox import PhotographInbox
from tests.calibration.bareboard import HIGH, LENS, LOW, PLAIN, TOUCHED, touches
from tests.calibration.exif import noted
from tests.daemon.photographdesk import Desk, smeared
from tests.scene import draw, pose, write_bare_table
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from web.tableview import PhotographState

pytestmark = [pytest.mark.process]
TRUE = pose(60, 600, 500)


class BareDesk(Desk):
    """What photographs of a small bare board go through."""

    def __init__(self, folder: Path) -> None:
        written = write_bare_table(folder / "table", draw(LOW, TOUCHED, LENS), touches(5.0))
        self.reader = PoseFinder(load_table(written), written)
        self.measured: list[str] = []
        setup = BoardSetup(self.reader, lambda: False, lambda files: None)
        lenses = BoardPhotographs(self.reader, setup, lambda camera, lens: self.measured.append(camera))
        self.inbox = PhotographInbox(lenses, lambda: None)
        self.sight = LiveFrameSource({}, threading.Condition(), self.reader, held=("phone",), photographs=self.inbox)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BareDesk]:
    found = BareDesk(tmp_path_factory.mktemp("bare"))
    with found.inbox:
        yield found


def photograph(shown: NDArray[np.uint8], focal_35: int = 41, orientation: int = 1) -> bytes:
    jpeg = cv2.imencode(".jpg", cv2.resize(shown, None, fx=4 / 3, fy=4 / 3, interpolation=cv2.INTER_CUBIC))[1]
    return noted(jpeg.tobytes(), focal_35=focal_35, orientation=orientation)


@pytest.mark.parametrize(("focal_35", "orientation"), [(41, 1), (0, 1), (51, 6)])
def test_a_photograph_is_placed_by_the_board_and_not_looked_for_again(
    desk: BareDesk, focal_35: int, orientation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With and without its focal length, and by a phone that stood: what the sensor saw lies then."""
    shown = draw(HIGH, TRUE, LENS)
    if orientation == 6:
        shown = np.ascontiguousarray(np.rot90(shown[:, 150:810]))
    content = photograph(shown, focal_35, orientation)
    after_s = time.monotonic()
    desk.sight.view(after_s)
    desk.sent(content)
    found = desk.inbox.first()
    assert found is not None, desk.inbox.told()
    monkeypatch.setattr("calibration.boardfinder.find_board", None)
    capture = desk.sight.view(after_s)
    assert capture is not None, desk.inbox.told()
    view = desk.reader.view(capture.newest[PHOTOGRAPHS], PHOTOGRAPHS)
    assert np.linalg.norm(view.pose.centre_mm - TRUE.centre_mm) < 15
    rim = view.project(np.array([[x, y, 0.0] for x in (-130, 130) for y in (-130, 130)]))
    assert (rim > 0).all()
    assert (rim < view.lens.size).all()
    desk.sight.trusted(capture)
    assert desk.measured == [PHOTOGRAPHS]


def aside(shift_mm: float) -> Pose:
    return Pose(TOUCHED.rotation, TOUCHED.translation_mm + np.array([shift_mm, 0.0, 0.0]), 0, 0.0)


WRONG: dict[str, tuple[Callable[[], NDArray[np.uint8]], str]] = {
    "no board": (lambda: np.full((720, 960, 3), 140, np.uint8), "not in the picture"),
    "the table alone": (lambda: draw(LOW, aside(900.0), LENS), "not in the picture"),
    "another table": (lambda: draw(LOW.with_(rim=(60, 120, 60)), TRUE, LENS), "board"),
    "a finger over the lens": (lambda: np.full((720, 960, 3), 12, np.uint8), "too dark"),
    "half a board": (lambda: draw(LOW, aside(300.0), LENS), "cut off"),
    "blurred": (lambda: smeared(draw(HIGH, TRUE, LENS)), "blurred"),
    "from straight above": (lambda: draw(LOW, pose(-85, 800, 20), LENS), "straight above"),
    "too flat": (lambda: draw(PLAIN, pose(-85, 140, 780), LENS), "higher"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_photograph_is_left_out_with_its_reason(desk: BareDesk, what: str) -> None:
    make, words = WRONG[what]
    told = desk.view(time.monotonic(), photograph(make()))
    assert told.state is PhotographState.WRONG
    assert told.words is not None
    assert words in told.words.text("en")


def test_the_side_of_before_and_a_picture_of_before_are_left_out(desk: BareDesk) -> None:
    after_s, content = time.monotonic(), photograph(draw(HIGH, TRUE, LENS))
    assert [desk.view(after_s, content).state for _ in range(2)] == [PhotographState.VIEW, PhotographState.WRONG]
    late_s = time.monotonic() + 60.0
    words = desk.view(late_s, content).words
    assert words is not None
    assert "before the turn ended" in words.text("en")


def test_a_picture_that_can_show_no_board_is_refused_before_the_search(
    desk: BareDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.boardsearch.moved_about", None)
    for shown in (np.full((720, 960, 3), 140, np.uint8), draw(LOW, aside(900.0), LENS)):
        words = desk.view(time.monotonic(), photograph(shown)).words
        assert words is not None
        assert "not in the picture" in words.text("en")


def test_touches_that_show_no_board_are_refused_before_the_game(tmp_path: Path) -> None:
    corners = {name: [x / 3, y / 3] for name, (x, y) in touches(0.0).items()}
    folder = write_bare_table(tmp_path / "table", draw(LOW, TOUCHED, LENS), corners)
    with pytest.raises(CalibrationError, match="the edge of the board is not seen"):
        BoardSetup(PoseFinder(load_table(folder), folder), lambda: True, lambda files: None)
