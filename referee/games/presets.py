"""Tables to start from: sizes of pieces as they are often found. Everybody's own are measured, these are a guess."""

from __future__ import annotations

from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class TablePreset:
    """Sizes in mm.

    name: a word; about: in a few. pitch_mm: distance of fields' centres across and away. stone_mm: width, depth,
    height. flag: style, height over its stack, radius. board_mm: the board's outer width and depth, margins and all;
    thickness_mm: of the board. track_off_mm: from the edge of the playing fields to the middle of the tracks;
    track_pitch_mm: from one place of a track to the next. king_mm: a king's height and radius, where knights and a
    king stand on the stacks; flag then gives a knight's sizes.
    """

    name: str
    about: str
    columns: int
    rows: int
    pitch_mm: tuple[float, float]
    stone_mm: tuple[float, float, float]
    flag_style: str
    flag_mm: tuple[float, float]
    board_mm: tuple[float, float]
    thickness_mm: float
    tracks: tuple[MarginTrack, ...]
    track_off_mm: float
    track_pitch_mm: float
    king_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TowerPreset:
    """Sizes in mm of a table on which a tower of bars is built.

    name: a word; about: in a few. bar_mm: a bar's width, depth and length. base_mm: width, depth and thickness of
    what the tower stands on. board_mm: width and depth of the board that is turned, which carries the markers.
    """

    name: str
    about: str
    bar_mm: tuple[float, float, float]
    base_mm: tuple[float, float, float]
    board_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class LedgerPreset:
    """A table at which everything is declared and nothing need be measured. name: a word; about: in a few."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class MatPreset:
    """Sizes in mm of a mat on which dice are rolled and things lie; what its places mean is taught on the page.

    name: a word; about: in a few. mat_mm: width and depth. die_mm: a die's side.
    """

    name: str
    about: str
    mat_mm: tuple[float, float]
    die_mm: float


AnyPreset = TablePreset | TowerPreset | LedgerPreset | MatPreset
"""Sizes to start from, by the kind of thing the game observes."""
