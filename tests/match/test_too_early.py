"""A press too early: nothing has changed on the board, so nobody's turn is passed and no act is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import package_named
from referee.games.contract import Ruling
from referee.games.record import parse_record
from referee.match.commands import Command, Name, actions, decide, last_not_ended
from referee.match.events import GameStarted, LookTaken, SetupAccepted, TurnRuled
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from tests.match.looking import GAME, At
from tests.match.rulings import reading


@pytest.fixture
def at(tmp_path: Path) -> At:
    found = At(tmp_path / "game.journal")
    assert found.tell("begin")
    found.shows("11r/1y1")
    return found


def test_the_players_are_asked(at: At) -> None:
    at.ends("11r/1y1")
    assert at.phase is Phase.UNSURE
    assert at.loop.state.unchanged
    assert at.loop.banner.headline.text() == "Nothing has changed on the board"
    assert at.loop.banner.headline.text("de") != at.loop.banner.headline.text()
    assert "Red" in at.loop.banner.detail[0].text()
    offered = actions(at.loop.state, GAME)
    assert Name.TURN_OVER in offered
    assert Name.NOT_ENDED in offered
    assert Name.ACCEPT not in offered


def test_the_real_move_is_put_to_the_player_who_makes_it(at: At) -> None:
    at.ends("11r/1y1")
    assert at.tell("look_again")
    at.shows("11r/1y1")
    assert at.phase is Phase.UNSURE  # pressed twice: still the same question
    assert at.tell("not_ended")
    at.ends("12r/1y1")
    assert at.phase is Phase.PLAYING
    last = at.loop.state.history[-1]
    assert (last.player.word, last.counts, at.loop.state.position.to_move.word) == ("red", True, "yellow")


def test_a_turn_over_without_a_change_is_ruled_on(at: At) -> None:
    """In this game a stone must come: the confirmed turn is a breach, and no act is written."""
    at.ends("11r/1y1")
    assert at.tell("turn_over")
    assert at.phase is Phase.VIOLATION
    ruled = at.loop.state.history[-1].ruled
    assert ruled is not None
    assert ruled.ruling is not None
    assert [violation.rule for violation in ruled.ruling.violations] == ["step.one"]
    (goes_on,) = [offered for offered in at.view["actions"] if offered["id"] == "put_back"]
    assert goes_on["words"] == "The turn goes on"  # nothing was done, so nothing can be put back
    assert at.tell("put_back")
    assert at.phase is Phase.PLAYING
    assert at.loop.banner.headline.text() == "Play goes on"


def test_what_was_too_much_is_taken_back_and_looked_at_again(at: At) -> None:
    at.ends("22r/1y1")
    assert at.phase is Phase.VIOLATION
    at.shows("12r/1y1")
    assert at.tell("look_again")
    assert at.phase is Phase.PLAYING
    assert at.loop.state.history[-1].counts


def test_it_cannot_be_confirmed_unasked(at: At) -> None:
    assert not at.tell("turn_over")
    at.ends("12r/1y1")
    assert not at.tell("turn_over")


def test_a_restart_keeps_the_question(at: At, tmp_path: Path) -> None:
    at.ends("11r/1y1")
    again = At(tmp_path / "x.journal", journal=at.journal)
    assert again.loop.state == at.loop.state
    assert again.loop.state.unchanged


def test_the_turn_before_had_not_ended() -> None:
    """Green's empty turn was let stand; the next board shows Green's move, and Yellow is not told to take it back."""
    package = package_named("terra-turrium")
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    start = package.records.start(record)
    moved = package.records.play(start, record.turns[0]).next
    assert moved is not None
    state = begin(GameStarted(start))
    empty = package.game.check(start, start.observed)
    assert empty.legal
    assert empty.next is not None
    for event in (
        SetupAccepted("tablet"),
        LookTaken(1),
        reading(),
        ruled_as(start.observed.text, empty),
        LookTaken(2),
    ):
        state = step(state, event)
    breach = package.game.check(empty.next, moved.observed)
    assert not breach.legal
    state = step(step(state, reading()), ruled_as(moved.observed.text, breach))
    found = last_not_ended(state, package.game)
    assert found is not None
    assert found.player.word == "green"
    assert Name.LAST_NOT_ENDED in actions(state, package.game)
    undone, look = decide(Command("last_not_ended", by="tablet"), state, package.game)
    state = step(step(state, undone), look)
    assert (state.phase, state.position.to_move.word, state.position.turn) == (Phase.READING, "green", 1)


def test_a_breach_after_a_real_turn_is_a_breach() -> None:
    package = package_named("terra-turrium")
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    start = package.records.start(record)
    played = package.records.play(start, record.turns[0])
    assert played.next is not None
    state = begin(GameStarted(start))
    text = played.next.observed.text
    for event in (SetupAccepted("tablet"), LookTaken(1), reading(), ruled_as(text, played), LookTaken(2), reading()):
        state = step(state, event)
    breach = package.game.check(played.next, start.observed)
    assert not breach.legal
    state = step(state, ruled_as(start.observed.text, breach))
    assert last_not_ended(state, package.game) is None


def ruled_as(text: str, ruling: Ruling) -> TurnRuled:
    return TurnRuled.by_rules(text, ruling)


def test_a_question_is_answered_in_one_tap(at: At) -> None:
    at.ends("71r/1y1")  # what looks seven high is in doubt: B1... is asked for
    assert at.phase is Phase.UNSURE
    turn = at.loop.state.open_turn
    assert turn is not None
    assert turn.ruled is not None
    assert turn.ruled.unsure is not None
    assert turn.ruled.unsure.ask is not None
    assert not at.tell("tell", field="Z9", stands="2")
    assert not at.tell("tell", field="A2", stands="many")
    assert at.tell("tell", field="A2", stands="2")
    assert at.phase is Phase.PLAYING
    assert at.loop.state.position.observed.text == "21r/1y1"
    said = [entry for entry in at.journal.entries() if entry.kind == "field_told"]
    assert [dict(entry.data)["stands"] for entry in said] == ["2"]
    assert at.loop.state.turn.end.known == {}


def test_nobody_is_a_witness_unasked(at: At) -> None:
    assert not at.tell("tell", field="A2", stands="2")
