"""How a game plays its own turns: what sits at the seats that nobody has taken.

A game whose package brings a ``Plays`` can be played against; one that brings none is refereed all the same. What is
played is a proposal: the engine rules on it as on anybody's turn (referee/opponents).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from referee.games.contract import Position

P_contra = TypeVar("P_contra", bound=Position, contravariant=True)


class Strength(StrEnum):
    """How well a seat plays: weak looks no further than the next step, strong searches."""

    WEAK = "weak"
    MIDDLE = "middle"
    STRONG = "strong"


@runtime_checkable
class Plays(Protocol[P_contra]):
    """What chooses a game's turns. Same position, strength and state of ``chance``: same turn, on any machine.

    Work is bounded in positions looked at, never by a clock; a strong turn stays within about two seconds on one
    core of a small computer.
    """

    def prepared(self, choice: Mapping[str, object]) -> Mapping[str, object]:
        """What is chosen for a new game, with all that a game without people needs besides."""

    def set_up(self, position: P_contra, chance: Random) -> Any:
        """What stands on the table once the set-up of a new game is done, as far as no turn of the game does it."""

    def turns(self, position: P_contra, strength: Strength, chance: Random) -> Iterator[str]:
        """Acts for the player to move as records write them, best first.

        The first that the engine calls legal is played; nothing is left to play where the last is not.
        """
