"""What whole boards weigh: an oddness pays for a breach no more than it costs itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.games.answers import UNNAMED
from referee.kinds.grid.judging.boards import weigh_boards
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import EFFORT, judge
from referee.match.hypotheses import Hypotheses
from referee.values.belief import BoardBelief, Habits, Prior
from referee.values.board import Field
from tests.kinds.grid.judging.seeing import GAME, START, Costly, OneCube, Spot, seen


def test_a_piece_that_is_seen_elsewhere_has_not_vanished() -> None:
    """Somebody moved the flag from C1 to A2, which breaks as many rules as taking it off the board."""
    moved = "1r11/211"
    weighed = weigh_boards(GAME, START, seen(moved, 7.0), EFFORT)
    assert weighed.explanations[0].board.text == moved


class Sparing(OneCube):
    """The game of one cube, which says of its turns how many fields they change."""

    def prior_after(self, position: Spot) -> Prior:
        return replace(super().prior_after(position), habits=Habits((0.95, 0.02), 0.02, most_fields=2))


def test_a_breach_of_more_fields_than_turns_change_is_taken_for_no_other_turn() -> None:
    """Two cubes went from A1: no turn changes three fields, and none that changes two lies there."""
    two_moved = "221/011r"
    weighed = weigh_boards(Sparing(), START, seen(two_moved, 7.0), EFFORT)
    first = weighed.explanations[0]
    assert (first.board.text, first.rules) == (two_moved, {UNNAMED})


@pytest.mark.parametrize(("nats", "ruled"), [(3.0, "1r11/211"), (-3.0, "111/211")])
def test_a_piece_hardly_seen_where_it_came_to_has_not_vanished(nats: float, ruled: str) -> None:
    """What is seen of A2 alone says where the flag from C1 is: there or, where it is not, nowhere."""
    belief = seen("111/211", 20.0)
    flags = belief.flags.copy()
    flags[Field.from_name("A2")][1] = 20.0 + nats
    weighed = weigh_boards(GAME, START, replace(belief, flags=flags), EFFORT)
    assert weighed.explanations[0].board.text == ruled


@pytest.mark.parametrize("seed", range(4))
def test_listing_fewer_boards_does_not_change_which_come_first(seed: int) -> None:
    """With room for few boards listing ends early: what is weighed is the beginning of what all of them give."""
    rnd = np.random.default_rng(seed)
    sharp = seen("1r11/211", 2.0)
    faint = BoardBelief(
        sharp.heights + rnd.normal(0, 1, sharp.heights.shape),
        sharp.flags + rnd.normal(0, 1, sharp.flags.shape),
        sharp.letters,
    )
    wide = replace(EFFORT, breach_nats=0.0, near_nats=5.0)
    few = weigh_boards(GAME, START, faint, replace(wide, most_boards=6))
    all_of_them = weigh_boards(GAME, START, faint, replace(wide, most_boards=10_000))
    assert few.overlooked > -np.inf
    first = {one.board: one.score for one in all_of_them.explanations}
    assert first
    for one in few.explanations:
        assert first[one.board] == one.score
    left = [one for one in all_of_them.explanations if one.board not in {seen.board for seen in few.explanations}]
    assert all(one.score <= few.overlooked for one in left)


@pytest.mark.parametrize(("most", "asked"), [(1, 1), (150_000, 3)])
def test_boards_are_put_to_the_rules_for_so_many_states(most: int, asked: int) -> None:
    """What no states are left for may be a legal turn, so it is overlooked."""
    game = Costly()
    weighed = weigh_boards(game, START, seen("1r11/211", 1.0), replace(EFFORT, most_states=most))
    assert (game.asked, weighed.states) == (asked, 50_000 * asked)
    assert weighed.overlooked > -np.inf


def test_all_positions_together_have_so_many_states() -> None:
    """Nobody is accused where the rules were not asked about enough boards."""
    game = Costly()
    context = Context(Hypotheses(tuple((replace(START, turn=turn), 0.0) for turn in range(1, 31))))
    found, _ = judge(game, context, TurnEvidence(seen("1r11/211", 1.0)))
    assert found.kind == "unsure"
    assert found.ask is not None
    assert game.asked < 10
