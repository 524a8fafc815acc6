"""Checks whether a solved lens can exist. Few or flat pictures are fitted as well by lenses that no camera has.

What can't be is refused. What is only worse than it should be is a fault: the lens may be used, and the user is told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from calibration.causes import LensCause
from calibration.lens import Lens

RMS_FAULT_PX, RMS_REFUSE_PX = 0.5, 1.0
"""How far corners may lie from where the lens puts them, in pictures of up to PLAIN_PX; in larger ones in proportion.
Sharp corners of a flat target lie within 0.2 px."""
PLAIN_PX = 1920
SQUARE_WARN, SQUARE_REFUSE = 0.015, 0.02
"""By what share focal lengths across and down may differ: pixels of today's sensors are square."""
TANGENTIAL_FAULT = 0.01
"""The largest tangential term of a lens that sits straight before its sensor; usual ones have 0.001."""
COVERAGE_FAULT, COVERAGE_REFUSE = 0.25, 0.125
"""The least share of the picture that the target must have covered: elsewhere the lens is a guess."""
CENTRE_WARN, CENTRE_REFUSE = 0.05, 0.12
"""Largest distance of the principal point from the picture's middle, as a share of its diagonal."""
LOOSE_FAULT, LOOSE_REFUSE = 0.005, 0.04
"""A focal length whose standard deviation is so large a share of it is known badly, or not at all: heights are off by
that share. Sets of a dozen pictures on a flat target reach 0.001."""
SHORTEST, LONGEST = 0.2, 12.0
"""Focal lengths in picture widths: beyond these lie fisheyes, which the model does not hold for, and telescopes."""
CERTAIN = 3.0
"""A number that lies so many standard deviations from what is usual is not so by chance."""
TILTED = "hold the target tilted by 30 to 45 degrees to the left, to the right, towards you and away from you"
SPREAD = "hold it in every corner and along every edge of the picture, and once so near that it fills it"
SQUEEZED = (
    "set the camera to a picture size with the proportions of its sensor, and switch off what stretches pictures"
)
AS_PRINTED = "check that the target is the one of table.json, sharp, evenly lit and stiff"
REMEDIES = {
    LensCause.BENT: "the target is not flat: glue it onto glass or a stiff board, without waves, and take all anew",
    LensCause.ROLLING: (
        "the target or the camera moved while pictures were taken, and the camera reads their rows one after the "
        "other (rolling shutter): hold both still for every picture, or rest the target against something"
    ),
    LensCause.FOCUS: (
        "the focal length changed from picture to picture: fix focus and zoom (on a phone: lock the focus), then "
        "take all anew"
    ),
}


class LensFault(NamedTuple):
    """What is wrong with a lens, and what to do where the cause is not known better."""

    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}: {self.remedy}"


def told(faults: list[LensFault], cause: LensCause | None) -> str:
    """Put faults into one sentence that ends with what to do about their cause."""
    if cause is not None:
        return f"{'; '.join(fault.what for fault in faults)}: {REMEDIES[cause]}"
    remedies = list(dict.fromkeys(fault.remedy for fault in faults))
    return "; ".join(
        f"{', '.join(fault.what for fault in faults if fault.remedy == remedy)}: {remedy}" for remedy in remedies
    )


def nonsense(lens: Lens, deviations: Mapping[str, float], covered: float = 1.0) -> Iterator[LensFault]:
    """Yield why a lens must be refused, each with what to photograph; nothing for one that may exist.

    deviations: standard deviations of its parameters, where they are known (calibration/solve.py). covered: the share
    of the picture that the target covered.
    """
    across, down = float(lens.matrix[0, 0]), float(lens.matrix[1, 1])
    widths = across / lens.size[0]
    if not SHORTEST <= widths <= LONGEST:
        yield LensFault(
            f"no usual lens has a focal length of {across:.0f} px in pictures {lens.size[0]} px wide", TILTED
        )
    if abs(across / down - 1) > SQUARE_REFUSE:
        yield LensFault(
            f"focal lengths of {across:.0f} px across and {down:.0f} px down would need pixels that are not square",
            SQUEEZED if _is_certain(across - down, deviations, "fx", "fy") else TILTED,
        )
    if _off_centre(lens) > CENTRE_REFUSE:
        yield LensFault(f"the principal point would lie {_off_px(lens):.0f} px from the picture's middle", SPREAD)
    spread = deviations.get("fx", 0.0)
    if spread > LOOSE_REFUSE * across:
        yield LensFault(f"the focal length is not known: {across:.0f} px ± {spread:.0f} px", TILTED)
    askew = _askew(lens)
    if abs(askew[1]) > TANGENTIAL_FAULT and not _is_certain(askew[1], deviations, askew[0]):
        yield _askew_fault(askew)
    if lens.rms_px > RMS_REFUSE_PX * _enlarged(lens):
        yield _rms_fault(lens)
    if covered < COVERAGE_REFUSE:
        yield _coverage_fault(covered)


def shortcomings(lens: Lens, deviations: Mapping[str, float], covered: float = 1.0) -> Iterator[LensFault]:
    """Yield what is wrong with a lens that may be used until there is a better one."""
    across = float(lens.matrix[0, 0])
    if lens.rms_px > RMS_FAULT_PX * _enlarged(lens):
        yield _rms_fault(lens)
    if abs((askew := _askew(lens))[1]) > TANGENTIAL_FAULT:
        yield _askew_fault(askew)
    if (spread := deviations.get("fx", 0.0)) > LOOSE_FAULT * across:
        yield LensFault(f"the focal length is known badly: {across:.0f} px ± {spread:.0f} px", TILTED)
    if covered < COVERAGE_FAULT:
        yield _coverage_fault(covered)


def doubts(lens: Lens, deviations: Mapping[str, float]) -> Iterator[str]:
    """Yield what is odd about a lens that may be used, each with what to photograph."""
    across, down = float(lens.matrix[0, 0]), float(lens.matrix[1, 1])
    apart = abs(across - down)
    spread = math.hypot(deviations.get("fx", 0.0), deviations.get("fy", 0.0))
    if apart > SQUARE_WARN * down and apart > 2 * spread:
        yield f"the focal lengths across and down differ by {100 * apart / down:.1f} %, which is odd: {TILTED}"
    if _off_centre(lens) > CENTRE_WARN:
        yield f"the principal point lies {_off_px(lens):.0f} px from the picture's middle, which is odd: {SPREAD}"


def _is_certain(off: float, deviations: Mapping[str, float], *names: str) -> bool:
    """Return whether an offset is certainly not zero; never where deviations are not known."""
    return bool(deviations) and abs(off) > CERTAIN * math.hypot(*(deviations[name] for name in names))


def _enlarged(lens: Lens) -> float:
    return max(1.0, max(lens.size) / PLAIN_PX)


def _rms_fault(lens: Lens) -> LensFault:
    limit = RMS_FAULT_PX * _enlarged(lens)
    return LensFault(
        f"corners lie {lens.rms_px:.2f} px (rms) from where the lens puts them, {limit:.1f} px is usual at most",
        AS_PRINTED,
    )


def _askew(lens: Lens) -> tuple[str, float]:
    """Return the name and the value of the larger tangential term."""
    p1, p2 = (float(term) for term in lens.distortion[2:4])
    return ("p1", p1) if abs(p1) > abs(p2) else ("p2", p2)


def _askew_fault(askew: tuple[str, float]) -> LensFault:
    return LensFault(
        f"the lens would sit askew before its sensor (tangential term {askew[0]} of {askew[1]:.3f})", TILTED
    )


def _coverage_fault(covered: float) -> LensFault:
    return LensFault(f"the target covered only {100 * covered:.0f} % of the picture", SPREAD)


def _off_px(lens: Lens) -> float:
    width, height = lens.size
    return math.hypot(float(lens.matrix[0, 2]) - (width - 1) / 2, float(lens.matrix[1, 2]) - (height - 1) / 2)


def _off_centre(lens: Lens) -> float:
    return _off_px(lens) / math.hypot(*lens.size)
