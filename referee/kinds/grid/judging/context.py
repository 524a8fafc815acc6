"""Hold what the judge knows before a turn, as one value: the live table and an audit carry the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Position
from referee.match.hypotheses import Hypotheses, Links, Suspicion
from referee.values.belief import BoardBelief, Misreadings, ReferenceLook, Standing, Unchanged
from referee.values.board import Field
from referee.values.declaring import Declared

_Weighed = TypeVar("_Weighed")


@dataclass(frozen=True)
class Context:
    """What is known when a turn begins.

    hypotheses: where it may start from. reference: the last look whose board is known, ``None`` where there is none.
    suspicions: what would stand had earlier rulings taken something for granted that was not so. dropped: from which
    of the positions before, by number, positions came that were not kept, with their shares of all. lost: fields on
    which something else than in any position kept may stand. misread: what cameras that stand still got wrong of each
    of the positions, in their order; empty where that is not known.
    """

    hypotheses: Hypotheses
    reference: ReferenceLook | None = None
    suspicions: tuple[Suspicion, ...] = ()
    lost: frozenset[Field] = frozenset()
    dropped: Links = ()
    misread: tuple[Misreadings, ...] = ()

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


@dataclass(frozen=True, slots=True)
class People:
    """Somebody at the table.

    asked: fields they were asked about so far. rested: that was so seldom that a question may be about what is hardly
    in doubt.
    """

    asked: frozenset[Field] = frozenset()
    rested: bool = True


@dataclass(frozen=True)
class TurnEvidence:
    """One look at the end of a turn, as far as the judge minds.

    belief: what the pictures say. unchanged: how it compares with the last known look. frames: boards that surely
    stood still during the turn, oldest first. known: what somebody at the table says stands on a field: height and
    flag (0: none). declared: what players said of the turn. untouched:
    (rows, cols) bool, the fields that no hand came near since the last known look; ``None`` where nothing is known of
    hands. by_hand: what pictures from the hand show of each field; ``None`` where cameras stand still. one_camera:
    all pictures are of one camera that stands still. stood: fields of which somebody said what stands there when
    asked whether something fell. people: who can be asked what cameras that stand still don't see; ``None`` for
    nobody.
    """

    belief: BoardBelief
    unchanged: Unchanged | None = None
    frames: tuple[Standing, ...] = ()
    known: Mapping[Field, tuple[int, int]] = field(default_factory=dict)
    declared: Declared = field(default_factory=dict)
    untouched: NDArray[np.bool_] | None = None
    by_hand: SeenByHand | None = None
    one_camera: bool = False
    stood: Set[Field] = frozenset()
    people: People | None = None
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
