"""Looks by a camera in a hand: open until they are certain, and never on the word of a single view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.games.contract import RuleId, Ruling, Violation
from referee.match.phases import Phase
from referee.session.capture import Capture, Pictures
from referee.session.openlook import (
    LONGEST_PHOTOGRAPHED_S,
    LONGEST_S,
    MOST_VIEWS,
    PAUSE_S,
    UNASKED_PHOTOGRAPHED_S,
    newest_views,
)
from referee.session.said import Captured, NothingCaptured, TimePassed, ViewShown
from referee.session.viewing import FEWEST
from referee.values.belief import Prior
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared, Form, FormField
from referee.values.words import say
from tests.match.fakes import FakeEyes, StepGame, StepPosition, picture_of
from tests.session.sessions import BEFORE, GAME, STEP, TWO_STEPS, Table
from vision.geometry.view import PHOTOGRAPHS
from vision.reading import Reading

UNSURE = "11r/7y1"


class Shown(Table):
    """A table whose only camera is held in a hand."""

    def __init__(self, game: StepGame = GAME, eyes: FakeEyes | None = None) -> None:
        super().__init__(game=game, eyes=eyes)
        self.now_s = 100.0

    def ended(self) -> None:
        self.command("turn_ended", self.now_s)

    def show(self, *texts: str, camera: str = "cam0") -> None:
        for text in texts:
            self.now_s += 0.5
            pictures = {camera: picture_of(text)["cam0"]}
            self.receive(ViewShown(Capture.of(pictures, self.now_s), self.now_s))

    def wait(self, seconds: float, coming: bool = False) -> None:
        self.now_s += seconds
        self.receive(NothingCaptured(self.now_s))
        self.receive(TimePassed(self.now_s, coming=coming))

    @property
    def phase(self) -> Phase:
        return self.session.state.phase

    @property
    def views(self) -> int:
        """Return how many views the look that is open has."""
        showing = self.session.live.showing
        assert showing is not None
        return showing.views


@pytest.fixture
def table() -> Shown:
    return Shown()


def test_views_are_welcome_only_when_there_is_something_to_see(table: Shown) -> None:
    assert table.session.wish(table.now_s).view_after_s is None
    table.show(TWO_STEPS)
    assert table.driver.events == []
    table.ended()
    assert table.session.wish(table.now_s).view_after_s == table.now_s


def test_a_look_ends_with_the_first_view_that_makes_it_certain(table: Shown) -> None:
    table.ended()
    table.show(UNSURE, UNSURE)
    assert table.phase is Phase.READING
    showing = table.session.live.showing
    assert showing is not None
    assert (showing.views, [field.name for field in showing.fields]) == (2, ["A2"])
    table.show(STEP)
    assert table.phase is Phase.PLAYING
    assert table.driver.kinds == ["look_taken", "reading", "ruling"]
    assert list(table.driver.kept[-1].newest) == ["cam0#1", "cam0#2", "cam0#3"]


def test_nobody_is_accused_on_the_word_of_a_single_view(table: Shown) -> None:
    table.ended()
    table.show(TWO_STEPS)
    assert table.phase is Phase.READING
    table.wait(2 * LONGEST_S)
    assert table.phase is Phase.READING
    table.show(*[TWO_STEPS] * (FEWEST - 1))
    assert table.phase is Phase.VIOLATION


@pytest.mark.parametrize("ending", ["views", "time"])
def test_after_a_limit_a_person_is_asked(table: Shown, ending: str) -> None:
    table.ended()
    table.show(UNSURE)
    if ending == "views":
        table.show(*[UNSURE] * (MOST_VIEWS - 2))
        assert table.phase is Phase.READING
        table.show(UNSURE)
    else:
        table.wait(0.1)
        table.wait(LONGEST_S - 1)
        assert table.phase is Phase.READING
        table.wait(2.0)
    assert table.phase is Phase.UNSURE


def test_whoever_photographs_has_time_to_open_the_camera_for_each_view(table: Shown) -> None:
    table.ended()
    table.show(TWO_STEPS, TWO_STEPS)
    assert table.phase is Phase.VIOLATION
    for views in (1, 2):
        table.show(UNSURE, camera=PHOTOGRAPHS)
        table.wait(0.1)
        table.wait(4 * PAUSE_S)
        assert table.views == views
    table.wait(UNASKED_PHOTOGRAPHED_S)
    assert table.views == 0


def test_no_time_passes_while_a_photograph_is_on_its_way(table: Shown) -> None:
    """A slow computer looks for a bare board longer than the pause after which nobody shows anything more."""
    table.ended()
    table.show(UNSURE, camera=PHOTOGRAPHS)
    table.wait(0.1)
    table.wait(LONGEST_PHOTOGRAPHED_S, coming=True)
    assert table.phase is Phase.READING
    table.wait(LONGEST_PHOTOGRAPHED_S)
    assert table.phase is Phase.READING
    table.wait(LONGEST_PHOTOGRAPHED_S)
    assert table.phase is Phase.UNSURE


class ComparingEyes(FakeEyes):
    """Reads the newest picture; what an older one of the look shows otherwise was changed meanwhile."""

    def read(self, pictures: Pictures, expect: Prior | None = None, *, since: Any = None) -> Reading:
        found = super().read(pictures, expect, since=since)
        alike = len({one.tobytes() for one in pictures.values()}) == 1
        return found if alike else replace(found, clear=False, contradicted=(Field(0, 0),))


def test_what_is_put_right_between_two_photographs_is_shown_by_the_newer_one() -> None:
    table = Shown(eyes=ComparingEyes())
    table.ended()
    table.show(TWO_STEPS, TWO_STEPS, camera=PHOTOGRAPHS)
    table.show(TWO_STEPS, camera=PHOTOGRAPHS)
    assert table.phase is Phase.VIOLATION
    table.show(BEFORE, camera=PHOTOGRAPHS)
    assert table.phase is Phase.PLAYING


@pytest.mark.parametrize("first", [BEFORE, UNSURE])
def test_what_is_played_on_after_an_unsure_look_is_shown_by_new_photographs(first: str) -> None:
    """Whoever ended a turn too early plays on: the pictures of before show another board."""
    table = Shown(eyes=ComparingEyes())
    table.ended()
    table.show(*[first] * MOST_VIEWS, camera=PHOTOGRAPHS)
    assert table.phase is Phase.UNSURE
    table.show(STEP, STEP, camera=PHOTOGRAPHS)
    assert table.phase is Phase.PLAYING
    assert len(table.driver.kept[-1].newest) == FEWEST


def test_a_turn_that_changes_while_it_is_photographed_is_shown_again() -> None:
    table = Shown(eyes=ComparingEyes())
    table.ended()
    table.show(TWO_STEPS, STEP, camera=PHOTOGRAPHS)
    assert (table.phase, table.views) == (Phase.READING, 1)


def test_a_photograph_that_shows_a_hand_spoils_no_other(table: Shown) -> None:
    table.ended()
    table.show(STEP, "covered", camera=PHOTOGRAPHS)
    assert table.session.live.waiting is not None
    assert table.session.live.waiting.id == "hand"
    assert table.views == 1
    table.show(STEP, camera=PHOTOGRAPHS)
    assert table.phase is Phase.PLAYING


def test_a_hand_over_the_board_begins_the_look_anew(table: Shown) -> None:
    """What was shown before it may be another board."""
    table.ended()
    table.show(TWO_STEPS, "covered")
    assert table.session.live.waiting is not None
    assert table.session.live.waiting.id == "hand"
    table.show(TWO_STEPS)
    assert table.phase is Phase.READING
    table.show(TWO_STEPS)
    assert table.phase is Phase.VIOLATION
    assert len(table.driver.kept[-1].newest) == 2


def test_what_was_left_unsure_is_settled_by_showing_more(table: Shown) -> None:
    table.ended()
    table.show(*[UNSURE] * MOST_VIEWS)
    table.show(STEP)
    assert table.phase is Phase.PLAYING
    assert len(table.driver.kept[-1].newest) == MOST_VIEWS + 1


def test_showing_more_and_giving_up_changes_nothing(table: Shown) -> None:
    table.ended()
    table.show(*[UNSURE] * MOST_VIEWS)
    before = list(table.driver.events)
    table.show(UNSURE)
    table.wait(PAUSE_S)
    table.show(UNSURE)
    table.wait(LONGEST_S)
    assert table.driver.events == before


def test_the_pause_begins_when_a_view_is_read(table: Shown) -> None:
    """On a slow computer, reading takes as long as the pause after which somebody has given up."""
    table.ended()
    table.show(TWO_STEPS, TWO_STEPS)
    assert table.phase is Phase.VIOLATION
    table.show(UNSURE)
    table.wait(PAUSE_S)
    assert table.views == 1
    table.show(UNSURE)
    table.wait(0.5)
    assert table.views == 2
    table.wait(PAUSE_S)
    assert table.views == 0


def test_a_turn_that_is_put_back_is_shown(table: Shown) -> None:
    table.ended()
    table.show(TWO_STEPS, TWO_STEPS)
    table.show(TWO_STEPS)
    assert table.phase is Phase.VIOLATION
    table.show(BEFORE)
    assert table.phase is Phase.PLAYING
    assert table.driver.kinds[-1] == "put_back"


def test_a_phone_settles_what_fixed_cameras_leave_unsure(table: Shown) -> None:
    table.ended()
    table.receive(Captured(Capture.of(picture_of(UNSURE), table.now_s + 1), table.now_s + 1))
    assert table.phase is Phase.UNSURE
    table.receive(ViewShown(Capture.of({"phone": picture_of(STEP)["cam0"]}, table.now_s + 2), table.now_s + 2))
    assert table.phase is Phase.PLAYING
    assert list(table.driver.kept[-1].newest) == ["cam0", "phone#1"]
    assert table.driver.kinds[-3:] == ["look_taken", "reading", "ruling"]


@pytest.mark.parametrize("board", [BEFORE, STEP, UNSURE])
def test_a_hand_and_then_nothing_leaves_the_look_open(table: Shown, board: str) -> None:
    """A covered picture tells nothing: the look waits for another view, and the time for it begins anew."""
    table.ended()
    table.show(board, "covered")
    table.wait(3 * LONGEST_S)
    assert table.phase is Phase.READING
    table.show(STEP)
    assert table.phase is Phase.READING
    table.show(STEP)
    assert table.phase is Phase.PLAYING


def test_a_picture_without_a_frame_does_not_end_a_look(table: Shown) -> None:
    table.ended()
    table.show(UNSURE)
    table.wait(0.1)
    table.show("lost")
    table.wait(LONGEST_S)
    assert table.phase is Phase.UNSURE
    assert table.driver.kinds == ["look_taken", "reading", "ruling"]


def test_however_often_more_is_shown_a_look_stays_bounded(table: Shown) -> None:
    table.ended()
    for _ in range(4):
        table.show(*[UNSURE] * MOST_VIEWS)
    table.show(STEP)
    assert table.phase is Phase.PLAYING
    assert len(table.driver.kept[-1].newest) <= 2 * MOST_VIEWS


def test_the_newest_pictures_from_the_hand_are_kept() -> None:
    pictures = picture_of(STEP) | {f"phone#{number}": picture_of(STEP)["cam0"] for number in range(1, 15)}
    assert list(newest_views(pictures)) == ["cam0", *[f"phone#{number}" for number in range(5, 15)]]


class PaidCards(StepGame):
    """Whoever declares a card may not add a stone as well."""

    def form(self, position: StepPosition) -> Form:
        return Form((FormField("cards", "count", say("Cards"), (), 0, 3),))

    def check(
        self,
        position: StepPosition,
        observed: Board,
        frames: Sequence[Board] = (),
        declared: Declared = NOTHING_DECLARED,
    ) -> Ruling:
        if declared.get("cards"):
            return Ruling(False, (Violation(RuleId("card"), (), say("Cards")),), (), (), None, None)
        return super().check(position, observed, frames)


@pytest.mark.parametrize("late", [False, True])
def test_what_is_entered_while_the_board_is_shown_counts(late: bool) -> None:
    table = Shown(PaidCards())
    table.ended()
    if late:
        table.show(STEP)
    table.command("enter", turn=1, field="cards", value=1)
    if not late:
        table.show(STEP)
    table.wait(0.5)
    table.wait(LONGEST_S)
    assert table.phase is Phase.READING  # a single view accuses nobody
    table.show(STEP)
    assert table.phase is Phase.VIOLATION
