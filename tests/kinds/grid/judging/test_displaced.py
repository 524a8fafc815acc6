"""A piece that is read one field off is one mistake, not two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.kinds.grid.judging.displaced import Displaced, counted_twice, displaced
from referee.kinds.grid.judging.judge import judge
from referee.values.belief import BoardBelief, misreadings_of
from referee.values.board import Board, Field
from tests.kinds.grid.judging.seeing import GAME, START, seen

A2, B1, C1 = (Field.from_name(name) for name in ("A2", "B1", "C1"))


def read_on(place: Field, gone_nats: float, there_nats: float, text: str = "021/211r") -> BoardBelief:
    """Return a look that shows C1 without its piece by some nats, and another field with it by some."""
    look = seen(text)
    flags = look.flags.copy()
    flags[C1], flags[place] = [gone_nats, 0, 0, 0, 0], [0, there_nats, 0, 0, 0]
    return replace(look, flags=flags - flags.max(axis=2, keepdims=True))


@pytest.mark.parametrize(("nats", "kind"), [(9.0, "unsure"), (12.0, "illegal")])
def test_a_piece_that_may_only_be_read_one_field_off_accuses_nobody(nats: float, kind: str) -> None:
    """C1's piece must stay. B1 looks to have it and C1 not, each by as much: as two mistakes that would accuse."""
    look = TurnEvidence(read_on(B1, nats, nats))
    assert judge(GAME, Context.at(START), look)[0].kind == kind


@pytest.mark.parametrize(
    ("place", "gone_nats", "there_nats", "twice_nats"),
    [(B1, 5, 3, 3), (B1, 3, 5, 3), (A2, 5, 3, None), (B1, 5, 11, None), (B1, 0, 5, None)],
)
def test_the_field_that_speaks_less_plainly_counts_too_much(
    place: Field, gone_nats: float, there_nats: float, twice_nats: float | None
) -> None:
    found = displaced(read_on(place, gone_nats, there_nats), START.board, None, 10.0)
    assert found == (() if twice_nats is None else (Displaced(C1, place, twice_nats),))


def test_what_earlier_looks_got_wrong_of_either_field_counts_no_more() -> None:
    """C1 looked empty by 4 nats, now by 6; B1 taken by 1, now by 4: of 5 nats more only the 2 of C1 count."""
    earlier = misreadings_of(read_on(B1, 4.0, 1.0), START.board)
    (one,) = displaced(read_on(B1, 2.0, 3.0), START.board, earlier, 10.0)
    assert one.twice_nats == pytest.approx(3.0)


def test_a_turn_that_moves_the_piece_has_nothing_counted_twice() -> None:
    pieces = (Displaced(C1, B1, 3.0),)
    for text, nats in (("021/211r", 3.0), ("111/21r1", 0.0), ("111/211", 0.0)):
        assert counted_twice(pieces, START.board, Board.parse(text, 2, 3, "rygb")) == nats
