"""Players, as every room may look at them: each has a word of the formats, such as a colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeAlias, runtime_checkable

Names: TypeAlias = Mapping[str, str]
"""What players are called, by their words, where they gave a name."""
NO_NAMES: Names = MappingProxyType({})


@runtime_checkable
class Player(Protocol):
    """A player of some game. Two are the same when they are equal; a game's own values serve as well as any."""

    @property
    def word(self) -> str:
        """Return the player's word in formats: lower case, never changed once published."""


@dataclass(frozen=True, slots=True, order=True)
class PlayerName:
    """A player known by the word alone."""

    word: str


def named(player: Player) -> PlayerName:
    """Return the player by the word alone, which can be kept and compared whatever the game's own value is."""
    return PlayerName(player.word)
