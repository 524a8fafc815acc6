"""Tell earlier turns anew by what was seen since, and name the fields that stay open after each.

The positions kept after each turn, with their links to those before it, are a lattice. What is believed now is
carried back along the links, as in the smoothing of a hidden Markov model (L. R. Rabiner, Proceedings of the IEEE 77,
1989).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from referee.games.contract import Position
from referee.match.hypotheses import Links
from referee.match.standing import board_of
from referee.values.board import Board, Field

OPEN_SHARE = 3e-4
"""A field on which something else than on record is this likely is open. Eyes are sure too early: on drawn tables
what was played had been thought as unlikely as e^-7, so a field counts as known one nat later."""


@dataclass(frozen=True, slots=True)
class LatticeLayer:
    """The positions that may have stood at one moment, and from which of the layer before each may have come.

    dropped: from which of them others came that were not kept, with their shares of all that was believed then.
    """

    positions: tuple[Position, ...]
    links: tuple[Links, ...] = ()
    dropped: Links = ()


@dataclass(frozen=True, slots=True)
class LatticeStep:
    """One way a turn may have gone: from one position to another, with its share."""

    before: int
    after: int
    share: float


def steps_back(layers: Sequence[LatticeLayer], last: Sequence[float]) -> list[list[LatticeStep]]:
    """Return for each layer but the first the ways that led into it, by all that was seen until the last layer.

    last: shares of the last layer's positions. What was dropped keeps the share it had: nothing seen since was held
    against it. So shares may add up to more than one.
    """
    found: list[list[LatticeStep]] = []
    shares = dict(enumerate(last))
    for layer in reversed(layers[1:]):
        steps = [
            LatticeStep(before, after, share * part)
            for after, share in shares.items()
            for before, part in layer.links[after]
            if share * part > 0
        ]
        found.append(steps)
        shares = defaultdict(float)
        for step in steps:
            shares[step.before] += step.share
        for before, share in layer.dropped:
            shares[before] += share
    return found[::-1]


def likeliest_path(layers: Sequence[LatticeLayer]) -> list[int]:
    """Return the number of the position in each layer on the likeliest way to the last layer's first position."""
    path = [0]
    for layer in reversed(layers[1:]):
        path.append(max(layer.links[path[-1]], key=lambda link: link[1])[0])
    return path[::-1]


def open_fields(ways: Iterable[tuple[float, Board, Board]], kept: tuple[Board, Board]) -> frozenset[Field]:
    """Return the fields on which a turn may differ from what is kept.

    ways: shares with the boards before and after. kept: the boards on record. A field is open where what stands there
    afterwards, or what the turn did there, is another with a share of ``OPEN_SHARE`` or more.
    """
    before, after = kept
    shape = after.heights.shape
    otherwise, whole = np.zeros(shape), 0.0
    rises, came = _changes(before, after)
    for share, one, other in ways:
        whole += share
        up, flags = _changes(one, other)
        differs = (other.heights != after.heights) | (other.flags != after.flags) | (up != rises) | (flags != came)
        otherwise += share * differs
    return frozenset(
        Field(int(row), int(col)) for row, col in np.argwhere(otherwise >= OPEN_SHARE * max(whole, 1e-9))
    )


def _changes(before: Board, after: Board) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], ...]:
    """Return by how much each stack rose, and which piece came (positive) or what stayed or left (0, negative)."""
    rises = after.heights.astype(np.int64) - before.heights
    flags = np.where(after.flags == before.flags, 0, after.flags.astype(np.int64) * 100 - before.flags - 1)
    return rises, flags


def alike(one: Position, other: Position) -> bool:
    """Return whether two positions are the same in all that counts."""
    return one is other or (board_of(one) == board_of(other) and one.to_json() == other.to_json())
