"""Falls and sweeps are told from turns and ordinary breaches."""

from __future__ import annotations

import numpy as np
import pytest

from referee.kinds.grid.judging.asking import stand
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.judge import judge
from referee.kinds.grid.judging.swept import fallen, is_swept
from referee.values.board import Board, differing_fields
from tests.kinds.grid.judging.seeing import GAME, Spot, seen

FLAT = "1111111/1111111/1111111/1111111/1111111/1111111/1111111"
STACK = "1111111/1111111/1111111/1115111/1111111/1111111/1111111"
TOWER = "1111111/1111111/1111111/1115r111/1111111/1111111/1111111"
LOW = "1111111/1111111/1111111/1112111/1111111/1111111/1111111"


def board(text: str) -> Board:
    return Board.parse(text, 7, 7, "rygb")


CASES = {
    "nothing changed": (STACK, STACK, False),
    "a tower fell in a line": (STACK, STACK.replace("1115111", "1111222"), True),
    "a tower fell beside a piece": (
        "1111111/1111111/1111111/1115y111/1111111/1111111/1111111".replace("5y", "5"),
        "1111111/1111111/1111111/2221111/1111111/1111111/1111111",
        True,
    ),
    "more than hands take, wherever it lies": (
        STACK,
        "2111111/1111111/1111111/1111111/1111111/1111111/1111112",
        True,
    ),
    "the piece went down with its stones": (
        TOWER,
        STACK.replace("5", "4").replace("1111111/1114", "1112111/1114"),
        True,
    ),
    "three taken and spread": (STACK, "2111111/1111112/1111111/1112111/1111111/2111111/1111111", False),
    "three taken and built on one stack": (STACK, STACK.replace("1115111", "1112411"), False),
    "a piece that only went away": (TOWER, STACK, False),
    "a flag that walked on": (TOWER, STACK.replace("1115111", "11151r11"), False),
    "a stone beside a low stack": (LOW, LOW.replace("1112111", "1111211"), False),
}


@pytest.mark.parametrize(("before", "after", "fell"), CASES.values(), ids=CASES)
def test_a_fall_is_told_from_what_hands_do(before: str, after: str, fell: bool) -> None:
    assert bool(fallen(board(before), board(after))) is fell


def test_where_stones_stay_one_beside_its_stack_has_fallen() -> None:
    before, after = board(LOW), board(LOW.replace("1112111", "1111211"))
    assert not is_swept(before, after)
    assert is_swept(before, after, stay=True)


def test_many_fields_at_once_are_a_sweep() -> None:
    assert is_swept(board(FLAT), board(FLAT.replace("1111111/1111111", "0000000/0000000", 1)))


def test_stones_from_nowhere_may_be_those_of_a_tower_out_of_sight() -> None:
    before = board(STACK)
    after = board("1211111/1111111/1111211/1115111/1111111/1121111/1111111")
    unseen = np.zeros((7, 7), bool)
    assert not is_swept(before, after, unseen)
    unseen[3, 3] = True
    assert is_swept(before, after, unseen)


def test_once_people_told_every_field_that_changed_the_board_is_ruled_as_seen() -> None:
    before, lying = Board.parse("511/111r", 2, 3, "rygb"), Board.parse("120/222", 2, 3, "rygb")
    context = Context.at(Spot(before))
    swept, _ = judge(GAME, context, TurnEvidence(seen(lying.text, 30.0)))
    assert (swept.kind, swept.swept) == ("unsure", True)
    known = {place: stand(lying, place) for place in differing_fields(before, lying)}
    told, _ = judge(GAME, context, TurnEvidence(seen(lying.text, 30.0), known=known))
    assert (told.kind, told.swept) == ("illegal", False)
