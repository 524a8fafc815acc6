"""Teaches a mat's places: from taps in a picture to places in mm and colours, and to the files that keep them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.picturefile import PictureError, decode_picture
from vision.geometry.view import View
from vision.ledger.light import Light, shares
from vision.ledger.places import MAT_FILE, PLACES_FILE, Places, load_places, places_text
from vision.ledger.symbols import MOST_KEPT, SIDE_PX, Face

_BRIGHTEST = 1.6
"""Shares of white beyond this, which is gloss, are kept as this."""
_AROUND_PX = 3
SYMBOL_FILE = "symbol-{number}.png"
"""A face that bears a sign: its pictures, each ``SIDE_PX`` wide and high, side by side."""
NUMBERS = range(1, 7)


def on_mat(view: View, taps_px: NDArray[np.float64], height_mm: float = 0.0) -> NDArray[np.float64]:
    """Return places (n, 2) mm on the mat's surface, or so far above, under taps (n, 2) in a camera's picture.

    Raises CalibrationError for a tap over the horizon.
    """
    flat = cv2.undistortPoints(
        np.asarray(taps_px, np.float64).reshape(-1, 1, 2), view.lens.matrix, view.lens.distortion
    ).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))]) @ view.pose.rotation
    eye = view.pose.centre_mm
    if (rays[:, 2] > -1e-6).any():
        raise CalibrationError("a tap lies beside the mat: tap on it")
    return np.asarray((eye - rays * ((eye[2] - height_mm) / rays[:, 2])[:, None])[:, :2], np.float64)


def colour_at(view: View, light: Light, tap_px: tuple[float, float]) -> NDArray[np.float64]:
    """Return the colour (3,) of what was tapped, a share of white paper's: the median of a few pixels around.

    Raises CalibrationError for a tap outside the picture.
    """
    reach = np.arange(-_AROUND_PX, _AROUND_PX + 1)
    around = np.array([[tap_px[0] + dx, tap_px[1] + dy] for dx in reach for dy in reach], np.float64)
    places = np.column_stack([on_mat(view, around), np.zeros(len(around))])
    seen = shares(view, light, places)
    if not np.isfinite(seen).any():
        raise CalibrationError("a tap lies outside the picture")
    return np.asarray(np.nanmedian(seen, axis=0), np.float64)


def save_places(folder: Path, places: Places) -> None:
    """Write ``places.json``, ``mat.png`` where the empty mat is known, and the faces that bear a sign.

    What is written are pixels alone, without whatever a camera notes beside them. Raises CalibrationError when it
    can't.
    """
    try:
        _save_symbols(folder, places.symbols)
        if places.mat is not None:
            coded = np.nan_to_num(255 * (np.clip(places.mat, 0, _BRIGHTEST) / _BRIGHTEST) ** (1 / 2.2)).round()
            coded = np.where(np.isfinite(places.mat).all(axis=-1, keepdims=True), np.maximum(coded, 1), 0)
            write_atomic(folder / MAT_FILE, cv2.imencode(".png", coded.astype(np.uint8))[1].tobytes())
        write_atomic(folder / PLACES_FILE, places_text(places).encode())
    except OSError as error:
        raise CalibrationError(f"{folder}: the places can't be written: {error.strerror}") from None


def _save_symbols(folder: Path, symbols: Mapping[int, Sequence[Face]]) -> None:
    for number in NUMBERS:
        path = folder / SYMBOL_FILE.format(number=number)
        if faces := symbols.get(number):
            write_atomic(path, cv2.imencode(".png", np.hstack(faces))[1].tobytes())
        else:
            path.unlink(missing_ok=True)


def _taught_symbols(folder: Path) -> dict[int, tuple[Face, ...]]:
    """Return the faces that were shown. Raises CalibrationError naming the file."""
    out: dict[int, tuple[Face, ...]] = {}
    for number in NUMBERS:
        path = folder / SYMBOL_FILE.format(number=number)
        if not path.exists():
            continue
        try:
            picture = decode_picture(path.read_bytes())
        except (OSError, PictureError) as error:
            raise CalibrationError(f"{path}: {error}: show this face of the die anew") from None
        high, wide = picture.shape[:2]
        if high != SIDE_PX or wide % SIDE_PX or not 1 <= wide // SIDE_PX <= MOST_KEPT:
            raise CalibrationError(f"{path}: is no picture of a die's face: show this face of the die anew")
        out[number] = tuple(picture[:, at : at + SIDE_PX] for at in range(0, wide, SIDE_PX))
    return out


def taught_places(folder: Path) -> Places:
    """Return the places taught for a table folder, with the empty mat's picture and the signs of dice, if any.

    Raises CalibrationError naming file, line and key.
    """
    path = folder / MAT_FILE
    mat = None
    if path.exists():
        try:
            picture = decode_picture(path.read_bytes())
        except (OSError, PictureError) as error:
            raise CalibrationError(f"{path}: {error}: teach the places anew") from None
        mat = np.asarray(_BRIGHTEST * (picture / 255.0) ** 2.2, np.float32)
        mat[(picture == 0).all(axis=-1)] = np.nan
    places, symbols = load_places(folder, mat), _taught_symbols(folder)
    return replace(places, symbols=symbols) if symbols else places
