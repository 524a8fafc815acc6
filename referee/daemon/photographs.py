"""Order a folder of photographs taken during a game, gather them into looks, and solve each lens from the frame.

Nobody calibrated anything: the lens of each phone (and of each zoom) is solved from the frame's own markers over its
pictures (calibration/framelens.py). Pictures are turned as their EXIF says and made smaller where they are large.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.decoding import LONGEST_PX, smaller
from calibration.errors import CalibrationError
from calibration.exif import PictureNote, focal_length_px, picture_note
from calibration.framelens import FrameLens, FrameSight, solve_frame_lens, turned
from calibration.lens import Lens, lens_text
from calibration.lenses import PICTURE_ENDINGS, pictures_in
from calibration.picturefile import PictureError, decode_picture
from calibration.pose import find_markers
from calibration.table import TableSetup
from vision.geometry.view import roaming_name

TOGETHER_S = 10.0
"""Pictures taken within so many seconds of each other show the same board."""

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Photograph:
    """A picture file. name: below the folder; lens: which lens took it, as far as is known; note: what it says."""

    path: Path
    name: str
    lens: str
    note: PictureNote


@dataclass(frozen=True, slots=True)
class PhotoLook:
    """Photographs of one board. at: when the first was taken, ``None`` where it does not say."""

    photographs: tuple[Photograph, ...]

    @property
    def at(self) -> datetime | None:
        """Return when the first was taken, with an offset from UTC."""
        return at_of(self.photographs[0])

    @property
    def name(self) -> str:
        """Return the first photograph's name."""
        return self.photographs[0].name


def found_photographs(folder: Path) -> list[Photograph]:
    """Return the photographs in a folder and its folders, one a phone, in the order in which they were taken.

    By EXIF time; where not all of them tell it, by name. Raises CalibrationError for none.
    """
    found = []
    for place in (folder, *sorted(path for path in folder.iterdir() if path.is_dir())):
        for path in pictures_in(place):
            note = picture_note(path.read_bytes())
            phone = "" if place == folder else place.name
            found.append(Photograph(path, path.relative_to(folder).as_posix(), f"{phone} {note.lens}".strip(), note))
    if not found:
        raise CalibrationError(f"{folder}: there are no pictures in it ({', '.join(PICTURE_ENDINGS)})")
    if all(one.note.taken_at is not None for one in found):
        found.sort(key=lambda one: (at_of(one) or datetime.min.replace(tzinfo=UTC), one.name))
    return found


def skipped_files(folder: Path) -> list[str]:
    """Return the names of the files among photographs that are none, below the folder."""
    places = (folder, *sorted(path for path in folder.iterdir() if path.is_dir()))
    files = (path for place in places for path in sorted(place.iterdir()) if path.is_file())
    return [
        path.relative_to(folder).as_posix()
        for path in files
        if path.suffix.lower() not in PICTURE_ENDINGS and not path.name.startswith(".")
    ]


def at_of(one: Photograph) -> datetime | None:
    """Return when a photograph was taken; where its offset from UTC is not told, that of this computer."""
    taken = one.note.taken_at
    return None if taken is None else taken.astimezone(UTC)


def gathered(photographs: Sequence[Photograph], together_s: float = TOGETHER_S) -> list[PhotoLook]:
    """Gather photographs into looks: those taken within so many seconds of the one before show the same board."""
    looks: list[list[Photograph]] = []
    for one in photographs:
        at = at_of(one)
        before = at_of(looks[-1][-1]) if looks else None
        if at is not None and before is not None and (at - before).total_seconds() <= together_s:
            looks[-1].append(one)
        else:
            looks.append([one])
    return [PhotoLook(tuple(look)) for look in looks]


def load_photograph(one: Photograph) -> Picture:
    """Load a photograph as BGR, upright, not larger than ``calibration.decoding.LONGEST_PX``.

    Raises CalibrationError.
    """
    try:
        return smaller(decode_picture(one.path.read_bytes(), LONGEST_PX))
    except (OSError, PictureError) as error:
        raise CalibrationError(f"{one.path}: {error}; take it out of the folder") from error


@dataclass(frozen=True, slots=True)
class PhotoTable:
    """A table as photographs see it.

    setup: with a camera for each lens and way to hold it. lenses: by camera. names: by photograph, its picture's name
    in a reading; of several by one camera in a look each has a number. solved: by lens, how each came about. unseen:
    photographs in which the frame is not seen.
    """

    setup: TableSetup
    lenses: Mapping[str, Lens]
    names: Mapping[str, str]
    solved: Mapping[str, FrameLens]
    unseen: tuple[str, ...]


def solved_table(looks: Iterable[PhotoLook], table: TableSetup) -> PhotoTable:
    """Solve every lens from the frame in its pictures. Raises CalibrationError for a lens that can't be solved."""
    sights: dict[str, list[FrameSight]] = {}
    focals: dict[str, float] = {}
    names: dict[str, str] = {}
    kinds: dict[str, tuple[str, tuple[int, int]]] = {}
    unseen = []
    for look in looks:
        taken: dict[str, list[str]] = {}
        for one in look.photographs:
            picture = load_photograph(one)
            size = (int(picture.shape[1]), int(picture.shape[0]))
            lying = (max(size), min(size))
            lens = f"{one.lens or 'camera'} {lying[0]}x{lying[1]}"
            seen = find_markers(picture, table)
            if not seen:
                unseen.append(one.name)
            upright = size != lying
            sights.setdefault(lens, []).append(FrameSight(one.name, lying, _laid(seen, size) if upright else seen))
            if one.note.focal_35_mm is not None:
                focals[lens] = focal_length_px(one.note.focal_35_mm, lying)
            number = list(sights).index(lens) + 1
            camera = f"phone{number}{'-upright' if upright else ''}"
            taken.setdefault(camera, []).append(one.name)
            kinds[camera] = lens, size
        for camera, files in taken.items():
            several = {file: roaming_name(camera, number) for number, file in enumerate(files, 1)}
            names |= several if len(files) > 1 else {files[0]: camera}
    solved = {lens: _solved(lens, seen, table, focals.get(lens)) for lens, seen in sights.items()}
    lenses = {
        camera: solved[lens].lens if size[0] >= size[1] else turned(solved[lens].lens)
        for camera, (lens, size) in kinds.items()
    }
    return PhotoTable(replace(table, cameras=tuple(lenses), held=()), lenses, names, solved, tuple(unseen))


def _laid(seen: Mapping[int, NDArray[np.float64]], size: tuple[int, int]) -> dict[int, NDArray[np.float64]]:
    """Return corners of an upright picture as they lie once it is turned by a quarter (counter-clockwise)."""
    return {number: np.stack([at[:, 1], size[0] - 1 - at[:, 0]], axis=1) for number, at in seen.items()}


def _solved(lens: str, sights: Sequence[FrameSight], table: TableSetup, focal_px: float | None) -> FrameLens:
    try:
        return solve_frame_lens(sights, table, focal_px)
    except CalibrationError as error:
        raise CalibrationError(f"{lens}: {error}") from None


def measures(text: str, table: PhotoTable) -> dict[str, bytes]:
    """Return the table's file with the photographs' cameras in it, and their lenses, as an export packs them.

    text: of the table's ``table.json``.
    """
    data = json.loads(text) | {"cameras": list(table.setup.cameras)}
    data.pop("held", None)  # names cameras of the table; none of these is one
    files = {"table.json": (json.dumps(data, indent=1) + "\n").encode()}
    return files | {f"calibration/{name}.json": lens_text(lens).encode() for name, lens in table.lenses.items()}
