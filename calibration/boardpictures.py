"""What is kept of the pictures in which a board's corners were touched: the board, and what is just around it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardfile import Corner, CornerTouch, load_touches, touches_path
from calibration.errors import CalibrationError
from calibration.exif import focal_length_px, picture_note, with_focal_length
from calibration.masked import hull, only_inside
from calibration.picturefile import PictureError, decode_picture

_AROUND = 1.4
"""What is kept reaches so far beyond the edge, in shares of half the board: about 50 mm.

A chequered cloth shows both of its colours there: by one of them alone the board is found in fewer pictures.
"""
_QUALITY = 92
_ALIKE = 3.0
"""Grey levels by which a picture that holds the board alone differs at most, on average, from its board alone."""
_HEAD = 64
"""Bytes by which a file begins that was written here: its EXIF tells a focal length alone."""
_PLACES: Mapping[Corner, tuple[int, int]] = {"nw": (-1, 1), "ne": (1, 1), "se": (1, -1), "sw": (-1, -1)}

Picture = NDArray[np.uint8]
Corners = Mapping[Corner, tuple[float, float]]


def board_alone(picture: Picture, corners_px: Corners) -> Picture:
    """Return a picture that is flat but for the board and a little around it. corners_px: three or four of them."""
    flat = np.array([_PLACES[name] for name in corners_px], np.float32)
    at = np.array(list(corners_px.values()), np.float32)
    grown = _AROUND * np.array(list(_PLACES.values()), np.float32)
    if len(corners_px) == 4:
        around = cv2.perspectiveTransform(grown[None], cv2.getPerspectiveTransform(flat, at))[0]
    else:
        around = cv2.transform(grown[None], cv2.getAffineTransform(flat, at))[0]
    size = int(picture.shape[1]), int(picture.shape[0])
    return only_inside(picture, (hull(np.asarray(around, np.float64), size),))


def jpeg_of(picture: Picture, focal_px: float | None) -> bytes:
    """Return a JPEG that tells its focal length, where that is known, and nothing else."""
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
    if focal_px is None:
        return jpeg
    return with_focal_length(jpeg, round(focal_px / focal_length_px(1.0, (picture.shape[1], picture.shape[0]))))


def board_files(folder: Path) -> Mapping[str, bytes]:
    """Return the touches of a table folder and their pictures, the board alone of each, by path below the folder.

    Empty where no board was touched. Raises CalibrationError.
    """
    if not touches_path(folder).exists():
        return {}
    files: dict[str, bytes] = {}
    told = []
    for number, touch in enumerate(load_touches(folder), start=1):
        name = f"calibration/board-{number}.jpg"
        files[name] = _alone(touch)
        told.append({"picture": name, "corners": {corner: list(at) for corner, at in touch.corners_px.items()}})
    content = json.dumps({"touches": told}, indent=1) + "\n"
    return {touches_path(folder).relative_to(folder).as_posix(): content.encode(), **files}


def _alone(touch: CornerTouch) -> bytes:
    try:
        content = touch.picture.read_bytes()
        picture = decode_picture(content)
    except (OSError, PictureError) as error:
        raise CalibrationError(f"{touch.picture} cannot be read as a picture: {error}") from None
    told = picture_note(content).focal_35_mm
    focal_px = None if told is None else focal_length_px(told, (picture.shape[1], picture.shape[0]))
    alone = board_alone(picture, touch.corners_px)
    plain = jpeg_of(alone, focal_px)
    is_alone = float(np.abs(picture.astype(np.int16) - alone).mean()) < _ALIKE
    return content if is_alone and content[:_HEAD] == plain[:_HEAD] else plain
