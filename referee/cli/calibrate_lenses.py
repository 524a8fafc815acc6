"""``referee calibrate lenses``: each camera's lens from pictures of a target, or from a film of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from calibration.errors import CalibrationError
from calibration.lens import save_lens
from calibration.lenses import how_to_calibrate, lens_path, pictures_in, solve_from_files, target_pictures
from calibration.solve import LensSolution
from calibration.table import TableSetup, load_framed
from calibration.target import Target, parse_chessboard
from referee.cli.frames import Frame, FramesError, live_frames, source_of, video_frames
from referee.cli.jsonlines import FAULTY
from referee.cli.lens_report import report_lines
from referee.cli.pictures import TABLE
from referee.cli.shooting import keep_pictures, shoot
from referee.values.words import LANGUAGES


@click.command(name="lenses")
@TABLE
@click.option("--camera", "cameras", multiple=True, help="Only this camera (may be given several times).")
@click.option(
    "--chessboard",
    metavar="9x6",
    help="The target is a plain chessboard with so many inner corners, not the ChArUco board of table.json.",
)
@click.option(
    "--pictures",
    "place",
    type=click.Path(path_type=Path),
    help="Use the pictures in this folder instead of those in calibration/CAMERA.",
)
@click.option(
    "--video",
    type=click.Path(path_type=Path),
    help="Choose the pictures from this film of the target and keep them in calibration/CAMERA.",
)
@click.option(
    "--live",
    is_flag=False,
    flag_value="",
    metavar="[ADDRESS]",
    help="Choose the pictures from the camera itself: the one in the settings, or at this address (usb:/dev/video0).",
)
@click.option("--fixed-focus", is_flag=True, help="The camera can't focus or zoom: its focus is never blamed.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of the advice."
)
def command(
    folder: Path,
    cameras: tuple[str, ...],
    chessboard: str | None,
    place: Path | None,
    video: Path | None,
    live: str | None,
    fixed_focus: bool,
    language: str,
) -> None:
    """Solve each camera's lens and write calibration/CAMERA.json.

    The pictures are those in calibration/CAMERA, about twelve of the calibration target: in every part of the
    picture and tilted to every side. With --live or --video they are chosen from the camera or a film of the target,
    and you are told where to hold it next. A phone in the hand beside fixed cameras is left out: it needs no lens.

    A lens that can't be right is refused (exit status 2). One that play may go on with, but that should be better, is
    written, and the exit status is 1.
    """
    try:
        table = load_framed(folder)
        target: Target = parse_chessboard(chessboard) if chessboard else table.charuco
        chosen = _chosen(cameras, table)
        given = [way for way in (place, video, live) if way is not None]
        if len(given) > 1:
            raise CalibrationError("give only one of --pictures, --video and --live")
        if given and len(chosen) != 1:
            raise CalibrationError(f"say which camera took them: --camera {table.prepared[0]}")
    except CalibrationError as error:
        click.echo(f"referee calibrate lenses: {error}", err=True)
        raise SystemExit(FAULTY) from None
    status = 0
    for camera in chosen:
        try:
            if video is not None or live is not None:
                frames = video_frames(video) if video is not None else _live(camera, live or "", folder)
                solution, count = _from_frames(folder, camera, target, frames, language, fixed_focus)
            else:
                solution, count = _from_pictures(folder, table, camera, target, place, fixed_focus)
            status = max(status, _write(folder, camera, solution, count))
        except (CalibrationError, FramesError, OSError) as error:
            click.echo(f"referee calibrate lenses: {error}", err=True)
            status = FAULTY
    raise SystemExit(status)


def _chosen(cameras: tuple[str, ...], table: TableSetup) -> tuple[str, ...]:
    for camera in cameras:
        if camera not in table.cameras:
            raise CalibrationError(f"the table has no camera {camera!r}: it has {', '.join(table.cameras)}")
    return tuple(dict.fromkeys(cameras)) or table.prepared


def _from_pictures(
    folder: Path, table: TableSetup, camera: str, target: Target, place: Path | None, fixed_focus: bool
) -> tuple[LensSolution, int]:
    paths = target_pictures(folder, camera) if place is None else pictures_in(place)
    if not paths and camera in table.held:
        raise CalibrationError(f"{camera} needs no target: {how_to_calibrate(folder, table, camera)}")
    if not paths:
        raise CalibrationError(
            f"{camera}: there are no pictures in {place or folder / 'calibration' / camera}: take a dozen of the "
            "calibration target, tilted differently each time, and put them there"
        )
    return solve_from_files(paths, target, camera, fixed_focus), len(paths)


def _live(camera: str, address: str, folder: Path) -> Iterator[Frame]:
    source = source_of(camera, address, folder)
    click.echo(f"{camera}: {source}. Stop early with Ctrl-C.")
    return live_frames(camera, source)


def _from_frames(
    folder: Path, camera: str, target: Target, frames: Iterator[Frame], language: str, fixed_focus: bool
) -> tuple[LensSolution, int]:
    shots = shoot(frames, target, lambda words: click.echo(f"  {words.text(language)}"))
    solution = shots.solve(camera, fixed_focus)
    kept = keep_pictures(folder / "calibration" / camera, shots.pictures)
    click.echo(f"{camera}: {len(shots.pictures)} pictures kept in {kept}")
    return solution, len(shots.pictures)


def _write(folder: Path, camera: str, solution: LensSolution, count: int) -> int:
    """Write the lens and report it. Return the exit status: 1 when there should be a better one."""
    for line in report_lines(camera, solution, count):
        click.echo(line)
    path = lens_path(folder, camera)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_lens(path, solution.lens)
    except OSError as error:
        raise CalibrationError(f"{camera}: the lens cannot be written to {path}: {error.strerror}") from None
    click.echo(f"  written to {path}")
    faults = [solution.fault] if solution.fault else []
    if solution.focus is not None:
        faults.insert(0, "the pictures were taken with two focal lengths")
    for fault in faults:
        click.echo(f"referee calibrate lenses: {camera}: play may go on with this lens, but {fault}", err=True)
    return int(bool(faults))
