"""How a turn came about does not matter: what is handed over to it decides, with what is seen of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import event, example, given
from hypothesis.strategies import integers, lists, permutations, sampled_from

from referee.match.events import (
    CalledOff,
    ChangedUnseen,
    FieldTold,
    Paused,
    PutBack,
    Resumed,
    TurnRuled,
    Undone,
    Verdict,
)
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


def assert_alike(one: TurnRuled, other: TurnRuled) -> None:
    """Compare two rulings, scores to a millionth of a nat and shares to a ten-thousandth.

    The newest look at a known board may be another one; where it shows what is seen again, it moves them by less.
    """
    assert _numbers(one) == pytest.approx(_numbers(other), abs=1e-6)
    assert _shares(one) == pytest.approx(_shares(other), abs=1e-4)
    assert _without_numbers(one) == _without_numbers(other)


def _numbers(ruled: TurnRuled) -> list[float]:
    left = ruled.left_open
    return [*(score for _, score in left.track), *(one.score for one in left.suspicions)]


def _shares(ruled: TurnRuled) -> dict[tuple[int, int], float]:
    ways = (*ruled.left_open.links, ruled.left_open.dropped)
    return {(number, start): share for number, links in enumerate(ways) for start, share in links}


def _without_numbers(ruled: TurnRuled) -> TurnRuled:
    left = ruled.left_open
    track = tuple((position, 0.0) for position, _ in left.track)
    suspicions = tuple(replace(one, score=0.0) for one in left.suspicions)
    return replace(ruled, left_open=replace(left, track=track, suspicions=suspicions, links=(), dropped=()))


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
@example(
    13,
    [list(map(Field.from_name, way.split())) for way in ("A1 C1 B2 C2 B1 A2", "C1 A1 B1 C2 B2 A2")],
    [_too_early],
    1,
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
    begun, before, handed = table.session, table.state, table.state.turn
    event(f"{len(handed.left_open.track)} positions, {len(handed.left_open.suspicions)} suspicions")
    table.session = begun.at(begun.state)
    for one in meanwhile:
        one(table)
    assert replace(table.state.turn, unseen=False) == handed
    table.draw(moved(board, ways[-1], cubes))
    ruled = table.looked()
    event(ruled.verdict.value)
    table.session = begun
    assert_alike(table.looked(), ruled)
    table.begin(before)  # of the turns before only the last look is known whose board is certain
    assert_alike(table.looked(), ruled)
