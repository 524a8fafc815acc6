"""The match's contract with a kind of observation: what must be seen of a turn, and what a set-up still lacks."""

from __future__ import annotations

from typing import Any, Protocol

from referee.kinds import platform
from referee.values.kit import Kit


class TurnKind(Protocol):
    """A kind's module ``turn``."""

    NEEDS_PICTURES: bool
    """Whether a turn is ruled on by what is seen; else players declare all of it, and what is seen adds to that."""
    BOARD_IS_TURNED: bool
    """Whether players turn the board so that the cameras see it from all sides."""
    NOTHING_SEEN: str
    """The text of an observation of which nothing is seen, where no pictures are needed."""

    def awaits_pieces(self, observed: Any) -> bool:
        """Return whether pieces are still to be set up for the game to begin from what is seen."""


def turn_kind(kit: Kit) -> TurnKind:
    """Return the module of a kit's kind that serves the match."""
    found: Any = platform(kit.kind, "turn")
    made: TurnKind = found
    return made


def needs_pictures(kit: Kit) -> bool:
    """Return whether turns of a kit's kind are ruled on by what is seen."""
    return turn_kind(kit).NEEDS_PICTURES
