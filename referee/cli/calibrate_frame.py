"""``referee calibrate frame``: where the printed frame's markers really lie, measured from pictures of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bundle import MarkerObservation
from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.frame import FrameFit, refine_frame, sight_frame
from calibration.lens import Lens
from calibration.lenses import PICTURE_ENDINGS, find_lens, read_picture
from calibration.masked import only_inside
from calibration.pose import Pose
from calibration.table import TableSetup, load_framed
from calibration.writing import write_markers
from referee.cli.failures import in_words
from referee.cli.frames import SETTLED_S, FramesError, live_frames, source_of
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import TABLE
from vision.geometry.kept import outline_of, spaces_over
from vision.sources.address import Source

PLACE = "frame"
"""Folder in the table's folder for pictures of the frame."""
LIVE_PICTURES, APART_S = 4, 0.5
FEW_MARKERS = "fewer than three of the frame's markers are seen"
WORTH_TELLING_MM = 0.5
WELL_LAID_MM = 3.0
"""A marker further off than this is worth laying again; it is measured all the same."""


@click.command(name="frame")
@TABLE
@click.argument("pictures", nargs=-1)
@click.option("--live", is_flag=True, help='Take the pictures from the cameras the settings name; kept in "frame".')
@click.option("--dry-run", is_flag=True, help="Only tell what was measured; leave table.json as it is.")
def command(folder: Path, pictures: tuple[str, ...], live: bool, dry_run: bool) -> None:
    """Measure where the frame's strips really lie and write it into table.json.

    PICTURES are files or folders; without any, those in the folder "frame" of the table's folder. Each is named
    after its camera, such as cam0.jpg or 003_cam0.jpg, lies in a folder that is, or is given as cam0=FILE. Three or
    four pictures of every camera do, with the whole frame in sight and nothing on it. The old table.json is
    kept beside the new one.
    """
    try:
        table = load_framed(folder)
        if live and pictures:
            raise CalibrationError("give either --live or pictures, not both")
        chosen = _taken(folder, table) if live else _pictures(pictures or (str(folder / PLACE),), table)
        fit = refine_frame(_sightings(chosen, folder, table), table)
        _tell(fit, table)
        if not dry_run:
            kept = write_markers(folder, fit.markers)
            click.echo(f"written to {folder / 'table.json'}; the layout before is kept in {kept.name}")
    except (CalibrationError, FramesError, OSError) as error:
        click.echo(f"referee calibrate frame: {in_words(error)}", err=True)
        raise SystemExit(FAULTY) from None


def _pictures(places: Sequence[str], table: TableSetup) -> list[tuple[str, Path]]:
    """Return (camera, path) of every picture in the places named. Raises CalibrationError where there is none."""
    found: list[tuple[str, Path]] = []
    for named in places:
        camera, equals, file = named.partition("=")
        told = camera if equals and camera in table.cameras else None
        place = Path(file if told else named)
        if place.suffix and not place.exists():
            raise CalibrationError(f"{place}: there is no such file")
        if not place.exists():
            raise CalibrationError(
                f"{place}: there are no pictures: take three or four of the empty board with each camera and put "
                f"them there, named after their camera, such as 1_{table.prepared[0]}.jpg"
            )
        paths = sorted(place.rglob("*")) if place.is_dir() else [place]
        found += [(told or _camera(path, table), path) for path in paths if path.suffix.lower() in PICTURE_ENDINGS]
    if not found:
        raise CalibrationError(f"{places[0]}: holds no picture (*.jpg, *.png)")
    return found


def _taken(folder: Path, table: TableSetup) -> list[tuple[str, Path]]:
    """Take pictures with every camera, return (camera, path) of each, and say why a camera gives none.

    Only the frame is kept of them. Raises CalibrationError for a camera without a lens.
    """
    found: list[tuple[str, Path]] = []
    (folder / PLACE).mkdir(exist_ok=True)
    for camera in table.prepared:
        try:
            for number, picture in enumerate(_apart(camera, source_of(camera, "", folder)), 1):
                path = folder / PLACE / f"live{number}_{camera}.jpg"
                seen = sight_frame(picture, find_lens(folder, table, camera), table, camera)
                if seen is None:
                    click.echo(f"picture {number} by {camera} left out: {FEW_MARKERS}")
                    continue
                _, content = cv2.imencode(".jpg", _frame_only(picture, seen, table), [cv2.IMWRITE_JPEG_QUALITY, 95])
                write_atomic(path, content.tobytes())
                found.append((camera, path))
        except FramesError as error:
            click.echo(f"referee calibrate frame: {in_words(error)}", err=True)
    if not found:
        raise CalibrationError("no camera gave a picture of the frame")
    return found


def _frame_only(picture: NDArray[np.uint8], seen: MarkerObservation, table: TableSetup) -> NDArray[np.uint8]:
    pose = Pose(seen.rotation, seen.translation_mm, len(seen.seen_px), 0.0)
    return only_inside(picture, outline_of(spaces_over(table, 0.0), pose, seen.lens))


def _apart(camera: str, source: Source) -> Iterator[NDArray[np.uint8]]:
    """Yield LIVE_PICTURES pictures of a camera, APART_S seconds apart, the first after the camera has settled."""
    taken, next_s = 0, None
    for time_s, picture in live_frames(camera, source):
        if next_s is None:
            next_s = time_s + (SETTLED_S if source.live else 0.0)
        if time_s >= next_s:
            yield picture
            taken, next_s = taken + 1, time_s + APART_S
        if taken == LIVE_PICTURES:
            return


def _camera(path: Path, table: TableSetup) -> str:
    """Return the camera a picture is named after: the longest name that fits. Raises CalibrationError for none."""
    for camera in sorted(table.cameras, key=len, reverse=True):
        if path.stem == camera or path.stem.endswith((f"_{camera}", f"-{camera}")) or path.parent.name == camera:
            return camera
    known = ", ".join(table.cameras)
    raise CalibrationError(
        f"{path}: which camera took it? Name it after one of {known}, such as 1_{table.cameras[0]}.jpg"
    )


def _sightings(pictures: Sequence[tuple[str, Path]], folder: Path, table: TableSetup) -> list[MarkerObservation]:
    lenses: dict[str, Lens] = {}
    sightings: list[MarkerObservation] = []
    for camera, path in pictures:
        if camera not in lenses:
            lenses[camera] = find_lens(folder, table, camera)
        picture = read_picture(path)
        seen = None if picture is None else sight_frame(picture, lenses[camera], table, str(path))
        if seen is not None:
            sightings.append(seen)
            continue
        why = "cannot be read as a picture" if picture is None else FEW_MARKERS
        click.echo(f"{path} left out: {why}")
    return sightings


def _tell(fit: FrameFit, table: TableSetup) -> None:
    many = "picture" if fit.pictures == 1 else "pictures"
    click.echo(f"measured in {fit.pictures} {many}, {fit.rms_px:.2f} px left over")
    off = {number: moved_mm for number, moved_mm in sorted(fit.moved_mm.items()) if moved_mm >= WORTH_TELLING_MM}
    in_place = len(fit.moved_mm) - len(off)
    click.echo(f"  {in_place} of {len(table.markers)} markers lie within {WORTH_TELLING_MM:g} mm of their place")
    for number, moved_mm in off.items():
        right, away = (fit.markers[number] - table.markers[number]).mean(axis=0)[:2]
        advice = ": lay this strip again and measure once more" if moved_mm > WELL_LAID_MM else ""
        click.echo(f"  marker {number}: {moved_mm:.1f} mm off ({_way(right, away)}){advice}")
    for number in fit.unseen:
        click.echo(f"  marker {number}: seen in no picture, left where table.json has it")
    if not fit.centred:
        click.echo("the layout in table.json is not centred on the board: the frame was left where it has it")


def _way(right_mm: float, away_mm: float) -> str:
    """Describe a shift in words, as the player at the bottom sees it."""
    across = f"{abs(right_mm):.1f} mm to the {'right' if right_mm > 0 else 'left'}"
    return f"{across}, {abs(away_mm):.1f} mm {'up' if away_mm > 0 else 'down'}"
