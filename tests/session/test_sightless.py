"""A ruling made while a fixed camera showed nothing says so, keeps it in the journal, and shows it everywhere."""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import ReadingMade
from referee.match.live import CameraState, Live
from referee.match.phases import Phase
from referee.session.capture import Capture
from referee.session.said import Captured, LookGiven, WantsChange
from referee.values.words import say
from referee.view import table_view
from tests.session.sessions import GAME, STEP, TWO_STEPS, Table, capture

SAID = "Ruled on without cam1: cam1 sent no pictures."


TOO_TALL = "11r/7y1"


def seen(text: str, *out: str) -> Capture:
    """Return a board as two cameras see it, but for those that are out."""
    troubles = {name: say("{camera} sent no pictures.", camera=name) for name in out}
    frames = {name: 1 for name in ("cam0", "cam1") if name not in out}
    return replace(capture(text), frames=frames, troubles=troubles)


def ruled(text: str, *out: str) -> Table:
    table = Table()
    table.receive(LookGiven(seen(text, *out)))
    return table


def test_a_legal_turn_says_which_camera_saw_nothing_of_it() -> None:
    view = table_view(GAME, ruled(STEP, "cam1").session.state)
    assert view["history"][-1]["sightless"] == [SAID]  # type: ignore[index]
    assert SAID in view["banner"]["detail"]  # type: ignore[index, operator]


def test_a_breach_says_it_where_its_rules_are_told() -> None:
    view = table_view(GAME, ruled(TWO_STEPS, "cam1").session.state)
    assert view["violation"]["sightless"] == [SAID]  # type: ignore[index]
    assert SAID in view["banner"]["detail"]  # type: ignore[index, operator]


def test_nothing_is_said_where_every_camera_saw_it_or_none_is_left() -> None:
    assert table_view(GAME, ruled(STEP).session.state)["history"][-1]["sightless"] == []  # type: ignore[index]


def test_it_is_kept_with_the_reading_and_comes_back_from_the_journal() -> None:
    reading = ruled(STEP, "cam1").session.state.history[-1].reading
    assert reading is not None
    again = ReadingMade.from_json(reading.to_json(), GAME)
    assert [words.text() for words in again.sightless] == [SAID]
    assert again.sightless[0].text("de") != SAID


def test_other_cameras_than_at_the_last_look_are_told_on_every_page_until_the_next() -> None:
    state = ruled(STEP, "cam1").session.state
    live = Live(cameras=tuple(CameraState(name, True, say("all is well")) for name in ("cam0", "cam2")))
    told = {one["id"]: one["words"] for one in table_view(GAME, state, live)["notices"]}  # type: ignore[attr-defined]
    assert "cam1 looks on no more" in told["cameras-changed"]
    assert "cam2 looks on now" in told["cameras-changed"]


def test_an_unsure_turn_is_looked_at_again_once_the_camera_that_was_missed_is_back() -> None:
    table = ruled(TOO_TALL, "cam1")
    assert table.session.state.phase is Phase.UNSURE
    assert isinstance(table.session.wish(102.0).cameras, WantsChange)
    table.receive(Captured(seen(STEP, "cam1"), 102.0))
    assert table.session.state.phase is Phase.UNSURE, "the other camera alone shows nothing new"
    table.receive(Captured(seen(STEP), 103.0))
    assert table.session.state.phase is Phase.PLAYING
    assert table.session.state.position.turn == 2


def test_an_unsure_turn_that_every_camera_saw_waits_for_people() -> None:
    table = ruled(TOO_TALL)
    assert table.session.state.phase is Phase.UNSURE
    assert not isinstance(table.session.wish(102.0).cameras, WantsChange)
