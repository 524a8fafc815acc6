"""Count a piece that is read one field off once, not on both fields.

Behind a tower a piece is easily taken for one on the field before or behind it. That is one mistake, though two
fields tell of it: the one on which the piece stands looks empty, and the other one taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from referee.values.belief import BoardBelief, Misreadings
from referee.values.board import Board, Field


@dataclass(frozen=True, slots=True)
class Displaced:
    """A piece that may only be read one field off.

    stood, seen: the fields on which it stood before the turn and is read at its end. twice_nats: what both fields
    together count too much against its standing still.
    """

    stood: Field
    seen: Field
    twice_nats: float


def displaced(
    grounds: BoardBelief, before: Board, earlier: Misreadings | None, most_nats: float
) -> tuple[Displaced, ...]:
    """Return the pieces of the board before a turn that may only be read one field off, each with one other field.

    grounds: log-likelihoods of the turn's end, 0 for the best of each field. earlier: what earlier looks got wrong of
    the board, which counts no more. most_nats: a field that speaks plainer than that is not misread.
    """
    found = []
    for row, col in np.argwhere((before.flags > 0) & (grounds.flags.argmax(axis=2) != before.flags)).tolist():
        ways = _one_field_off(grounds, before, earlier, Field(row, col))
        one = max(ways, key=lambda way: way[0].twice_nats, default=None)
        if one is not None and one[0].twice_nats > 0 and one[1] < most_nats:
            found.append(one[0])
    return tuple(found)


def _one_field_off(
    grounds: BoardBelief, before: Board, earlier: Misreadings | None, stood: Field
) -> Iterator[tuple[Displaced, float]]:
    """Yield the fields on which a piece may be read instead, with the nats by which the plainer of both says so."""
    kind = int(before.flags[stood])
    missing = -float(grounds.flags[stood][kind])
    missed = 0.0 if earlier is None else float(earlier.flags[stood].max())
    for seen in _around(stood, before):
        if before.flags[seen] == kind:
            continue
        extra = -float(grounds.flags[seen][before.flags[seen]])
        mistaken = 0.0 if earlier is None else float(earlier.flags[seen][kind])
        if mistaken or grounds.flags[seen].argmax() == kind:
            once = max(missed + missing, mistaken + extra) - max(missed, mistaken)
            yield Displaced(stood, seen, missing + extra - once), max(missing, extra)


def _around(place: Field, board: Board) -> Iterator[Field]:
    rows, cols = board.heights.shape
    for row in range(max(0, place.row - 1), min(rows, place.row + 2)):
        for col in range(max(0, place.col - 1), min(cols, place.col + 2)):
            if (row, col) != place:
                yield Field(row, col)


def counted_twice(pieces: Iterable[Displaced], before: Board, after: Board) -> float:
    """Return what counts too much against a turn in nats: that of the pieces which it leaves where they stood."""
    stay = before.flags == after.flags
    return sum(one.twice_nats for one in pieces if stay[one.stood] and stay[one.seen])
