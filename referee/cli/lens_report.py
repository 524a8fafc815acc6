"""Report on a solved lens: how well it fits, how sure each number is, what to do better next time."""

from __future__ import annotations

from collections.abc import Iterator

from calibration.focus import FocusShift
from calibration.plausible import doubts
from calibration.solve import LensSolution

THIN_COVERAGE = 0.5
"""Pictures that covered less than this share leave the rest of the picture to the model."""
LOOSE_FOCAL = 0.003
"""A focal length known less well than this share (standard deviation) needs more tilted pictures."""


def report_lines(camera: str, solution: LensSolution, count: int) -> Iterator[str]:
    """Yield the report, line by line. count: how many pictures there were, those left out included."""
    lens = solution.lens
    yield (
        f"{camera}: rms {lens.rms_px:.2f} px from {len(solution.used)} of {count} pictures at "
        f"{lens.size[0]} x {lens.size[1]}"
    )
    (fx, _, cx), (_, fy, cy) = lens.matrix[0], lens.matrix[1]
    yield f"  focal length {_told(fx, 'fx', solution)} px across, {_told(fy, 'fy', solution)} px down"
    yield f"  principal point {_told(cx, 'cx', solution)}, {_told(cy, 'cy', solution)} px"
    terms = zip(("k1", "k2", "p1", "p2", "k3"), lens.distortion, strict=True)
    yield "  distortion " + ", ".join(f"{name} {_told(v, name, solution, 5)}" for name, v in terms if v)
    if solution.coverage is not None:
        bare = f"; hardly in the {', '.join(solution.coverage.bare)}" if solution.coverage.bare else ""
        yield f"  the target covered {100 * solution.coverage.share:.0f} % of the picture{bare}"
    for name, why in solution.left_out:
        yield f"  {name} left out: {why}"
    yield from _advice(solution)


def _told(value: float, name: str, solution: LensSolution, digits: int = 1) -> str:
    spread = solution.deviations.get(name)
    return f"{value:.{digits}f}" + (f" ± {spread:.{digits}f}" if spread is not None else "")


def _advice(solution: LensSolution) -> Iterator[str]:
    if solution.focus is not None:
        yield f"  careful: {focus_words(solution.focus)}"
    if not solution.deviations:
        yield "  careful: every picture is needed, so how sure the numbers are can't be told: take more"
    elif solution.deviations["fx"] > LOOSE_FOCAL * solution.lens.matrix[0, 0]:
        yield "  careful: the focal length is known badly: add pictures with the target tilted to every side"
    yield from (f"  careful: {doubt}" for doubt in doubts(solution.lens, solution.deviations))
    if solution.coverage is not None and solution.coverage.share < THIN_COVERAGE:
        yield "  careful: much of the picture never showed the target: add pictures with it near the edges"


def focus_words(focus: FocusShift) -> str:
    """Say what a changed focal length means and what to do."""
    named = ", ".join(focus.pictures[:6]) + (" and others" if len(focus.pictures) > 6 else "")
    more = "longer" if focus.share > 0 else "shorter"
    cause = "autofocus follows the target" if focus.by == "distance" else "it was refocused or zoomed on the way"
    return (
        f"the focal length of {len(focus.pictures)} pictures ({named}) is {100 * abs(focus.share):.1f} % {more} than "
        f"that of the others: {cause}; fix focus and zoom (on a phone: lock the focus), then take all anew"
    )
