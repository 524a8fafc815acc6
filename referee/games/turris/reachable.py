"""Find towers a camera may be looking at: those one turn leads to, and those that can stand at all.

What was seen comes as beliefs: for each cell the log-probabilities that it is empty, light or dark. Squares of one
bar show no line between them, so a picture tells colours of cells, and never which two are a bar; towers tell that.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from referee.games.turris.bars import BARS_EACH, COLOURS, EAST, NORTH, UP, Bar, BarColour, place_at, places_up_to
from referee.games.turris.cells import LAYER
from referee.games.turris.completions import StepBudget
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import Broken, preference
from referee.games.turris.scene import TowerTurn
from referee.games.turris.search import Search
from referee.games.turris.tower import NO_TOWER, Tower


class Belief(NamedTuple):
    """Log-probabilities of what fills a cell; nothing is known where all three are equal."""

    empty: float
    light: float
    dark: float

    def of(self, colour: BarColour | None) -> float:
        """Return the log-probability of a colour, or of an empty cell."""
        if colour is None:
            return self.empty
        return self.light if colour is BarColour.LIGHT else self.dark


UNKNOWN = Belief(math.log(1 / 3), math.log(1 / 3), math.log(1 / 3))
"""Of a cell nobody saw."""

Beliefs = Sequence[Belief]
"""A belief for each cell, as cells.py numbers them; cells above the last are empty."""

MOST_CHANGES = 4
"""Bars that differ after one turn, as far as they are looked for."""
MOST_CANDIDATES = 24
"""Bars new or gone that are combined."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A tower one turn leads to. log_p: of what was seen where it stands. lifted: a smallest set of broken rules."""

    tower: Tower
    log_p: float
    lifted: Broken

    @property
    def legal(self) -> bool:
        """Return whether a legal turn leads here."""
        return not self.lifted


def log_p(beliefs: Beliefs, tower: Tower) -> float:
    """Return the log-probability of what was seen where a tower stands; minus infinity for one too high."""
    if tower.levels * LAYER > len(beliefs):
        return -math.inf
    filled = {cell: bar.colour for bar in tower.bars for cell in bar.place.cells}
    return sum(belief.of(filled.get(cell)) for cell, belief in enumerate(beliefs))


def reachable(
    position: TurrisPosition,
    beliefs: Beliefs,
    *,
    most_lifted: int = 0,
    within: float = 20.0,
    most: int = 50,
    states: int = 30_000,
) -> list[Reached]:
    """Return towers one turn leads to from a position, the most probable first.

    most_lifted: how many rules the turn may break. within: how much less probable than the best a tower may be, in
    nats. most: how many to return. states: how much may be tried. The tower as it stands counts where the turn may be
    passed, or where that is one of the rules broken.
    """
    before = position.tower
    start = log_p(beliefs, before)
    if start == -math.inf:
        raise ValueError("the beliefs leave out levels of the tower before")
    gains = _gains(beliefs, before)
    effort = StepBudget(states)
    found: list[Reached] = []
    best = -math.inf
    for gain, changes in _changed(gains):
        if start + gain < best - within or len(found) >= most:
            break
        goal = _with(before, changes)
        if goal is None:
            continue
        lifted = _smallest(position, goal, most_lifted, effort)
        if effort.spent:
            break
        if lifted is not None:
            found.append(Reached(goal, start + gain, lifted))
            best = max(best, start + gain)
    return found


def _gains(beliefs: Beliefs, before: Tower) -> list[tuple[float, Bar]]:
    """Return how much more probable each new or gone bar makes what was seen, in nats; only the few best bars.

    A new bar where others stand is ranked as if those were gone too.
    """
    filled = {cell: bar for bar in before.bars for cell in bar.place.cells}
    gone = {bar: sum(beliefs[c].empty - beliefs[c].of(bar.colour) for c in bar.place.cells) for bar in before.bars}
    ranked = [(gain, gain, bar) for bar, gain in gone.items()]
    for place in places_up_to(len(beliefs) // LAYER):
        for colour in COLOURS:
            bar = Bar(colour, place)
            if before.has(bar):
                continue
            gain = sum(beliefs[cell].of(colour) - beliefs[cell].empty for cell in place.cells)
            crowded = {filled[cell] for cell in place.cells if cell in filled}
            ranked.append((gain + sum(gone[other] for other in crowded), gain, bar))
    best = heapq.nlargest(MOST_CANDIDATES, ranked, key=lambda one: one[0])
    return [(gain, bar) for _, gain, bar in best]


def _changed(gains: Sequence[tuple[float, Bar]]) -> list[tuple[float, tuple[Bar, ...]]]:
    """Return every few changes together, those that gain most first."""
    together = [
        (sum(gain for gain, _ in chosen), tuple(bar for _, bar in chosen))
        for size in range(MOST_CHANGES + 1)
        for chosen in combinations(gains, size)
    ]
    together.sort(key=lambda one: -one[0])
    return together


def _with(before: Tower, changes: tuple[Bar, ...]) -> Tower | None:
    """Return the tower with bars gone and others new, ``None`` where new ones find no room."""
    goal = before
    for bar in changes:
        if before.has(bar):
            goal = goal.turned(bar)
    for bar in changes:
        if not before.has(bar):
            if goal.filled & bar.place.mask:
                return None
            goal = goal.turned(bar)
    return goal


def _smallest(position: TurrisPosition, goal: Tower, most: int, effort: StepBudget) -> Broken | None:
    """Return a smallest set of rules broken by a turn to a tower, ``None`` where it takes more than so many."""
    searches = [
        Search(TowerTurn(position, player, goal), effort) for player in (position.to_move, position.to_move.other)
    ]
    for cost in range(most + 1):
        for search in searches:
            ends = search.ends(cost)
            if ends:
                return min(ends, key=preference)
    return None


def standing(beliefs: Beliefs, *, most: int = 20, beam: int = 400) -> list[tuple[Tower, float]]:
    """Return towers that can stand, with the log-probability of what was seen, the most probable first.

    A tower stands when every bar rests: below each filled cell of a higher level the next one is filled. Of each
    colour there are no more bars than the game has. most: how many to return. beam: how many halves of towers are
    followed up at a time; with few, a probable tower may be missed.
    """
    halves: Mapping[Tower, float] = {NO_TOWER: 0.0}
    for cell, belief in enumerate(beliefs):
        following: dict[Tower, float] = {}
        for tower, so_far in halves.items():
            for grown, more in _grown(tower, cell, belief, beliefs):
                following[grown] = so_far + more
        halves = dict(heapq.nlargest(beam, following.items(), key=lambda half: half[1]))
    return heapq.nlargest(most, halves.items(), key=lambda half: half[1])


def _grown(tower: Tower, cell: int, belief: Belief, beliefs: Beliefs) -> Iterator[tuple[Tower, float]]:
    """Yield what a tower whose cells below are decided can become at a cell."""
    if tower.filled >> cell & 1:
        yield tower, 0.0  # counted with the bar's first cell
        return
    yield tower, belief.empty
    for direction in (EAST, NORTH, UP):
        place = place_at(cell, direction)
        if place is None or place.cells[1] >= len(beliefs) or place.mask & tower.filled:
            continue
        if place.below & ~tower.filled:
            continue
        for colour in COLOURS:
            if tower.count(colour) < BARS_EACH:
                more = sum(beliefs[each].of(colour) for each in place.cells)
                yield tower.turned(Bar(colour, place)), more
