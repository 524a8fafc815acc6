"""Say whether a board of stacks can be read and drawn with a game's kit."""

from __future__ import annotations

from referee.values.kit import Kit, KitError
from referee.values.toldapart import told_as

SHAPES = ("flag", "knight", "king", "pawn", "dome")
BLOCKS = ("cube", "arched", "none")


def check(kit: Kit) -> None:
    """Raise KitError, saying what to do, for pieces that can't be told apart and for shapes that can't be drawn."""
    for piece in kit.pieces:
        if piece.shape not in SHAPES:
            raise KitError(f"the piece {piece.word!r} has the unknown shape {piece.shape!r}: use {_either(SHAPES)}")
    if kit.block not in BLOCKS:
        raise KitError(f"stacks of {kit.block!r} can't be drawn: the kit's block is {_either(BLOCKS)}")
    told_as(kit.pieces)


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
