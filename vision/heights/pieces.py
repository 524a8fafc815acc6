"""The classes of pieces that the scorer tells apart, and which of them a game's kit can put on the table.

Only the classes of the kit at hand are weighed against each other, so a red flag is never taken for an orange one
that nobody plays.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.kit import Kit
from referee.values.toldapart import COLOURS, KING, told_as

CLASSES = ("none", *COLOURS, KING)
"""Meaning of the network's outputs, in order."""
_FLAG_CLASSES = (0, 1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces that can stand on the stacks of a table, in the order of their codes.

    letters: in board text, from code 1. classes: the network's, that of "none" first. most: how many there are of
    each, ``None`` where only what is expected of the table says it. grounded: which of them stand on the bare board
    as often as on stacks.
    """

    letters: str
    classes: tuple[int, ...]
    most: tuple[int, ...] | None = None
    grounded: frozenset[int] = frozenset()

    @property
    def weights(self) -> str:
        """Return the trained set that reads the pieces best.

        Four colours have a set that was made for those alone.
        """
        return "flags" if set(self.classes) <= set(_FLAG_CLASSES) else "pieces"


FLAGS = Pieces("rygb", _FLAG_CLASSES)
"""Flags of the four colours: the pieces of a table whose kit is not told."""


def pieces_of(kit: Kit | None) -> Pieces:
    """Return the pieces of a kit, as readers need them. Raises KitError for what can't be told."""
    if kit is None:
        return FLAGS
    grounded = frozenset(code for code, piece in enumerate(kit.pieces, 1) if piece.shape != "flag")
    classes = (0, *(CLASSES.index(told) for told in told_as(kit.pieces)))
    return Pieces(kit.letters, classes, tuple(piece.most for piece in kit.pieces), grounded)
