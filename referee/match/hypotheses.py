"""Keep the positions that may stand, each with its likelihood and with where it may have come from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.games.contract import Position
from referee.match.decision import LateDiscovery
from referee.values.scores import total

MOST_POSITIONS = 48
"""Positions kept at most; each is another board to judge from."""
KEPT_SHARE = 0.99998
"""The likeliest positions that carry this share of what is believed are kept, up to ``MOST_POSITIONS``."""

Links = tuple[tuple[int, float], ...]
"""Positions before a turn, by number, from which it may have led to one position, each with its share of that."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A position to which a turn may have led. start: number of the position before it; -1 for none that was kept."""

    position: Position
    score: float
    start: int


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The positions that may stand now, each with its natural-log score, relative to the likeliest.

    The first is the one on record. links: for each position, where it may have come from; empty where that is not
    known. Together they are a lattice over the turns of a game, on which what is seen later tells of earlier turns
    (a grid's ``smoothing``). Source of the idea: D. B. Reid, An algorithm for tracking multiple targets, IEEE
    Transactions on Automatic Control 24 (1979), which keeps several hypotheses for the same reason.
    """

    positions: tuple[tuple[Position, float], ...]
    links: tuple[Links, ...] = ()

    @classmethod
    def at(cls, position: Position) -> Hypotheses:
        """Return the hypotheses that begin at a position known for certain."""
        return cls(((position, 0.0),))

    @classmethod
    def kept(cls, leads: Sequence[Lead]) -> Hypotheses:
        """Keep the likeliest of some positions, each once; that of the first lead stays the first."""
        ways: dict[str, list[Lead]] = {}
        for lead in leads:
            ways.setdefault(json.dumps(lead.position.to_json(), sort_keys=True), []).append(lead)
        merged = [(total(lead.score for lead in same), same) for same in ways.values()]
        top = max(score for score, _ in merged)
        first, *others = merged
        ranked = [first, *sorted(others, key=lambda item: -item[0])]
        shares = [float(np.exp(score - top)) for score, _ in ranked]
        # The first is kept whatever its share; of the others as many as carry what is to be kept.
        left = sum(shares) - np.cumsum(shares)
        count = min(MOST_POSITIONS, 1 + int(np.argmax(left <= (1 - KEPT_SHARE) * sum(shares))))
        found = ranked[:count]
        return cls(
            tuple((same[0].position, score - top) for score, same in found), tuple(_shares(same) for _, same in found)
        )

    @property
    def likeliest(self) -> Position:
        """Return the likeliest position."""
        return self.positions[0][0]

    @property
    def open(self) -> Position:
        """Return the likeliest position from which the game goes on; the likeliest where it does from none."""
        return next((position for position, _ in self.positions if not position.finished), self.likeliest)


def _shares(same: Sequence[Lead]) -> Links:
    """Return from which positions some leads to one position came, and each one's share of them."""
    whole = total(lead.score for lead in same)
    return links_of([replace(lead, score=lead.score - whole) for lead in same])


def links_of(leads: Sequence[Lead]) -> Links:
    """Return from which positions some leads came, with the shares that are the exponentials of their scores."""
    shares: dict[int, float] = {}
    for lead in leads:
        shares[lead.start] = shares.get(lead.start, 0.0) + float(np.exp(lead.score))
    return tuple((start, round(share, 5)) for start, share in sorted(shares.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A position that stands only if an earlier turn, which was ruled legal, broke a rule.

    score: nats, counted as those of the hypotheses. late: what it would be to find out.
    """

    position: Position
    score: float
    late: LateDiscovery
