"""Photographs on their way from a phone to the turn loop: which make a view, and what is said of the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.decoding import Decoded
from calibration.lens import Lens
from calibration.lenses import lens_path
from calibration.pose import Pose
from referee.daemon.photographinbox import MOST_WAITING, PhotographInbox, Waits
from referee.daemon.photographlenses import PhotographLenses, known_lens
from referee.values.words import Words
from tests.calibration.exif import noted
from tests.daemon.photographdesk import Desk, smeared
from tests.scene import SIZE, Scene, draw, pose, table
from vision.geometry.view import PHOTOGRAPHS
from vision.posefinder import PoseFinder
from web.tableview import PhotographState, TakenNote

pytestmark = [pytest.mark.process]
WIDE = Lens(SIZE, np.array([[830.0, 0, 486], [0, 830, 352], [0, 0, 1]]), np.array([-0.1, 0.03, 0, 0, 0]), 0.1)
LONG = Lens(SIZE, np.array([[1130.0, 0, 474], [0, 1130, 363], [0, 0, 1]]), np.array([0.05, 0, 0, 0, 0]), 0.1)
SIDES = (-85.0, 5.0, 95.0)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    with found.inbox:
        yield found


def picture(at: Pose, lens: Lens = WIDE, scene: Scene | None = None) -> NDArray[np.uint8]:
    return np.asarray(draw(scene or Scene(), at, lens), np.uint8)


def photograph(shown: NDArray[np.uint8], model: str = "Phone 9", focal_35: int = 30, taken: str = "") -> bytes:
    large = cv2.resize(shown, None, fx=4 / 3, fy=4 / 3, interpolation=cv2.INTER_CUBIC)
    jpeg = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 94])[1].tobytes()
    return noted(jpeg, taken, focal_35=focal_35, model=model)


def test_what_is_done_with_a_photograph_is_told_step_by_step(tmp_path: Path) -> None:
    told: list[str] = []

    class Telling(PhotographLenses):
        def brought(self, photograph: Decoded) -> NDArray[np.uint8] | Words | Waits:
            told.append(words())
            return super().brought(photograph)

    def words() -> str:
        (one,) = inbox.told()
        assert one.state is PhotographState.LOOKED_AT
        return one.words.text("en") if one.words is not None else ""

    ready = threading.Event()
    lenses = Telling(PoseFinder(table(), tmp_path), lambda camera, lens: None)
    with PhotographInbox(lenses, ready.set) as inbox:
        inbox.offer(photograph(picture(pose(SIDES[0], 420, 520))), TakenNote(), time.monotonic())
        assert ready.wait(60)
        told.append(words())
    assert [one.partition(":")[0] for one in told] == ["Step 1 of 2", "Step 2 of 2"]


def test_photographs_by_any_phone_are_brought_to_one_lens(desk: Desk) -> None:
    """Each tells its lens by the frame in it; where it was taken from is then found as the board has it."""
    after_s = time.monotonic()
    for lens, model, focal_35 in ((WIDE, "Phone 9", 30), (LONG, "Phone 3", 41), (LONG, "", 0)):
        for side in SIDES:
            at = pose(side, 420, 520)
            desk.sight.view(0.0)
            desk.sent(photograph(picture(at, lens), model, focal_35))
            capture = desk.sight.view(after_s)
            assert capture is not None, [one.words for one in desk.inbox.told()]
            seen = capture.newest[PHOTOGRAPHS]
            desk.sight.trusted(capture)
            found = desk.reader.view(seen, PHOTOGRAPHS).pose
            assert np.linalg.norm(found.centre_mm - at.centre_mm) < 12
            assert found.reprojection_px < 0.5
    assert desk.measured == [PHOTOGRAPHS]
    assert known_lens(desk.reader.folder) is not None
    assert lens_path(desk.reader.folder, PHOTOGRAPHS).exists()


def half(shown: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.roll(shown, SIZE[0] // 2, axis=1))


WRONG: dict[str, tuple[Callable[[], NDArray[np.uint8]], str]] = {
    "no board": (lambda: np.full((720, 960, 3), 140, np.uint8), "printed frame"),
    "a finger over the lens": (lambda: np.full((720, 960, 3), 12, np.uint8), "too dark"),
    "half a board": (
        lambda: half(picture(pose(-85, 420, 520))),
        "printed frame",
    ),
    "blurred": (lambda: smeared(picture(pose(-85, 420, 520))), "blurred"),
    "from straight above": (lambda: picture(pose(-85, 800, 20)), "straight above"),
    "too flat": (lambda: picture(pose(-85, 90, 460)), "higher"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_photograph_is_left_out_with_its_reason(desk: Desk, what: str) -> None:
    make, words = WRONG[what]
    after_s = time.monotonic()
    assert desk.view(after_s, photograph(picture(pose(5, 420, 520)))).state is PhotographState.VIEW
    told = desk.view(after_s, photograph(make()))
    assert told.state is PhotographState.WRONG
    assert told.words is not None
    assert words in told.words.text("en")


def test_a_mat_is_photographed_from_straight_above(tmp_path: Path) -> None:
    """Nothing on it has a height that such a picture would not show."""
    mat = Desk(tmp_path, flat=True)
    with mat.inbox:
        after_s = time.monotonic()
        assert mat.view(after_s, photograph(picture(pose(5, 420, 520)))).state is PhotographState.VIEW
        assert mat.view(after_s, photograph(picture(pose(-85, 800, 20)))).state is PhotographState.VIEW


def test_a_side_is_a_view_once_in_a_look_but_may_show_what_was_put_right(desk: Desk) -> None:
    after_s, same = time.monotonic(), photograph(picture(pose(-85, 420, 520)))
    assert desk.view(after_s, same, is_clear=False).state is PhotographState.WRONG  # a hand: the side is still open
    assert [desk.view(after_s, same).state for _ in range(2)] == [PhotographState.VIEW, PhotographState.WRONG]
    first, second = (desk.view(0.0, same) for _ in range(2))
    assert [first.state, second.state] == [PhotographState.VIEW] * 2
    assert second.words is not None
    assert "another one shows more" in second.words.text("en")  # nobody is praised on and on for one side


def test_a_photograph_of_before_is_none_of_now(desk: Desk) -> None:
    """By its own time on the device's clock, which need not be the table's, or by its file's."""
    desk.sight.view(0.0)
    after_s = time.monotonic() - 60.0
    desk.sight.view(after_s)
    shown = picture(pose(-85, 420, 520))
    noon_s = 1_773_489_600.0  # 2026-03-14 12:00:00 UTC
    cases = (
        (photograph(shown, taken="2026:03:14 12:58:00"), TakenNote(0.0, noon_s, 3600.0), False),
        (photograph(shown, taken="2026:03:14 12:59:30"), TakenNote(9e6, noon_s, 3600.0), True),
        (photograph(shown), TakenNote(300.0, noon_s, 3600.0), False),
    )
    for content, taken, is_view in cases:
        number = desk.sent(content, taken)
        assert (desk.sight.view(after_s) is not None) is is_view
        words = desk.told(number).words
        assert is_view or (words is not None and "before the turn ended" in words.text("en"))
        desk.sight.view(after_s)


def test_a_photograph_taken_just_before_the_turn_ended_is_none_of_the_look(desk: Desk) -> None:
    number = desk.sent(photograph(picture(pose(-85, 420, 520))), TakenNote(1.0))
    waiting = desk.inbox.first()
    assert waiting is not None
    assert desk.sight.view(waiting.at_s + 0.5) is None
    assert desk.told(number).state is PhotographState.WRONG


def test_a_photograph_that_nobody_asked_for_is_said_to_be_none(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.daemon.heldcameras.UNWANTED_S", 0.0)
    number = desk.sent(photograph(picture(pose(-85, 420, 520))))
    assert desk.sight.view(None) is None
    assert desk.told(number).state is PhotographState.UNNEEDED


def test_more_than_one_turns_photographs_are_sent_later(desk: Desk) -> None:
    content = photograph(picture(pose(-85, 420, 520)))
    taken = [desk.inbox.offer(content, TakenNote(), time.monotonic()) for _ in range(3 * MOST_WAITING)]
    assert None in taken


def test_a_file_that_is_no_picture_holds_up_no_other(desk: Desk) -> None:
    number = desk.sent(b"MZ not a picture")
    words = desk.told(number).words
    assert words is not None
    assert "can’t be read" in words.text("en")
    assert desk.view(time.monotonic(), photograph(picture(pose(5, 420, 520)))).state is PhotographState.VIEW
