"""A game's kit as one value: shapes, colours, letters and limits.

Readers, calibration, certificate, printed sheets and the page read the same kit, so none of them knows a game.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.paints import Paint
from referee.values.words import Words


class KitError(ValueError):
    """A kit that can't be read or drawn; the message names the piece and says what to do."""


@dataclass(frozen=True, slots=True)
class PieceKind:
    """One kind of piece that can stand on a stack.

    letter: in board texts, lower case. word: what formats call it; a player's own pieces have the player's word.
    name: for people. shape: ``flag``, ``knight``, ``king`` or ``pawn``, as the page draws it. most: on the board at
    the same time. owner: word of the player it belongs to, empty for nobody's.
    """

    letter: str
    word: str
    name: Words
    shape: str
    paint: Paint
    most: int
    owner: str = ""

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the kind as the page gets it."""
        return {
            "letter": self.letter,
            "word": self.word,
            "name": self.name.text(language),
            "shape": self.shape,
            "paint": self.paint.to_json(),
            "most": self.most,
            "owner": self.owner or None,
        }


@dataclass(frozen=True, slots=True)
class TrackPlace:
    """A track in the board's margin on which a marker counts. places: how many fields it has."""

    name: str
    places: int


@dataclass(frozen=True, slots=True)
class Kit:
    """A game's kit: all that lies on the table.

    kind: of observation, by the name it is installed under (``referee.kinds``). columns, rows: of the grid, or of a
    tower's plan. stone, stones: what one building stone and several are called. block: how a stack is drawn:
    ``cube``, ``arched`` (a door in every side) or ``none``. tallest: levels a stack can have. pieces: what can stand
    on stacks, in the order of their codes from 1. tracks: beside the board. ring: fields of a score track around the
    board, on which every player has a marker; 0 without one.
    """

    kind: str
    columns: int
    rows: int
    stone: Words
    stones: Words
    block: str = "cube"
    tallest: int = 35
    pieces: tuple[PieceKind, ...] = ()
    tracks: tuple[TrackPlace, ...] = ()
    ring: int = 0

    @property
    def letters(self) -> str:
        """Return the letters of board texts; the code of a piece is its place in them, from 1."""
        return "".join(piece.letter for piece in self.pieces)

    def to_json(self, language: str = "en") -> dict[str, object]:
        """Return the kit as the page gets it."""
        return {
            "kind": self.kind,
            "columns": [chr(ord("A") + col) for col in range(self.columns)],
            "rows": list(range(self.rows, 0, -1)),
            "stone": self.stone.text(language),
            "stones": self.stones.text(language),
            "block": self.block,
            "tallest": self.tallest,
            "pieces": [piece.to_json(language) for piece in self.pieces],
            "tracks": [{"name": track.name, "places": track.places} for track in self.tracks],
        }
