"""Makes what every new ``table.json`` holds beside its sizes: a frame of markers that fits, and a target."""

from __future__ import annotations

from calibration.layout import DICTIONARY, design_frame
from calibration.table import PLAIN_TARGET
from calibration.writing import corners_json

TARGET = {
    "squares": list(PLAIN_TARGET.squares),
    "square": PLAIN_TARGET.square_mm,
    "marker": PLAIN_TARGET.marker_mm,
    "dictionary": PLAIN_TARGET.dictionary,
}


def frame_data(inside_mm: tuple[float, float], height_mm: float, marker_mm: float) -> dict[str, object]:
    """Return the keys ``markers`` and ``charuco``.

    inside_mm: width and depth that the frame goes around. height_mm: of the paper over the board's surface (negative:
    below). Raises CalibrationError for a board too large for the markers.
    """
    corners = corners_json(design_frame(inside_mm, height_mm, marker_mm))
    return {"markers": {"dictionary": DICTIONARY, "size": marker_mm, "corners": corners}, "charuco": TARGET}
