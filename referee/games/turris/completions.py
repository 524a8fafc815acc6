"""Find towers that agree with what was read: fill the cells not seen in every way.

Towers that differ in few bars from a known one come first, and are made only when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from referee.games.contract import Observation
from referee.games.turris.bars import COLOURS, EAST, NORTH, UP, Bar, place_at
from referee.games.turris.tower import (
    EMPTY,
    HALVES,
    NO_TOWER,
    UNSEEN,
    Tower,
    half_letter,
    parse_letters,
    text_of,
    tower_in,
)


@dataclass(frozen=True)
class PartialTower:
    """What was seen of a tower: the letters of its cells that are not empty."""

    letters: Mapping[int, str]

    @property
    def text(self) -> str:
        """Return the reading as formats write it."""
        return text_of(self.letters)

    @property
    def partly(self) -> bool:
        """Return whether a cell, or its other half, is not known."""
        return not {*HALVES.values(), UNSEEN}.isdisjoint(self.letters.values())

    def allows(self, bar: Bar) -> bool:
        """Return whether a bar agrees with what was seen at its two cells."""
        colour, place = bar
        return all(
            self.letters.get(cell, EMPTY) in (half_letter(place, cell, colour), HALVES[colour], UNSEEN)
            for cell in place.cells
        )


def parse_reading(text: object, key: str = "tower") -> PartialTower:
    """Parse a tower text as read, with ``x``, ``X`` and ``?``. Raises RequestError with code ``tower``."""
    return PartialTower(parse_letters(text, key, known=False))


def reading_of(observed: Observation) -> PartialTower:
    """Return a tower, or a reading of one, as a reading."""
    return observed if isinstance(observed, PartialTower) else parse_reading(observed.text)


@dataclass
class StepBudget:
    """Steps that may still be taken; ``spent`` once there were too few."""

    left: int
    spent: bool = field(default=False, init=False)

    def take(self) -> bool:
        """Use up a step; return whether there was one."""
        if self.left <= 0:
            self.spent = True
            return False
        self.left -= 1
        return True


def completions(reading: PartialTower, near: Tower, effort: StepBudget) -> Iterator[Tower]:
    """Yield every tower that agrees with a reading, those in which fewer bars differ from ``near`` first.

    Stops early when the effort is spent.
    """
    if not reading.partly:
        yield tower_in(reading.letters)
        return
    most = 2 * len(reading.letters) + near.light.bit_count() + near.dark.bit_count()
    differing = 0
    while differing <= most:
        filler = _Filler(reading, near, effort)
        yield from filler.towers(differing)
        if effort.spent or not filler.cut:
            return
        differing += 1


class _Filler:
    """Fills cells in rising order; each is a bar's first cell, its other one, or empty."""

    def __init__(self, reading: PartialTower, near: Tower, effort: StepBudget) -> None:
        self._reading = reading
        self._near = near
        self._effort = effort
        self._cells = sorted(reading.letters)
        self._options: dict[int, list[Bar]] = {cell: list(self._starting(cell)) for cell in self._cells}
        bars = list(near.bars)
        seen = set(self._cells)
        self._gone_anyhow = sum(bar.place.cells[0] not in seen for bar in bars)
        self._started = {bar.place.cells[0]: bar for bar in bars}
        contradicted = [cell in self._started and not reading.allows(self._started[cell]) for cell in self._cells]
        self._sure = [sum(contradicted[k:]) for k in range(len(self._cells) + 1)]
        """Bars of the old tower that are gone in any case, from each cell on."""
        self.cut = False
        """Whether towers in which more bars differ were left out."""

    def towers(self, differing: int) -> Iterator[Tower]:
        """Yield the towers in which just so many bars are gone or new."""
        return self._from(0, NO_TOWER, differing - self._gone_anyhow)

    def _from(self, k: int, tower: Tower, left: int) -> Iterator[Tower]:
        if left < self._sure[k]:
            self.cut = True
            return
        if not self._effort.take():
            return
        while k < len(self._cells) and tower.filled >> self._cells[k] & 1:
            left -= self._cells[k] in self._started
            k += 1
        if left < self._sure[k]:
            self.cut = True
            return
        if k == len(self._cells):
            if left == 0:
                yield tower
            return
        cell = self._cells[k]
        old = self._started.get(cell)
        for bar in self._options[cell]:
            if not tower.filled & bar.place.mask:
                yield from self._from(k + 1, tower.turned(bar), left - _changed(old, bar))
        if self._reading.letters[cell] == UNSEEN:
            yield from self._from(k + 1, tower, left - (old is not None))

    def _starting(self, cell: int) -> Iterator[Bar]:
        """Yield the bars that agree with the reading and have their first cell here."""
        for direction in (EAST, NORTH, UP):
            place = place_at(cell, direction)
            if place is not None:
                for colour in COLOURS:
                    bar = Bar(colour, place)
                    if self._reading.allows(bar):
                        yield bar


def _changed(old: Bar | None, new: Bar) -> int:
    """Return how many bars differ where the old tower starts one bar, or none, and the new one another."""
    if old == new:
        return 0
    return 1 if old is None else 2
