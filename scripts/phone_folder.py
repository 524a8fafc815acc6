"""Read photographed games without calibration, to find what a lens solved from the frame in them costs.

``python -m scripts.phone_folder SCORE_READ TABLE CAMERA``. SCORE_READ: tools/score_read.py. The camera's lens is
solved from the markers in its own pictures of the games, as ``referee import`` does it, then all of them are read
twice: with the table's calibration and with that lens.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from calibration.framelens import FrameSight, solve_frame_lens
from calibration.lens import lens_text
from calibration.picturefile import decode_picture
from calibration.pose import find_markers
from calibration.table import load_table


def pictures_of(table: Path, camera: str) -> list[Path]:
    """Return a camera's pictures of all games."""
    known = load_table(table).cameras.index(camera)
    games = json.loads((table / "truth.json").read_text(encoding="utf-8"))["games"]
    return [table / game["name"] / frame["files"][known] for game in games for frame in game["frames"]]


def without_calibration(table: Path, camera: str, folder: Path) -> str:
    """Copy a table's folder with only the lens solved from its pictures. Return how well it was solved."""
    setup = load_table(table)
    sights = []
    for path in pictures_of(table, camera):
        picture = decode_picture(path.read_bytes())
        size = (int(picture.shape[1]), int(picture.shape[0]))
        sights.append(FrameSight(path.name, size, find_markers(picture, setup)))
    solved = solve_frame_lens(sights, setup)
    for one in table.iterdir():
        if one.name != "calibration":
            (folder / one.name).symlink_to(one.resolve())
    (folder / "calibration").mkdir()
    (folder / "calibration" / f"{camera}.json").write_text(lens_text(solved.lens), encoding="utf-8")
    off_px = solved.deviations.get("focal", float("nan"))
    return f"focal length {solved.lens.matrix[0, 0]:.0f} ± {off_px:.0f} px from {len(solved.used)} pictures"


def score(script: Path, table: Path, camera: str) -> str:
    """Return the last line of tools/score_read.py."""
    command = shlex.join([sys.executable, "-c", "from referee.cli import main; main()", "read"])
    asked = [sys.executable, str(script), "--command", command, "--cameras", camera, "--show", "0", str(table)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or [done.stderr])[-1]


def main() -> int:
    """Solve, read twice, tell."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("script", type=Path)
    options.add_argument("table", type=Path)
    options.add_argument("camera")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / asked.table.name
        folder.mkdir()
        sys.stdout.write(
            f"{asked.table.name} {asked.camera}: {without_calibration(asked.table, asked.camera, folder)}\n"
        )
        for name, place in (("calibrated", asked.table), ("solved", folder)):
            sys.stdout.write(f"  {name}: {score(asked.script, place, asked.camera)}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
