"""A ruling made while a fixed camera showed nothing says so, keeps it in the journal, and shows it everywhere."""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import ReadingMade
from referee.match.live import CameraState, Live
from referee.session.said import LookGiven
from referee.values.words import say
from referee.view import table_view
from tests.session.sessions import GAME, STEP, TWO_STEPS, Table, capture

SAID = "Ruled on without cam1: cam1 sent no pictures."


def ruled(text: str, *out: str) -> Table:
    table = Table()
    troubles = {name: say("{camera} sent no pictures.", camera=name) for name in out}
    table.receive(LookGiven(replace(capture(text), troubles=troubles)))
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
