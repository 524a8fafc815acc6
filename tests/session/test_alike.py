"""How a turn came about does not matter: what is handed over to it decides, with what is seen of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import event, given
from hypothesis.strategies import integers, lists, permutations, sampled_from

from referee.match.events import CalledOff, ChangedUnseen, FieldTold, Paused, PutBack, Resumed, Undone, Verdict
from referee.match.phases import Phase
from referee.values.board import Board, Field
from tests.kinds.grid.judging.seeing import START
from tests.session.hidden import HiddenTable, Sight
from tests.session.onecube import ThreePlay

FIELDS = [Field(row, col) for row in range(2) for col in range(3)]
Way = Sequence[Field]
"""Fields in some order: the first on which a cube lies that may go to the last."""


def moved(board: Board, way: Way, cubes: int = 1) -> Board:
    """Return a board on which cubes went one way."""
    start = next(place for place in way[:-1] if board.heights[place.row, place.col])
    for place, change in ((start, -cubes), (way[-1], cubes)):
        height = max(0, int(board.heights[place.row, place.col]) + change)
        board = board.with_field(place, height, int(board.flags[place.row, place.col]))
    return board


def _too_early(table: HiddenTable) -> None:
    board = table.state.position.observed
    table.draw(board)
    if table.looked().verdict is Verdict.LEGAL:  # another board may have stood, from which this is a turn
        table.happen(Undone("", table.state.history[-1].id), PutBack(""))
        return
    if table.newest.reading is not None and table.state.phase is Phase.UNSURE:
        table.happen(FieldTold("", "A1", board.stands(Field(0, 0))))
        if table.rule().verdict is Verdict.LEGAL:
            table.happen(Undone("", table.state.history[-1].id), PutBack(""))
            return
    table.happen(PutBack("") if table.state.phase is Phase.VIOLATION else CalledOff(""))


def _broken_by_hand(table: HiddenTable) -> None:
    assert table.given("555/555r").verdict is not Verdict.LEGAL
    table.happen(PutBack("") if table.state.phase is Phase.VIOLATION else CalledOff(""))


def _interrupted(table: HiddenTable) -> None:
    table.happen(Paused(""), Resumed(""), ChangedUnseen())


MEANWHILE = (_too_early, _broken_by_hand, _interrupted)


@given(
    integers(0, 1000),
    lists(permutations(FIELDS), min_size=1, max_size=4),
    lists(sampled_from(MEANWHILE), min_size=1, max_size=3),
    sampled_from((1, 1, 2)),
)
def test_turns_that_begin_alike_are_ruled_alike(
    seed: int, ways: list[Way], meanwhile: list[Callable[[HiddenTable], None]], cubes: int
) -> None:
    table = HiddenTable(ThreePlay(), START, Sight(0.5, 0.1), random.Random(seed))
    board = START.board
    for way in ways[:-1]:
        after = moved(board, way)
        table.draw(after)
        if table.looked().verdict is Verdict.LEGAL:
            board = after
        else:
            table.happen(PutBack("") if table.state.phase is Phase.VIOLATION else CalledOff(""))
    begun, handed = table.session, table.state.turn
    event(f"{len(handed.left_open.track)} positions, {len(handed.left_open.suspicions)} suspicions")
    table.session = begun.fork()
    for one in meanwhile:
        one(table)
    assert replace(table.state.turn, unseen=False) == handed
    table.draw(moved(board, ways[-1], cubes))
    ruled = table.looked()
    event(ruled.verdict.value)
    table.session = begun
    assert table.looked() == ruled
    table.begin(handed)  # of the turns before nothing is known any more
    assert table.looked() == ruled
