"""Hold how a camera did in one minute, and what befell it: values that are kept, and shown by page and metrics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class CameraSample:
    """Hold how a camera did for about a minute.

    age_s: of the newest picture, ``None`` before the first. losses: how often it was lost since the sample before.
    The rest is measured in the newest picture, ``None`` where there was none: markers found; edge_px: width of their
    edges, ``None`` without any; reprojection_px: rms, ``None`` without a lens or a pose; mean: brightness of the
    table, 0 to 255; burnt, black: clipped shares of it.
    """

    age_s: float | None = None
    losses: int = 0
    markers: int | None = None
    edge_px: float | None = None
    reprojection_px: float | None = None
    mean: float | None = None
    burnt: float | None = None
    black: float | None = None


class Befell(StrEnum):
    """What can befall a camera."""

    LOST = "lost"
    BACK = "back"
    MOVED = "moved"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class CameraEvent:
    """Something that befell a camera. at_s: Unix time."""

    at_s: float
    camera: str
    what: Befell
    words: Words
