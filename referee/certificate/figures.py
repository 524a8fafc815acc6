"""Hold what was measured of a table as plain numbers: the certificate judges them and asks no camera."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.board import Field
from referee.values.players import PlayerName
from referee.values.words import Words

Grid = tuple[tuple[float, ...], ...]
"""A number for every field, row "1" first."""


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """One camera's picture of the set-up.

    markers of markers_all found; reprojection_px rms; edge_px: width of the markers' edges; burnt, black: clipped
    shares of the table's area; paper: median brightness of the frame's paper, 0 to 255; colour_gap: smallest CIELAB
    distance between two colours of pieces, with the two; field_px: side of the middle field; levels_px: low one (5th
    percentile) and middle one of the fields' pixels a level; outside: fields outside the picture.
    """

    name: str
    size: tuple[int, int]
    at_mm: tuple[float, float, float]
    markers: int
    markers_all: int
    reprojection_px: float
    edge_px: float
    burnt: float
    black: float
    paper: float
    colour_gap: float | None
    colours: tuple[PlayerName, PlayerName] | None
    field_px: float
    levels_px: tuple[float, float]
    outside: int


@dataclass(frozen=True, slots=True)
class LostCamera:
    """A camera that could not be used, and why. size: its picture's, (0, 0) when there was none."""

    name: str
    size: tuple[int, int]
    why: Words


@dataclass(frozen=True, slots=True)
class SetupFigures:
    """The set-up as read against the rules': fields in all, those not read for sure, and the differences.

    problem: why no comparison was possible, then the rest is empty.
    """

    fields: int
    doubtful: tuple[Field, ...] = ()
    differences: tuple[tuple[tuple[Field, ...], Words], ...] = ()
    clear: bool = True
    problem: Words | None = None


@dataclass(frozen=True, slots=True)
class SightFigures:
    """How well all cameras together see the fields.

    best_px: pixels a level of the best camera. hidden: share of usual positions in which no camera sees the field.
    extra: where one more camera helps most ((3,) mm), with the number of fields hidden then; ``None`` if nowhere.
    """

    best_px: Grid
    hidden: Grid
    extra_at_mm: tuple[float, float, float] | None
    extra_hidden: float

    @property
    def fields_hidden(self) -> float:
        """Return how many fields are hidden in a usual position."""
        return sum(sum(row) for row in self.hidden)


@dataclass(frozen=True, slots=True)
class TableFigures:
    """What was measured of a table, whatever is built on it; the first four stand in its certificate as they are."""

    table: str
    game: str
    made_at: str
    half_mm: tuple[float, float]
    cameras: tuple[CameraFigures | LostCamera, ...]
    setup: SetupFigures
