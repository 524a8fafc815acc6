"""``referee calibrate``: what a table needs once, before its first game."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.errors import CalibrationError
from calibration.lens import save_lens
from calibration.lenses import lens_path, solve_from_files, target_pictures
from calibration.table import TableSetup, load_table
from referee.cli.jsonlines import FAULTY
from referee.cli.pictures import TABLE


@click.group()
def command() -> None:
    """Calibrate a table: its cameras' lenses."""


@command.command()
@TABLE
@click.option("--camera", "cameras", multiple=True, help="Only this camera (may be given several times).")
def lenses(folder: Path, cameras: tuple[str, ...]) -> None:
    """Solve each camera's lens from calibration/CAMERA/*.jpg and write calibration/CAMERA.json."""
    try:
        table = load_table(folder)
        chosen = _chosen(cameras, table)
    except CalibrationError as error:
        click.echo(f"referee calibrate lenses: {error}", err=True)
        raise SystemExit(FAULTY) from None
    failed = False
    for camera in chosen:
        try:
            _solve_one(folder, table, camera)
        except (CalibrationError, OSError) as error:
            click.echo(f"referee calibrate lenses: {error}", err=True)
            failed = True
    raise SystemExit(FAULTY if failed else 0)


def _chosen(cameras: tuple[str, ...], table: TableSetup) -> tuple[str, ...]:
    for camera in cameras:
        if camera not in table.cameras:
            raise CalibrationError(f"the table has no camera {camera!r}: it has {', '.join(table.cameras)}")
    return tuple(dict.fromkeys(cameras)) or table.cameras


def _solve_one(folder: Path, table: TableSetup, camera: str) -> None:
    paths = target_pictures(folder, camera)
    if not paths:
        raise CalibrationError(
            f"{camera}: there are no pictures in {folder / 'calibration' / camera}: take a dozen of the calibration "
            "target, tilted differently each time, and put them there"
        )
    solution = solve_from_files(paths, table.charuco, camera)
    lens = solution.lens
    click.echo(
        f"{camera}: rms {lens.rms_px:.2f} px from {len(solution.used)} of {len(paths)} pictures at "
        f"{lens.size[0]} x {lens.size[1]}, focal length {lens.matrix[0, 0]:.1f} px"
    )
    for name, why in solution.left_out:
        click.echo(f"  {name} left out: {why}")
    path = lens_path(folder, camera)
    try:
        save_lens(path, lens)
    except OSError as error:
        raise CalibrationError(f"{camera}: the lens cannot be written to {path}: {error.strerror}") from None
    click.echo(f"  written to {path}")
