"""Hold what a picture tells of the light on a table: plain numbers that other rooms judge and show."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.board import Field


@dataclass(frozen=True, slots=True)
class Shadows:
    """Shadows that stacks throw.

    lost: share of the light that is missing in them, 0 for none. fields: more than half in shade; stacks: that throw
    them. azimuth_deg: where the lamp stands, from the board's middle, 0 along x and 90 along y; elevation_deg: about
    how high, above the board's plane.
    """

    lost: float = 0.0
    fields: tuple[Field, ...] = ()
    stacks: tuple[Field, ...] = ()
    azimuth_deg: float = 0.0
    elevation_deg: float = 90.0


@dataclass(frozen=True, slots=True)
class Glare:
    """Lamps mirrored in what lies on the board.

    fields: where, area: how many fields' worth. azimuth_deg: where the lamp stands, as in ``Shadows``.
    """

    area: float = 0.0
    fields: tuple[Field, ...] = ()
    azimuth_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class LampFigures:
    """The light in one camera's picture.

    paper: median brightness of the frame's paper, 0 to 255. noise: standard deviation of a pixel, grey levels.
    uneven: share by which the darkest part of the frame has less light than the brightest; bright_deg: the side of
    the brightest, as an azimuth. glare: ``None`` where paper is so bright that nothing can be told. shadows: ``None``
    where it is not known what stands on the board. flicker: amplitude of waves of light that run over the rows from
    picture to picture, as a share; ``None`` with too few pictures.
    """

    paper: float
    noise: float
    uneven: float
    bright_deg: float
    glare: Glare | None
    shadows: Shadows | None
    flicker: float | None = None
