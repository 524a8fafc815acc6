"""Choose phase 3 of a turn with a beam of the likeliest walks, captures and re-entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from referee.games.terra_turrium.geometry import NEIGHBOURS, bits
from referee.games.terra_turrium.position.position import Side
from referee.games.terra_turrium.ruleset import ATTACKS, POINTS, RuleSet
from referee.games.terra_turrium.search.breaches import entry_fields
from referee.games.terra_turrium.search.steps import Move, capture_extra

Worth = Callable[[Sequence["FlagsStanding"]], Sequence[float]]
"""How good each of some ways to stand is for the player."""


@dataclass(frozen=True, slots=True)
class FlagsStanding:
    """Flags during phase 3, and the steps that led there. own, foreign: fields of flags; left: points."""

    own: int
    foreign: int
    hand: int
    left: int
    captured: int = 0
    steps: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class WalkRules:
    """What a player's flags may do on fixed heights. mates: fields of flags that can't be captured."""

    rules: RuleSet
    side: Side
    heights: tuple[int, ...]
    mates: int

    def onward(self, standing: FlagsStanding) -> Iterator[FlagsStanding]:
        """Yield all ways to stand one step, or one re-entry, on."""
        if not standing.left:
            return
        for i in bits(standing.own):
            for j in NEIGHBOURS[i]:
                following = self._stepped(standing, i, j)
                if following is not None:
                    yield following
        if standing.hand:
            doors = entry_fields(self.rules, self.side, self.heights)
            for i in bits(doors & ~standing.own & ~standing.foreign):
                yield FlagsStanding(
                    standing.own | 1 << i,
                    standing.foreign,
                    standing.hand - 1,
                    standing.left - 1,
                    standing.captured,
                    (*standing.steps, Move(True, (i,), (), 1)),
                )

    def _stepped(self, standing: FlagsStanding, i: int, j: int) -> FlagsStanding | None:
        heights, at = self.heights, 1 << j
        if not heights[j] or abs(heights[j] - heights[i]) > 1 or (standing.own | self.mates) & at:
            return None
        catches = bool(standing.foreign & at)
        points = 1 + (capture_extra(heights, i, j) if catches else 0)
        if points > standing.left or (catches and not self._may_capture(standing, at)):
            return None
        return FlagsStanding(
            standing.own & ~(1 << i) | at,
            standing.foreign & ~at,
            standing.hand,
            standing.left - points,
            standing.captured | (at if catches else 0),
            (*standing.steps, Move(False, (i, j), (j,) if catches else (), points)),
        )

    def _may_capture(self, standing: FlagsStanding, at: int) -> bool:
        side = self.side
        if side.captures is not None and standing.captured.bit_count() >= side.captures:
            return False
        return bool(at & side.home) or side.attacks < ATTACKS

    def best(self, start: FlagsStanding, worth: Worth, width: int) -> FlagsStanding:
        """Return the best way to stand that a beam of some width finds, the start among them."""
        beam, best, top = [start], start, worth([start])[0]
        seen = {(start.own, start.foreign, start.hand)}
        for _ in range(POINTS):
            fresh: list[FlagsStanding] = []
            for standing in beam:
                for following in self.onward(standing):
                    key = (following.own, following.foreign, following.hand)
                    if key not in seen:
                        seen.add(key)
                        fresh.append(following)
            if not fresh:
                break
            values = worth(fresh)
            ranked = sorted(range(len(fresh)), key=lambda n: -values[n])[:width]
            beam = [fresh[n] for n in ranked]
            if values[ranked[0]] > top:
                best, top = beam[0], values[ranked[0]]
        return best
