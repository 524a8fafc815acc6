"""Finds a table's lenses: in its folder's lens files, or by solving its target pictures when they are loaded.

A table folder that cannot be written to (a shared or archived one) still works: what is solved from its pictures is
kept in the user's cache, under the hash of everything it depends on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens, load_lens, save_lens
from calibration.picturefile import PictureError, decode_picture
from calibration.solve import LensSolution, solve_lens
from calibration.table import Charuco, TableSetup
from calibration.target import Target

SOLVER = "2"
"""Raised whenever a change of the solver changes what comes out, so that cached lenses are solved again."""
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".heic", ".heif", ".webp")


def lens_path(folder: Path, camera: str) -> Path:
    """Return the path of a camera's lens file in a table folder."""
    return folder / "calibration" / f"{camera}.json"


def target_pictures(folder: Path, camera: str) -> list[Path]:
    """Return the camera's pictures of the calibration target, by name; empty when there are none."""
    return pictures_in(folder / "calibration" / camera)


def pictures_in(place: Path) -> list[Path]:
    """Return the picture files in a folder, by name; empty when there are none or no such folder."""
    return (
        sorted(path for path in place.glob("*") if path.suffix.lower() in PICTURE_ENDINGS) if place.is_dir() else []
    )


def find_lens(folder: Path, table: TableSetup, camera: str) -> Lens:
    """Find a camera's lens: its lens file, else solved from its target pictures (cached where that works).

    Raises CalibrationError when there is neither, or the pictures do not give a lens.
    """
    path = lens_path(folder, camera)
    if path.exists():
        return load_lens(path)
    pictures = target_pictures(folder, camera)
    if not pictures:
        raise CalibrationError(f"{camera} has no lens: {how_to_calibrate(folder, table, camera)}")
    cached = _cache_folder() / f"{_fingerprint(pictures, table.charuco)}.json"
    with contextlib.suppress(CalibrationError):
        return load_lens(cached)
    lens = solve_from_files(pictures, table.charuco, camera).lens
    with contextlib.suppress(OSError):
        cached.parent.mkdir(parents=True, exist_ok=True)
        save_lens(cached, lens)
    return lens


def how_to_calibrate(folder: Path, table: TableSetup, camera: str) -> str:
    """Return what makes a camera's lens."""
    if camera in table.held:
        return f"start 'referee run {folder}' and walk around the board with the phone"
    return (
        f"put pictures of the calibration target into {lens_path(folder, camera).with_suffix('')} and run "
        f"referee calibrate lenses --table {folder}"
    )


def solve_from_files(paths: Sequence[Path], target: Target, camera: str, fixed_focus: bool = False) -> LensSolution:
    """Solve a lens from picture files; unreadable ones are left out. Raises CalibrationError naming the camera."""
    pictures: list[tuple[str, NDArray[np.uint8]]] = []
    unreadable: list[tuple[str, str]] = []
    for path in paths:
        try:
            pictures.append((path.name, decode_picture(path.read_bytes())))
        except (OSError, PictureError) as error:
            unreadable.append((path.name, f"the file cannot be read as a picture: {_why(error)}"))
    try:
        solution = solve_lens(pictures, target, fixed_focus)
    except CalibrationError as error:
        left = f"; left out: {', '.join(name for name, _ in unreadable)} (unreadable)" if unreadable else ""
        raise CalibrationError(f"{camera}: {error}{left}") from None
    return replace(solution, left_out=(*unreadable, *solution.left_out))


def read_picture(path: Path) -> NDArray[np.uint8] | None:
    """Read a picture file as (height, width, 3) BGR uint8; ``None`` when it is missing or can't be taken as one."""
    try:
        return decode_picture(path.read_bytes())
    except (OSError, PictureError):
        return None


def _why(error: OSError | PictureError) -> str:
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def _cache_folder() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if given and Path(given).is_absolute() else Path("~/.cache")
    with contextlib.suppress(RuntimeError):
        base = base.expanduser()
    return base / "tower-referee" / "lenses"


def _fingerprint(pictures: Sequence[Path], target: Charuco) -> str:
    digest = hashlib.sha256(f"{SOLVER} {target}".encode())
    for path in pictures:
        with contextlib.suppress(OSError):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
