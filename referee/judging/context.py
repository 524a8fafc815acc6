"""Hold what the judge knows before a turn, as one value: the live table and an audit carry the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Position
from referee.judging.decision import LateDiscovery
from referee.values.belief import BoardBelief, ReferenceLook, Standing, Unchanged
from referee.values.board import Field
from referee.values.declaring import Declared

_Weighed = TypeVar("_Weighed")
MOST_POSITIONS = 16
"""Positions kept at most; each is another board to judge from."""
KEEP_NATS = 7.0
"""Positions this much less likely than the likeliest are forgotten."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The positions that may stand now, each with its natural-log score, the likeliest (0) first.

    Source of the idea: D. B. Reid, An algorithm for tracking multiple targets, IEEE Transactions on Automatic Control
    24 (1979), which keeps several hypotheses for the same reason.
    """

    positions: tuple[tuple[Position, float], ...]

    @classmethod
    def at(cls, position: Position) -> Hypotheses:
        """Return the hypotheses that begin at a position known for certain."""
        return cls(((position, 0.0),))

    @classmethod
    def kept(cls, scored: Iterable[tuple[Position, float]]) -> Hypotheses:
        """Keep the likeliest few of some positions, each once, scores relative to the first."""
        best: dict[str, tuple[Position, float]] = {}
        for position, score in sorted(scored, key=lambda item: -item[1]):
            best.setdefault(json.dumps(position.to_json(), sort_keys=True), (position, score))
        ranked = list(best.values())
        top = ranked[0][1]
        return cls(tuple((p, score - top) for p, score in ranked if top - score < KEEP_NATS)[:MOST_POSITIONS])

    @property
    def likeliest(self) -> Position:
        """Return the likeliest position."""
        return self.positions[0][0]

    @property
    def open(self) -> Position:
        """Return the likeliest position from which the game goes on; the likeliest where it does from none."""
        return next((position for position, _ in self.positions if not position.finished), self.likeliest)


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
    suspicions: what would stand had earlier rulings taken something for granted that was not so.
    """

    hypotheses: Hypotheses
    reference: ReferenceLook | None = None
    suspicions: tuple[Suspicion, ...] = ()

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
    hands. by_hand: what pictures from the hand show of each field; ``None`` where cameras stand still.
    """

    belief: BoardBelief
    unchanged: Unchanged | None = None
    frames: tuple[Standing, ...] = ()
    known: Mapping[Field, tuple[int, int]] = field(default_factory=dict)
    declared: Declared = field(default_factory=dict)
    untouched: NDArray[np.bool_] | None = None
    by_hand: SeenByHand | None = None
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
