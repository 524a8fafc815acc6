"""Colours as OpenCV has them."""

from __future__ import annotations

BGR = tuple[float, float, float]


def bgr_of(paint: str) -> BGR:
    """Return the BGR of a colour given as #rrggbb."""
    red, green, blue = (int(paint[at : at + 2], 16) for at in (1, 3, 5))
    return (float(blue), float(green), float(red))
