"""A game of which nothing need be seen, at the live table: what is declared is ruled on as soon as a turn ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on, start_journal
from referee.games import package_named
from referee.games.record import parse_record
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.view import table_view
from tests.match.loops import QuickJournal, told

PACKAGE = package_named("terrabilis")


class Bank:
    """A loop without eyes, at the game of the playthrough."""

    def __init__(self, path: Path) -> None:
        assert PACKAGE.playthrough is not None
        self.record = parse_record(PACKAGE.playthrough.read_text(encoding="utf-8"))
        self.journal = QuickJournal(path)
        start = GameStarted(PACKAGE.records.start(self.record), "test")
        self.desk, self.board = CommandQueue(), ViewPublisher()
        self.loop = self.on(start_journal(self.journal, start))
        assert self.tell("begin")

    def on(self, book: GameJournal) -> TurnLoop:
        return TurnLoop(PACKAGE.game, TableSight(), book, self.desk, self.board.publish)

    def tell(self, name: str, **arguments: object) -> bool:
        return told(self.loop, self.desk, name, **arguments).accepted

    def taken_up(self) -> TurnLoop:
        state = carried_on(self.journal, PACKAGE.game)
        assert state is not None
        return self.on(GameJournal(self.journal, state))


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    return Bank(tmp_path / "j")


def test_a_whole_game_is_ruled_on_by_what_is_declared(bank: Bank) -> None:
    position = bank.loop.state.position
    for entry in bank.record.turns:
        ruling = PACKAGE.records.play(position, entry)
        assert bank.tell("turn_ended", declared=PACKAGE.records.declared(entry))
        last = bank.loop.state.last
        assert last is not None
        assert last.ruled is not None
        assert last.ruled.ruling == ruling
        assert ruling.next is not None
        position = ruling.next
        assert bank.loop.state.position.to_json() == position.to_json()
    assert bank.loop.state.look == len(bank.record.turns)


def test_nothing_declared_can_not_be_ruled_on_and_is_told_at_once(bank: Bank) -> None:
    outcome = told(bank.loop, bank.desk, "turn_ended")
    assert (outcome.accepted, outcome.code) == (False, "declared")
    assert outcome.words is not None
    assert "declare the dice" in outcome.words.text()
    assert bank.loop.state.phase is Phase.PLAYING


def test_what_was_counted_wrong_is_left_out_with_one_touch(bank: Bank) -> None:
    acts = PACKAGE.records.declared(bank.record.turns[0])["acts"]
    assert bank.tell("turn_ended", declared={"acts": f"{acts}; count money=1", "seen": "zone.green=9"})
    assert bank.loop.state.phase is Phase.UNSURE
    shown = table_view(PACKAGE.game, bank.loop.state)
    counted, compared = shown["doubt"]["ways"]
    assert counted["name"].endswith("counted wrong: leave the count out")
    assert "Choose what it was" in shown["banner"]["advice"]
    assert bank.tell("declare", declared=counted["declared"])
    assert bank.loop.state.phase is Phase.UNSURE  # what lies on the table still differs
    (left,) = table_view(PACKAGE.game, bank.loop.state)["doubt"]["ways"]
    assert left["name"] == compared["name"]
    assert bank.tell("declare", declared=left["declared"])
    assert bank.loop.state.phase is Phase.PLAYING
    assert bank.loop.state.history[-1].counts


UNREADABLE = ("count money=-5", "count money=1.5", "install nothing-of-the-kind", "roll 7+7", "sing")


@pytest.mark.parametrize("more", UNREADABLE)
def test_what_can_not_be_read_is_refused_and_leaves_the_turn_as_it_was(bank: Bank, more: str) -> None:
    assert bank.tell("declare", declared={"acts": "roll 1+2"})
    outcome = told(bank.loop, bank.desk, "declare", declared={"acts": f"roll 1+2; {more}"})
    assert not outcome.accepted
    assert outcome.words is not None
    assert bank.loop.state.turn.declared == {"acts": "roll 1+2"}


def test_ended_in_its_middle_it_is_told_what_is_still_to_come_and_goes_on(bank: Bank) -> None:
    assert bank.tell("turn_ended", declared={"acts": "roll 1+2"})  # a development space: cards are still to come
    state = bank.loop.state
    assert (state.phase, state.history[-1].player) == (Phase.UNSURE, state.position.to_move)
    view = bank.board.snapshot()
    assert view["banner"]["headline"] == "This turn is not over yet"
    assert "infrastructure is drawn" in view["banner"]["detail"]
    assert [action["id"] for action in view["actions"] if action["first"]][:2] == ["not_ended", "turn_over"]
    assert bank.taken_up().banner.headline == bank.loop.banner.headline
    assert bank.tell("not_ended")
    assert bank.loop.state.phase is Phase.PLAYING
    assert bank.loop.state.turn.declared == {"acts": "roll 1+2"}  # nothing told has to be told again


def test_ended_in_its_middle_for_good_it_is_ruled_on(bank: Bank) -> None:
    assert bank.tell("turn_ended", declared={"acts": "roll 1+2"})
    assert bank.tell("turn_over")
    assert bank.loop.state.phase is Phase.VIOLATION


def test_an_act_that_can_not_be_made_is_a_breach_at_once(bank: Bank) -> None:
    assert bank.tell("turn_ended", declared={"acts": "roll 1+2; roll 1+2"})
    assert bank.loop.state.phase is Phase.VIOLATION


def test_killed_before_the_ruling_it_rules_all_the_same(bank: Bank, tmp_path: Path) -> None:
    entry = bank.record.turns[0]
    assert bank.tell("turn_ended", declared=PACKAGE.records.declared(entry))
    whole = [(one.kind, one.data) for one in bank.journal.entries()]
    assert whole[-1][0] == "ruling"
    bank.journal = QuickJournal(tmp_path / "cut")
    for kind, data in whole[:-1]:
        bank.journal.append(kind, data)
    loop = bank.taken_up()
    assert loop.state.phase is Phase.RULING
    loop.round()
    assert [(one.kind, one.data) for one in bank.journal.entries()] == whole


def test_what_is_entered_stays_when_somebody_else_gives_up(bank: Bank) -> None:
    state = bank.loop.state
    assert bank.tell("enter", turn=state.position.turn, field="acts", value="roll 1+2")
    another = next(seat for seat in PACKAGE.game.seats(state.position) if seat.colour is not state.position.to_move)
    assert bank.tell("resign", player=another.colour.word)
    assert bank.loop.state.turn.declared == {"acts": "roll 1+2"}


def test_a_draft_that_no_journal_can_hold_is_refused(bank: Bank) -> None:
    turn = bank.loop.state.position.turn
    assert not bank.tell("draft", turn=turn, option="x", values={"a": float("nan")})
    assert bank.tell("draft", turn=turn, option="x", values={"a": 1})
