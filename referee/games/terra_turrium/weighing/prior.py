"""Weigh how likely a turn is before anybody looks: every act is chosen evenly from what there is to choose.

A turn takes one of the allowed numbers of cubes, each from one of the stacks that may be taken from, and places each
on one of the fields that may be built on, or, as towers are the aim, on one that this turn has built on already. So a
board on which fewer cubes seem to have moved than were taken, because some were put back, is reached by as many turns
as there are stacks to put back to. A turn that breaks a rule is like any other, and rarer by what the rule costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb, lgamma, log

from referee.games.terra_turrium.geometry import ALL
from referee.games.terra_turrium.position.position import Side, TerraPosition
from referee.games.terra_turrium.ruleset import FLAG_COUNT, MOVE_POINTS, Lifted

_OFF_BY_ONE = log(2.0)
"""Each cube more or less than the rule allows halves the chance once more: one in four turns that break it take or
place one too many, as many one too few."""
_FLAGS = 6
"""Flags of a player."""
_REACH = (1, 12, 8, 5, 4, 4)
"""About so many fields each flag can get to where so many walk within a turn's points together."""
_STEPS_REACH = _REACH[1]
_DOORS = 10
"""About so many fields on which a captured flag may come back."""
_ON_TOP = 0.25
"""How often a cube goes where another one of the same turn has gone."""
_CAPTURES = 0.2
"""How many captures a turn makes, on average."""
_PREY = 3
"""About so many foreign flags can be captured within a turn's points."""


@dataclass(frozen=True)
class TurnPrior:
    """Natural-log prior of what a turn changes, up to a constant.

    takes, builds: how many stacks can be taken from and how many fields built on. numbers: how many cubes a turn may
    take. reserve: cubes the player may add. fields, foreign: fields in play, and flags of others on the board.
    """

    takes: int
    builds: int
    numbers: tuple[int, ...]
    reserve: int
    fields: int
    foreign: int

    @classmethod
    def of(cls, position: TerraPosition, side: Side) -> TurnPrior:
        """Return the prior of the turns of the player to move."""
        heights, _ = position.grids
        flags = position.flag_masks[0]
        in_play = ALL & ~position.rules.outside
        free = sum(1 for i, h in enumerate(heights) if h and not flags >> i & 1)
        return cls(
            takes=max(free, 1),
            builds=max((in_play & ~flags).bit_count(), 1),
            numbers=tuple(sorted(position.rules.take_counts)),
            reserve=side.reserve,
            fields=in_play.bit_count(),
            foreign=max((flags & ~position.flag_masks[side.colour]).bit_count(), 1),
        )

    @cached_property
    def take_nats(self) -> float:
        """Return what each cube taken costs, in nats."""
        return log(self.takes)

    @cached_property
    def build_nats(self) -> float:
        """Return what each cube placed costs, in nats."""
        return log(self.builds)

    def walks(self, count: int) -> float:
        """Return the log-prior that so many own flags have walked: which ones, and where to.

        A turn moves no flag as often as one, two or more, for its points are there to be spent: each number is as
        likely as the others, not each flag as likely to stay.
        """
        count = min(count, len(_REACH) - 1)
        return -log(comb(_FLAGS, count)) - count * log(_REACH[count])

    @cached_property
    def walk_nats(self) -> tuple[float, float]:
        """Return about what it costs that one more own flag leaves a field, and that it comes to another, in nats.

        For listing alone: ``walks`` counts.
        """
        marginal = self.walks(2) - self.walks(3)
        return marginal / 2, marginal / 2

    @cached_property
    def capture_nats(self) -> float:
        """Return what each capture costs, in nats."""
        return log(_PREY / _CAPTURES)

    @cached_property
    def entry_nats(self) -> float:
        """Return what each flag costs that comes back from the hand, in nats, besides where it comes to."""
        return log(_DOORS / _STEPS_REACH)

    @cached_property
    def by_hand_nats(self) -> tuple[float, float]:
        """Return what it costs, in nats, that a foreign flag leaves its field, and that one comes to another."""
        return log(self.foreign), log(self.fields)

    def breach(self, rules: Lifted) -> float:
        """Return what breaking just these rules costs besides, as there are more fields to choose from."""
        return log(self.fields / _STEPS_REACH) if rules & {MOVE_POINTS, FLAG_COUNT} else 0.0

    def stacked(self, count: int) -> float:
        """Return what it gains, in nats, that so many cubes were placed on one field, not each on one of its own."""
        return (count - 1) * (log(_ON_TOP / (1 - _ON_TOP)) + self.build_nats) - lgamma(count + 1)

    def cubes(self, taken: int, built: int) -> float:
        """Return the log-prior of heights with ``taken`` cubes missing and ``built`` too many, in given places.

        Cubes are counted as placed each on a field of its own; see ``stacked``.
        """
        return max(self._acts(taken, built, count) for count in self._counts(taken))

    def _counts(self, taken: int) -> tuple[int, ...]:
        return tuple(count for count in self.numbers if count >= taken) or (taken,)

    def _acts(self, taken: int, built: int, count: int) -> float:
        """Return the same with ``count`` cubes taken in all, some of them put back where they came from."""
        returned = count - taken
        placed = built + returned
        score = -taken * self.take_nats - placed * self.build_nats
        score += lgamma(count + 1) + lgamma(placed + 1) - lgamma(returned + 1)
        score += max(0, placed - 1) * log(1 - _ON_TOP)
        off = max(0, count - max(self.numbers)) + max(0, count - placed, placed - count - self.reserve)
        return score - log(len(self.numbers)) - (off + 1 if off else 0) * _OFF_BY_ONE
