"""Tables with a tower of bars from which measuring starts."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class TowerPreset:
    """Sizes in mm of a table on which a tower of bars is built.

    name: a word; about: in a few. bar_mm: a bar's width, depth and length. base_mm: width, depth and thickness of
    what the tower stands on. board_mm: width and depth of the board that is turned, which carries the markers.
    """

    name: str
    about: str | Words
    bar_mm: tuple[float, float, float]
    base_mm: tuple[float, float, float]
    board_mm: tuple[float, float]
