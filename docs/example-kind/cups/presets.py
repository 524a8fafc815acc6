"""Tables to start measuring from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RowPreset:
    """Sizes in mm. name: a word; about: in a few. cup_mm: a cup's width and height. pitch_mm: from cup to cup."""

    name: str
    about: str
    cup_mm: tuple[float, float]
    pitch_mm: float
