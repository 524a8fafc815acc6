"""A turn that is a breach only because of fields nobody knows is asked about before anybody is accused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.games.contract import RequestError, RuleId, Ruling, Violation
from referee.games.terra_turrium.colours import LETTERS
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.decision import Judgement
from referee.kinds.grid.judging.earlier import AccusedTurn
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.judging.resting import MOST_TRIED, rests_on
from referee.values.belief import BoardBelief, ReferenceLook
from referee.values.board import Board, Field
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.words import verbatim
from tests.kinds.grid.judging.seeing import OneCube, Spot, seen

START = Spot(Board.parse("111/111r", 2, 3, LETTERS))
A1, A2, B2 = (Field.from_name(name) for name in ("A1", "A2", "B2"))


class Interior(OneCube):
    """The game of one cube in which none is taken from A1 beside a stack on A2 or a piece on B2.

    Positions hold as many stones as there are.
    """

    def __init__(self) -> None:
        self.asked = 0

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        self.asked += 1
        told, before = super().check(position, observed, frames, declared), position.board
        inside = before.heights[A2] > 0 or before.flags[B2] > 0
        if not inside or observed.heights[A1] >= before.heights[A1]:
            return told
        broken = (*told.violations, Violation(RuleId("take.interior"), (A1,), verbatim("take.interior")))
        return Ruling(False, broken, (), (), None, None)

    def corrected(self, position: Spot, changes: Mapping[str, object]) -> Spot:
        after = super().corrected(position, changes)
        if after.board.heights.sum() != position.board.heights.sum():
            raise RequestError("board", "as many stones as there were")
        return after


def dim(*names: str) -> dict[str, dict[int, float]]:
    """Return doubts that leave fields hardly seen, not out of sight: with a third of them dark nobody is accused."""
    return {name: {1: 1.5} for name in names}


def ruled(
    last: BoardBelief, now: BoardBelief, *lost: Field, known: Mapping[Field, tuple[int, int]] | None = None
) -> Judgement:
    """Rule on a stone that went from A1 to C2 while A2 is thought to be built on."""
    context = replace(Context.at(START), reference=ReferenceLook(last, START.board), lost=frozenset(lost))
    return judge(Interior(), context, TurnEvidence(now, known=known or {}))[0]


BEFORE, AFTER = "111/111r", "112/011r"


def test_a_field_that_was_lost_sight_of_is_asked_after_before_it_accuses() -> None:
    """A2's stone may lie on B2 since some turns: then A1 is no interior stack."""
    said = ruled(seen(BEFORE, doubts=dim("A2", "B2")), seen(AFTER, 16.0, dim("A2", "B2")), A2, B2)
    assert (said.kind, said.doubts, said.swept) == ("unsure", (A2, B2), False)
    assert said.ask is not None
    assert (said.ask.field, said.ask.answers) == (A2, ((1, 0), (0, 0)))


@pytest.mark.parametrize(
    ("last", "now", "lost", "known"),
    [
        (dim("A2", "B2"), dim("A2", "B2"), (), {}),  # nothing was dropped
        (dim("A2", "B2"), {}, (A2, B2), {}),  # both are seen now
        ({}, dim("A2", "B2"), (A2, B2), {}),  # both were seen before
        (dim("A2"), dim("A2"), (A2, B2), {}),  # no stone can have come to B2
        (dim("A2", "B2"), dim("A2", "B2"), (A2, B2), {A2: (1, 0)}),  # somebody says that it stands there
    ],
)
def test_what_is_known_accuses(
    last: dict[str, dict[int, float]],
    now: dict[str, dict[int, float]],
    lost: tuple[Field, ...],
    known: dict[Field, tuple[int, int]],
) -> None:
    said = ruled(seen(BEFORE, doubts=last), seen(AFTER, 16.0, now), *lost, known=known)
    assert said.kind == "illegal"


def test_a_piece_that_may_have_gone_acquits_by_itself() -> None:
    """A piece goes to the hand, or comes from there, so nothing needs to make up for it."""
    start = Spot(Board.parse("01r1/111", 2, 3, LETTERS))
    turn = AccusedTurn(start, Board.parse("01r2/011", 2, 3, LETTERS))
    shown = seen("01r2/011")
    hidden = replace(shown, flags=np.zeros_like(shown.flags))
    found = rests_on(Interior(), turn, frozenset({B2}), (hidden, hidden), {})
    assert found == {B2: ((1, 1), (1, 0))}
    assert rests_on(Interior(), turn, frozenset({B2}), (hidden, shown), {}) == {}


class Wide(Interior):
    """The same on a board of 100 fields."""

    def observation(self, text: object) -> Board:
        return Board.parse(text, 10, 10, LETTERS)


def test_only_so_many_boards_are_put_to_the_rules() -> None:
    """Nothing is seen of a hundred fields, each of which may hold a stone less or more."""
    heights, flags, game = np.ones((10, 10)), np.zeros((10, 10)), Wide()
    after = heights.copy()
    after[A1], after[9, 9] = 0, 2
    turn = AccusedTurn(Spot(Board(heights, flags, LETTERS)), Board(after, flags, LETTERS))
    nothing = BoardBelief(np.zeros((10, 10, 6)), np.zeros((10, 10, 5)), LETTERS)
    assert rests_on(game, turn, frozenset(turn.after.fields), (nothing, nothing), {}).keys() == {A2}
    assert game.asked == MOST_TRIED
