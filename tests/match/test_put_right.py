"""An earlier turn is put right: the later ones are ruled again, and the record is as if it had been read right."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis.strategies import integers, lists, sampled_from

from referee.games import game_named
from referee.games.contract import RuleId, Ruling, Violation
from referee.match.commands import Command, CommandError, Name, actions, decide
from referee.match.events import (
    GameStarted,
    PutBack,
    SetupAccepted,
)
from referee.match.phases import Phase
from referee.match.state import EntryStatus, TableState
from referee.match.transitions import begin, replay, step
from referee.values.board import Board, Field
from referee.values.words import LANGUAGES, say
from tests.match.fakes import StepGame, StepPosition, start
from tests.match.steps import A1, A2, B1, B2, FIELDS, GAME, Journal, boards, higher, played

STOOD, LATE, ACCEPTED = EntryStatus.STANDS, EntryStatus.FOUND_LATE, EntryStatus.ACCEPTED
TAKEN_BACK, WITHDRAWN = EntryStatus.TAKEN_BACK, EntryStatus.WITHDRAWN


def known(state: TableState) -> list[object]:
    """Return what the record says of the game, whoever told it."""
    turns = [(one.turn, one.player, one.before, one.after, one.fate) for one in state.history]
    return [state.position, state.phase, turns, [one.ruled and one.ruled.ruling for one in state.history]]


@given(lists(sampled_from(FIELDS), min_size=2, max_size=7), integers(0, 6), sampled_from(FIELDS), integers(0, 6))
def test_it_is_as_if_it_had_been_read_right(places: list[Field], wrong: int, taken_for: Field, lasting: int) -> None:
    """The same field is read wrongly for some looks: then the others see it right, and seem to see a breach."""
    true = boards(*places)
    assume(wrong < len(true) and taken_for != places[wrong] and max(int(one.heights.max()) for one in true) < 3)
    seen = list(true)
    for at in range(wrong, min(len(true), wrong + 1 + lasting)):
        seen[at] = higher(_lower(true[at], places[wrong]), taken_for)
    game = played(seen)
    game.put_right(game.state.history[wrong].id, true[wrong])
    assert known(game.state) == known(played(true).state)
    open_ = set().union(*(entry.open for entry in game.state.history))
    assert open_ <= {places[wrong], taken_for}
    assert replay(game.events) == game.state
    before = start()
    for entry in game.state.history:
        assert entry.before == before
        assert entry.after is not None
        before = entry.after


def _lower(board: Board, place: Field) -> Board:
    height, flag = int(board.heights[place.row, place.col]), int(board.flags[place.row, place.col])
    return board.with_field(place, height - 1, flag)


class RowGame(StepGame):
    """No turn may make the upper row higher than three in all."""

    def check(self, position: StepPosition, observed: Board, *args: Any, **more: Any) -> Ruling:
        ruling = super().check(position, observed, *args, **more)
        if not ruling.legal or observed.heights[1].sum() <= max(3, position.board.heights[1].sum()):
            return ruling
        broken = Violation(RuleId("step.row"), (), say("Red"))
        return replace(ruling, legal=False, violations=(broken,), next=None)


def test_a_later_turn_that_breaks_a_rule_now_is_found_late_and_stands() -> None:
    """Red's stone on B2 was taken for one on B1, so that yellow's on A2 seemed to be allowed."""
    game = Journal(RowGame())
    for board in boards(B1, A2, A1):
        game.goes_on(board)
    assert game.fates == [STOOD] * 3
    game.put_right(1, boards(B2)[0])
    assert game.fates == [STOOD, LATE, STOOD]
    one, late, _ = game.state.history
    assert one.anew is not None
    assert late.anew is not None
    assert (one.anew.said, late.anew.said) == (True, False)
    assert (one.by, one.by_hand) == ("Tablet", True)
    assert late.anew.given.verdict.value == "legal"
    assert late.ruled is not None
    assert late.ruled.verdict.value == "illegal"
    assert game.state.position.observed == boards(B2, A2, A1)[-1]
    assert game.state.phase is Phase.PLAYING
    assert replay(game.events) == game.state


def test_what_was_read_otherwise_than_told_is_open() -> None:
    """B1 was read high when it was not, and still is: who put a stone there, if anybody, is not known."""
    first = boards(B2)[0]
    game = played([higher(first, B1), higher(first, B1, A2)])
    game.put_right(1, first)
    assert game.fates == [STOOD, STOOD]
    assert game.state.history[1].open == {B1}
    assert game.state.turn.left_open.lost == {B1}


def test_an_accusation_that_was_none_is_withdrawn() -> None:
    """Red's turn was read wrongly; yellow's was called a breach, taken back and played otherwise."""
    first = boards(B2)[0]
    game = played(boards(B1))
    game.read(higher(first, A2))
    assert game.state.phase is Phase.VIOLATION
    game.happen(PutBack(""))
    game.goes_on(boards(B1, A1)[1])
    assert game.fates == [STOOD, TAKEN_BACK, STOOD]
    game.put_right(1, first)
    assert game.fates == [STOOD, WITHDRAWN, STOOD]
    assert game.state.position.board.text == higher(first, A1).text


def test_a_turn_that_waits_is_ruled_on_again() -> None:
    first = boards(B2)[0]
    game = played(boards(B1))
    game.read(higher(first, A2))
    assert game.state.phase is Phase.VIOLATION
    game.put_right(1, first)
    assert game.state.phase is Phase.RULING
    game.happen(game.judge(game.state))
    assert game.state.phase is Phase.PLAYING
    assert game.fates == [STOOD, WITHDRAWN, STOOD]
    assert game.state.position.board == higher(first, A2)


def test_the_fields_of_a_later_board_that_did_not_change_are_as_they_are_known_now() -> None:
    game = played(boards(B1, A2, A1))
    for entry in game.state.history[1:]:
        assert not entry.by_hand
    game.put_right(1, boards(B2)[0])
    assert game.state.position.board == boards(B2, A2, A1)[-1]
    assert game.fates == [STOOD] * 3
    assert all(entry.by_hand for entry in game.state.history)


def test_it_says_which_fields_differed() -> None:
    game = played(boards(B1, A2))
    game.happen(*game.decide(entry=1, fields={"B2": "2r"}))
    assert game.state.history[0].after is not None
    assert game.state.history[0].after.observed == boards(B2)[0]


def test_a_turn_that_ends_the_game_ends_it() -> None:
    """Turn 3 made the tower of four that nobody saw."""
    game = played(boards(B2, A2, A1))
    top = higher(boards(B2, A2)[-1], B2, B2)
    game.put_right(3, top)
    assert game.fates == [STOOD, STOOD, LATE]
    assert (game.state.phase, game.state.position.finished) == (Phase.FINISHED, True)
    assert Name.PUT_RIGHT in actions(game.state, GAME)
    game.put_right(3, boards(B2, A2, A1)[-1])
    assert (game.state.phase, game.fates) == (Phase.PLAYING, [STOOD] * 3)
    assert replay(game.events) == game.state


def test_what_was_put_right_wrongly_is_put_right_again() -> None:
    """The later turn is judged by its own reading each time, never by what was made of it meanwhile."""
    game = played(boards(B2, A2, A1))
    as_ruled = known(game.state)
    game.put_right(1, boards(B1)[0])
    assert game.state.history[1].open == {B1, B2}
    game.put_right(2, higher(boards(B1)[0], A1))
    game.put_right(1, boards(B2)[0])
    one, two, three = game.state.history
    assert two.after is not None
    assert two.after.observed == higher(boards(B2)[0], A1)
    assert (one.by_hand, two.by_hand, three.by_hand) == (True, True, False)
    game.put_right(2, boards(B2, A2)[1])
    assert known(game.state) == as_ruled
    assert not any(entry.open for entry in game.state.history)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"entry": 9, "board": "12r/1y1"}, "no turn"),
        ({"entry": 2, "board": "12r/1y1"}, "no turn"),
        ({"entry": "1", "board": "12r/1y1"}, "must be a number"),
        ({"entry": 1, "board": "12r"}, "board"),
        ({"entry": 1, "fields": {"Z9": "2"}}, "Z9"),
        ({"entry": 1, "board": "11r/1y2"}, "nothing was changed"),
        ({"entry": 1, "board": "14r/1y2"}, "Then turn 2 would not be yellow’s"),
        ({"entry": 1, "board": "11/11"}, "flags"),
    ],
)
def test_what_can_t_be_is_refused_and_changes_nothing(arguments: dict[str, object], told: str) -> None:
    game = played(boards(B1))
    game.read(higher(boards(B2)[0], A2))
    game.happen(PutBack(""))
    game.goes_on(boards(B1, A1)[1])
    with pytest.raises(CommandError) as refused:
        game.decide(**arguments)
    assert told.lower() in str(refused.value).lower()


@pytest.mark.parametrize(
    ("name", "choice"), [("turris", {"edition": "fr", "seats": {"south": "light", "north": "dark"}})]
)
def test_other_kinds_say_that_they_cannot(name: str, choice: dict[str, object]) -> None:
    game = game_named(name)
    state = step(begin(GameStarted(game.new_game(choice))), SetupAccepted(""))
    assert Name.PUT_RIGHT not in actions(state, game)
    with pytest.raises(CommandError) as refused:
        decide(Command("put_right", {"entry": 1}), state, game)
    assert refused.value.code == "kind"
    said = [refused.value.words.text(language) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)


def test_one_player_s_own_device_may_not() -> None:
    game = played(boards(B1))
    with pytest.raises(CommandError):
        decide(Command("put_right", {"entry": 1, "board": "12r/1y1"}, player="red"), game.state, GAME, game.judge)
