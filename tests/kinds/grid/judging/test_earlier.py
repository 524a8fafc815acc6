"""What changed out of sight before a turn is no ground to accuse whoever made the turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.earlier import MOST_TRIED, AccusedTurn, changed_earlier
from referee.kinds.grid.judging.explaining import MOST_BREACHES
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.judging.legality import MOST_STATES
from referee.match.hypotheses import Hypotheses
from referee.values.belief import BoardBelief, ReferenceLook
from referee.values.board import Board
from tests.kinds.grid.judging.seeing import GAME, START, Costly, Spot, seen


def context(last: BoardBelief | None) -> Context:
    """Return what is known where A2's stone is on B2 in truth, which no position that was kept says."""
    return replace(Context.at(START), reference=None if last is None else ReferenceLook(last, START.board))


HIDDEN = seen("111/211r", doubts={"A2": {}, "B2": {}})


@pytest.mark.parametrize("nats", [0.0, 0.5])
def test_a_stone_moved_out_of_sight_before_the_turn_accuses_nobody(nats: float) -> None:
    """C2's stone goes to A1: legal, although A2 and B2 come to light otherwise than they were thought to stand."""
    last = seen("111/211r", doubts={"A2": {1: nats}, "B2": {1: nats}})
    ruled, after = judge(GAME, context(last), TurnEvidence(seen("020/311r", 16.0)))
    assert ruled.kind == "unsure"
    assert ruled.ask is not None
    boards = {position.observed.text for position, _ in after.hypotheses.positions}
    assert "020/311r" in boards, "the game can go on from there"


@pytest.mark.parametrize(
    ("last", "board"),
    [
        (None, "020/311r"),  # nobody looked before
        (seen("111/211r"), "020/311r"),  # the last look showed both fields
        (seen("111/211r", doubts={"A2": {}}), "020/311r"),  # and one of them
        (HIDDEN, "144/111r"),  # stones more than there were
        (HIDDEN, "020/312r"),  # and one, beside the change out of sight
    ],
)
def test_a_breach_that_nothing_unseen_explains_is_named(last: BoardBelief | None, board: str) -> None:
    assert judge(GAME, context(last), TurnEvidence(seen(board, 16.0)))[0].kind == "illegal"


@pytest.mark.parametrize(("began", "board"), [("111/211r", "110/31r1"), ("111/211", "110/311r")])
@pytest.mark.parametrize("dark", [True, False])
def test_a_piece_that_came_out_of_sight_before_the_turn_accuses_nobody(began: str, board: str, dark: bool) -> None:
    """A1 gets C2's stone: legal. That a piece moved on, or came from a hand, the last look hardly showed, or did."""
    start = Spot(Board.parse(began, 2, 3, LETTERS))
    last = seen(began)
    if dark:
        last = replace(last, flags=np.zeros_like(last.flags))
    known = replace(Context.at(start), reference=ReferenceLook(last, start.board))
    ruled, _ = judge(GAME, known, TurnEvidence(seen(board, 16.0)))
    assert ruled.kind == ("unsure" if dark else "illegal")


def test_a_look_says_nothing_of_a_board_to_which_a_turn_led_since() -> None:
    """A turn that nobody settled may have taken A1's stone to B2: the look before it can't have shown that."""
    moved = replace(START, board=Board.parse("121/111r", 2, 3, LETTERS), turn=2)
    reference = ReferenceLook(seen("111/211r"), START.board)
    before = Context(Hypotheses(((START, 0.0), (moved, 0.0))), reference)
    ruled, after = judge(GAME, before, TurnEvidence(seen("110/221r")))
    assert ruled.before == START
    assert [position.turn for position, _ in after.hypotheses.positions] == [2], (
        "a stone more on B2 is in plain sight"
    )


class Wide(Costly):
    """The game of one cube on a board of 100 fields."""

    def observation(self, text: object) -> Board:
        return Board.parse(text, 10, 10, LETTERS)


def test_however_much_a_dark_look_hides_only_so_many_boards_are_put_to_the_rules() -> None:
    """Every stack of a board of 100 fields changed, and the look before, in the dark, shows none of them."""
    before, after = Board(np.ones((10, 10)), np.zeros((10, 10)), LETTERS), np.ones((10, 10))
    after[::2], after[1::2] = 0, 2
    game = Wide(1)
    dark = ReferenceLook(BoardBelief(np.zeros((10, 10, 6)), np.zeros((10, 10, 5)), LETTERS), before)
    breaches = [AccusedTurn(Spot(before), Board(after, np.zeros((10, 10)), LETTERS))] * MOST_BREACHES
    assert list(changed_earlier(game, breaches, dark, {})) == []
    assert game.asked == MOST_TRIED


def test_nothing_is_tried_once_the_rules_have_looked_at_enough() -> None:
    game = Costly(MOST_STATES)
    breach = AccusedTurn(START, Board.parse("020/311r", 2, 3, LETTERS))
    assert len(list(changed_earlier(game, [breach, breach], ReferenceLook(HIDDEN, START.board), {}))) == 1
    assert game.asked == 1
