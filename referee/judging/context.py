"""Hold what the judge knows before a turn, as one value: the live table and an audit carry the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Position
from referee.judging.decision import LateDiscovery
from referee.judging.scores import total
from referee.values.belief import BoardBelief, ReferenceLook, Standing, Unchanged
from referee.values.board import Field
from referee.values.declaring import Declared

_Weighed = TypeVar("_Weighed")
MOST_POSITIONS = 48
"""Positions kept at most; each is another board to judge from."""
KEPT_SHARE = 0.9998
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
    (``smoothing``). Source of the idea: D. B. Reid, An algorithm for tracking multiple targets, IEEE Transactions on
    Automatic Control 24 (1979), which keeps several hypotheses for the same reason.
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


@dataclass(frozen=True)
class Context:
    """What is known when a turn begins.

    hypotheses: where it may start from. reference: the last look whose board is known, ``None`` where there is none.
    suspicions: what would stand had earlier rulings taken something for granted that was not so. dropped: from which
    of the positions before, by number, positions came that were not kept, with their shares of all. lost: fields on
    which something else than in any position kept may stand.
    """

    hypotheses: Hypotheses
    reference: ReferenceLook | None = None
    suspicions: tuple[Suspicion, ...] = ()
    lost: frozenset[Field] = frozenset()
    dropped: Links = ()

    @classmethod
    def at(cls, position: Position) -> Context:
        """Return the context of a game that goes on from a position known for certain."""
        return cls(Hypotheses.at(position))


@dataclass(frozen=True, slots=True, eq=False)
class SeenByHand:
    """What a look with pictures from the hand shows of each field.

    shown: (rows, cols), from how many sides, fixed cameras among them, the top of its stack is seen. goes_on: whether
    another picture is waited for.
    """

    shown: NDArray[np.int64]
    goes_on: bool = True


@dataclass(frozen=True)
class TurnEvidence:
    """One look at the end of a turn, as far as the judge minds.

    belief: what the pictures say. unchanged: how it compares with the last known look. frames: boards that surely
    stood still during the turn, oldest first. known: what somebody at the table says stands on a field: height and
    flag (0: none). declared: what players said of the turn. untouched:
    (rows, cols) bool, the fields that no hand came near since the last known look; ``None`` where nothing is known of
    hands. by_hand: what pictures from the hand show of each field; ``None`` where cameras stand still. alone: all
    pictures are of one camera that stands still.
    """

    belief: BoardBelief
    unchanged: Unchanged | None = None
    frames: tuple[Standing, ...] = ()
    known: Mapping[Field, tuple[int, int]] = field(default_factory=dict)
    declared: Declared = field(default_factory=dict)
    untouched: NDArray[np.bool_] | None = None
    by_hand: SeenByHand | None = None
    alone: bool = False
    _weighed: dict[str, tuple[object, Context, object]] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )

    def without_more(self) -> TurnEvidence:
        """Return the same look for which no other picture is waited for.

        What turns explain it does not depend on that, so they are not weighed again.
        """
        other = self if self.by_hand is None else replace(self, by_hand=replace(self.by_hand, goes_on=False))
        other._weighed.update(self._weighed)
        return other

    def once(self, game: object, context: Context, weigh: Callable[[], _Weighed]) -> _Weighed:
        """Return how turns explain the look, after what was known before it; twice it is not weighed."""
        known = self._weighed.get("turns")
        if known is None or known[0] is not game or known[1] is not context:
            known = self._weighed["turns"] = game, context, weigh()
        return cast(_Weighed, known[2])
