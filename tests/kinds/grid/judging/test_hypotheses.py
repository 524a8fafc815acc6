"""Positions that could not be told apart are carried on until a picture decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import judge
from referee.match.hypotheses import Hypotheses
from referee.values.belief import ReferenceLook, Unchanged, corrected
from referee.values.board import Board, Field
from tests.kinds.grid.judging.following import follow
from tests.kinds.grid.judging.seeing import GAME, START, seen


def test_after_an_open_turn_a_legal_one_from_either_position_is_believed() -> None:
    moved = replace(START, board=Board.parse("121/111r", 2, 3, LETTERS), turn=2)
    track = Hypotheses(((START, 0.0), (moved, -0.5)))
    verdict, after = follow(GAME, track, seen("122/011r"), None)
    assert verdict.kind == "legal"
    assert after.likeliest.turn == 3
    verdict, after = follow(GAME, track, seen("112/201r"), None)
    assert verdict.kind == "legal"
    assert after.likeliest.turn == 2
    verdict, after = follow(GAME, track, seen("144/111r", 30.0), None)
    assert verdict.kind == "illegal"
    assert {position.turn for position, _ in after.positions} <= {1, 2}


def test_an_unseen_stack_is_left_open_and_settled_later() -> None:
    """A cube appears on B2; whether it came from A1 or from C2, neither of which can be seen, is not known."""
    hidden: dict[int, float] = {}
    first = seen("121/211r", 12.0, {"A1": hidden, "C2": hidden})
    verdict, track = follow(GAME, Hypotheses.at(START), first, None)
    assert verdict.kind == "legal"
    assert {position.board.text for position, _ in track.positions} == {"121/111r", "120/211r"}
    verdict, track = follow(GAME, track, seen("130/201r"), None)
    assert verdict.kind == "legal"
    assert [position.board.text for position, _ in track.positions] == ["130/201r"]


def test_what_was_misread_on_a_known_board_is_no_sign_of_a_change() -> None:
    known = Board.parse("111/211r", 2, 3, LETTERS)
    crooked = seen("111/211r", doubts={"B2": {1: 0.0, 2: 9.0}})
    now = corrected(crooked, ReferenceLook(crooked, known))
    place = Field.from_name("B2")
    assert now.heights[place.row, place.col, 2] == now.heights[place.row, place.col, 1]
    clear = seen("121/211r", 20.0)
    now = corrected(clear, ReferenceLook(crooked, known))
    assert now.heights[place.row, place.col].argmax() == 2


def test_the_game_goes_on_from_what_was_ruled() -> None:
    """From the likelier position the turn breaks the rule, from the other it is legal: that is ruled, and goes on."""
    moved = replace(START, board=Board.parse("121/111r", 2, 3, LETTERS), turn=2)
    track = Hypotheses(((START, 0.0), (moved, -1.0)))
    verdict, after = follow(GAME, track, seen("031/111r", 14.0), None)
    assert verdict.ruling is not None
    assert after.likeliest == verdict.ruling.next


@pytest.mark.parametrize("lead", [2.0, 4.5])
def test_a_misread_turn_is_not_held_against_the_next(lead: float) -> None:
    """The first turn took A1's cube, but C2 seemed to have given it. The second is legal from what really stood."""
    doubts = {"A1": {1: 10.0, 2: 10.0 + lead}, "C2": {0: 10.0, 1: 10.0}}
    verdict, track = follow(GAME, Hypotheses.at(START), seen("120/211r", doubts=doubts), None)
    assert verdict.kind == "legal"
    assert verdict.observed == "120/211r"
    reference = ReferenceLook(seen("120/211r", doubts=doubts), Board.parse(verdict.observed, 2, 3, LETTERS))
    verdict, _ = follow(GAME, track, seen("122/011r", 14.0), reference)
    assert verdict.kind != "illegal"


def test_a_breach_from_every_position_is_still_found() -> None:
    doubts = {"A1": {1: 13.0, 2: 15.0}, "C2": {0: 13.0, 1: 13.0}}
    _, track = follow(GAME, Hypotheses.at(START), seen("120/211r", 13.0, doubts), None)
    assert len(track.positions) == 2
    verdict, _ = follow(GAME, track, seen("144/111r", 30.0), None)
    assert verdict.kind == "illegal"


def test_what_was_assumed_and_was_not_so_is_told_of_later() -> None:
    """A cube came onto B2 and C2, nobody sees, is taken to have given it; later C2 shows that it didn't."""
    context = Context.at(START)
    hidden = seen("121/211r", doubts={"A1": {2: 10.0}, "C2": {}})
    first, context = judge(GAME, context, TurnEvidence(hidden))
    assert first.kind == "legal"
    assert [one.field.name for one in first.assumed] == ["C2"]
    assert context.suspicions
    later, context = judge(GAME, context, TurnEvidence(seen("122/201r", 14.0)))
    assert later.late is not None
    assert (later.late.turn, later.late.player.word) == (1, "red")
    assert not context.suspicions or all(one.late != later.late for one in context.suspicions)


def test_what_was_a_guess_on_an_illegal_board_is_no_proof_in_the_next_look() -> None:
    """A1 could hardly be seen when a breach was ruled; that it looks the same now says nothing of how high it is."""
    guessed = seen("143/111r", 16.0, {"A1": {1: 15.0, 2: 10.0}})
    first, context = judge(GAME, Context.at(START), TurnEvidence(guessed))
    assert first.kind == "illegal"
    assert Field.from_name("A1") in first.open
    same = Unchanged(np.full((2, 3), 4.5), np.full((2, 3), 4.5))
    again = seen("120/211r", 16.0, {"A1": {1: 15.0, 2: 10.0}})
    second, _ = judge(GAME, context, TurnEvidence(again, same))
    assert second.kind == "legal"
    assert second.observed == "120/211r"
    believed = (
        replace(context, reference=replace(context.reference, open=frozenset())) if context.reference else context
    )
    assert judge(GAME, believed, TurnEvidence(again, same))[0].kind != "legal"
