"""Checks whether a solved lens can exist. Few or flat pictures are fitted as well by lenses that no camera has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from calibration.lens import Lens

SQUARE_WARN, SQUARE_REFUSE = 0.015, 0.05
"""By what share focal lengths across and down may differ: pixels of today's sensors are square."""
CENTRE_WARN, CENTRE_REFUSE = 0.05, 0.12
"""Largest distance of the principal point from the picture's middle, as a share of its diagonal."""
LOOSE_REFUSE = 0.04
"""A focal length whose standard deviation is so large a share of it is not known."""
SHORTEST, LONGEST = 0.2, 12.0
"""Focal lengths in picture widths: beyond these lie fisheyes, which the model does not hold for, and telescopes."""
TILTED = "hold the target tilted by 30 to 45 degrees to the left, to the right, towards you and away from you"
SPREAD = "hold it in every corner and along every edge of the picture, and once so near that it fills it"


def nonsense(lens: Lens, deviations: Mapping[str, float]) -> Iterator[str]:
    """Yield why a lens must be refused, each with what to photograph; nothing for one that may exist.

    deviations: standard deviations of its parameters, where they are known (calibration/solve.py).
    """
    across, down = float(lens.matrix[0, 0]), float(lens.matrix[1, 1])
    widths = across / lens.size[0]
    if not SHORTEST <= widths <= LONGEST:
        yield f"no usual lens has a focal length of {across:.0f} px in pictures {lens.size[0]} px wide: {TILTED}"
    if abs(across / down - 1) > SQUARE_REFUSE:
        yield (
            f"focal lengths of {across:.0f} px across and {down:.0f} px down would need pixels that are not square: "
            f"{TILTED}"
        )
    if _off_centre(lens) > CENTRE_REFUSE:
        yield f"the principal point would lie {_off_px(lens):.0f} px from the picture's middle: {SPREAD}"
    spread = deviations.get("fx", 0.0)
    if spread > LOOSE_REFUSE * across:
        yield f"the focal length is not known: {across:.0f} px ± {spread:.0f} px: {TILTED}"


def doubts(lens: Lens, deviations: Mapping[str, float]) -> Iterator[str]:
    """Yield what is odd about a lens that may be used, each with what to photograph."""
    across, down = float(lens.matrix[0, 0]), float(lens.matrix[1, 1])
    apart = abs(across - down)
    spread = math.hypot(deviations.get("fx", 0.0), deviations.get("fy", 0.0))
    if apart > SQUARE_WARN * down and apart > 2 * spread:
        yield f"the focal lengths across and down differ by {100 * apart / down:.1f} %, which is odd: {TILTED}"
    if _off_centre(lens) > CENTRE_WARN:
        yield f"the principal point lies {_off_px(lens):.0f} px from the picture's middle, which is odd: {SPREAD}"


def _off_px(lens: Lens) -> float:
    width, height = lens.size
    return math.hypot(float(lens.matrix[0, 2]) - (width - 1) / 2, float(lens.matrix[1, 2]) - (height - 1) / 2)


def _off_centre(lens: Lens) -> float:
    return _off_px(lens) / math.hypot(*lens.size)
