"""Sizes from which the measuring of a board of stacks starts; players measure their own pieces."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.words import Words

FIGURES = ("flag", "knight", "king")
"""Pieces whose sizes a ``table.json`` has; figures of every other form are measured as knights."""


@dataclass(frozen=True, slots=True)
class MarginTrack:
    """A track of fields in the board's margin, beside the playing fields.

    above: beside the last row, else beside the first. rightwards: place 1 lies right of the board's middle and the
    others further right; else to the left.
    """

    name: str
    above: bool
    rightwards: bool
    places: int


FIGURES = ("flag", "knight", "king")
"""The words of all figures that stand on stacks; a game has flags, or knights, beside which there may be a king."""
STYLES = ("rod", "pole", "banner", "pawn")
"""What flags may look like."""


@dataclass(frozen=True, slots=True)
class StackFigure:
    """A piece that stands on stacks.

    word: its key in ``table.json``, of FIGURES. height_mm: over its stack. radius_mm: at its widest.
    """

    word: str
    height_mm: float
    radius_mm: float

    def __post_init__(self) -> None:
        if self.word not in FIGURES:
            raise ValueError(f"no table has a figure {self.word!r}: its sizes are those of a {', a '.join(FIGURES)}")


@dataclass(frozen=True, slots=True)
class TablePreset:
    """Sizes in mm.

    name: a word; about: in a few. pitch_mm: distance of fields' centres across and away. stone_mm: width, depth,
    height. figures: that stand on the stacks, the usual one first. flag_style: what it looks like, where flags may
    look in several ways. board_mm: the board's outer width and depth, margins and all; thickness_mm: of the board.
    track_off_mm: from the edge of the playing fields to the middle of the tracks; track_pitch_mm: from one place of a
    track to the next. Raises ValueError for figures or a style that no ``table.json`` can hold.
    """

    name: str
    about: str | Words
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    stone_mm: tuple[float, float, float]
    figures: tuple[StackFigure, ...]
    board_mm: tuple[float, float]
    thickness_mm: float
    flag_style: str = ""
    tracks: tuple[MarginTrack, ...] = ()
    track_off_mm: float = 0.0
    track_pitch_mm: float = 0.0

    def __post_init__(self) -> None:
        if len(self.stone_mm) != 3 or not all(isinstance(size, float | int) for size in self.stone_mm):
            raise ValueError(
                f"the preset {self.name!r}: stone_mm is one stone's width, depth and height. All stones are of one "
                "size: the height of a stack of others is told wrong"
            )
        words = tuple(figure.word for figure in self.figures)
        if words not in ((), ("flag",), ("knight",), ("knight", "king")):
            told = ", ".join(map(repr, words))
            raise ValueError(f"preset {self.name!r}: figures are flag, knight, or knight and king, but not {told}")
        if "flag" in words and self.flag_style not in STYLES:
            raise ValueError(f"preset {self.name!r}: flag_style is one of {', '.join(STYLES)}")
