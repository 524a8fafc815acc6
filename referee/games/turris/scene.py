"""Hold one way to look at a turn: who made it, the tower before it as drawn, one tower it may have led to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.games.turris.bars import COLOURS, Bar, BarColour, place_of
from referee.games.turris.cells import cells_in
from referee.games.turris.declaring import DeclaredAct
from referee.games.turris.placing import Mover, broken_by_laying, mover_of
from referee.games.turris.position import TurrisPosition
from referee.games.turris.removing import Taker, broken_by_removing, taker_of
from referee.games.turris.ruleset import BAR_SUPPLY, BIT, Broken
from referee.games.turris.tower import Tower


class BarChange(NamedTuple):
    """A bar that is new in the tower seen, or gone from it."""

    bar: Bar
    new: bool


Changes = int
"""Some of a scene's changes, a bit for each."""


@dataclass(frozen=True, eq=False)
class TowerTurn:
    """What a turn has to explain: the changes from the tower before it to a tower that was seen.

    position: before the turn, as the tower seen is drawn. player: whose turn it is taken to be. order: the changes
    that are acts, in their order, where the players declared them.
    """

    position: TurrisPosition
    player: BarColour
    goal: Tower
    order: tuple[int, ...] | None = None
    changes: tuple[BarChange, ...] = field(init=False)
    mover: Mover = field(init=False)
    taker: Taker = field(init=False)
    towers: dict[Changes, Tower] = field(init=False, repr=False)
    laying: dict[tuple[int, Changes], Broken] = field(init=False, repr=False)
    masks: dict[tuple[BarColour, bool], Changes] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        changes = changes_between(self.position.tower, self.goal)
        masks = {
            (colour, new): sum(1 << i for i, c in enumerate(changes) if c.bar.colour is colour and c.new is new)
            for colour in COLOURS
            for new in (False, True)
        }
        for name, value in (
            ("changes", changes),
            ("mover", mover_of(self.position, self.player)),
            ("taker", taker_of(self.position, self.player)),
            ("towers", {0: self.position.tower}),
            ("laying", {}),
            ("masks", masks),
        ):
            object.__setattr__(self, name, value)

    @property
    def everything(self) -> Changes:
        """Return all changes."""
        return (1 << len(self.changes)) - 1

    def tower(self, made: Changes) -> Tower:
        """Return the tower once some changes are made."""
        tower = self.towers.get(made)
        if tower is None:
            last = made & -made
            tower = self.tower(made ^ last).turned(self.changes[last.bit_length() - 1].bar)
            self.towers[made] = tower
        return tower

    def room(self, made: Changes, new: Changes) -> bool:
        """Return whether the cells of new bars are free in the tower once some changes are made."""
        filled = self.tower(made).filled
        return not any(self.changes[i].bar.place.mask & filled for i in cells_in(new))

    def broken_by_laying(self, index: int, made: Changes, acted: Changes) -> Broken:
        """Return the rules broken by laying a new bar now.

        acted: the changes that were acts, which supplies go by.
        """
        broken = self.laying.get((index, made))
        bar = self.changes[index].bar
        if broken is None:
            broken = broken_by_laying(self.mover, self.tower(made), bar)
            self.laying[index, made] = broken
        return broken if self._left(bar.colour, acted) > 0 else broken | BIT[BAR_SUPPLY]

    def broken_by_removing(self, index: int, made: Changes) -> Broken:
        """Return the rules broken by taking a gone bar off now."""
        return broken_by_removing(self.taker, self.tower(made), self.changes[index].bar)

    def balanced(self, hand: Changes) -> bool:
        """Return whether of each colour no more bars appear than go in some changes."""
        return all(
            (hand & self.masks[colour, True]).bit_count() <= (hand & self.masks[colour, False]).bit_count()
            for colour in COLOURS
        )

    def _left(self, colour: BarColour, acted: Changes) -> int:
        laid = (acted & self.masks[colour, True]).bit_count()
        given_back = (acted & self.masks[colour, False]).bit_count()
        return self.position.left[colour] - laid + given_back


def changes_between(before: Tower, after: Tower) -> tuple[BarChange, ...]:
    """Return the bars that differ: the new ones, then the gone ones, each from below."""
    return tuple(
        BarChange(Bar(colour, place_of(1 << bit)), new)
        for new, there, other in ((True, after, before), (False, before, after))
        for colour in COLOURS
        for bit in cells_in(there.of(colour) & ~other.of(colour))
    )


def ordered(changes: tuple[BarChange, ...], acts: tuple[DeclaredAct, ...]) -> tuple[int, ...] | None:
    """Return the changes that declared acts make, ``None`` where one makes none of them."""
    index = {(change.bar.place, change.new): i for i, change in enumerate(changes)}
    found = [index.get((act.place, act.lay)) for act in acts]
    order = tuple(i for i in found if i is not None)
    return order if len(set(order)) == len(acts) else None
