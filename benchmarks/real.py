"""Measures the readers on real photographs and writes docs/evidence/real.md: ``make real PHOTOS=FOLDER``.

``python -m benchmarks.real [FOLDER] [--page FILE] [PART ...]``

Nothing is fetched. Each part reads a folder of its own name (docs/evidence/real-photographs.md gives the form of its
truth file) and is left out where that is missing. Where a mat or a printed frame is missing from the photographs,
the step below the public command is measured: the same networks and thresholds, with the place taken from the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.evening import evening
from benchmarks.measure import Section, sections_of, table
from benchmarks.photos import OUTCOMES, Counts, dice, outcome, picture_of, shares
from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.lenses import pictures_in, solve_from_files
from calibration.pose import Pose
from calibration.table import Charuco, FlagShape, TableSetup
from calibration.target import Chessboard
from referee.storage.journal import JournalError
from referee.values.belief import log_probabilities
from vision.gate.gate import begin, watch
from vision.gate.region import chessboard_outline, polygon_region
from vision.geometry.view import View
from vision.heights.decode import TOLD, TOLD_ALONE, surely_empty
from vision.heights.drawn import with_drawn
from vision.heights.pieces import FLAGS
from vision.heights.scorer import rectified, score_views, together
from vision.sources.ring import GREY_WIDTH

PAGE = Path(__file__).parent.parent / "docs" / "evidence" / "real.md"
SHIFTS = (0.0, 0.1, 0.15, 0.2, 0.25)
"""How far a stack stands off its field's centre, in fields."""
CHESS = "scholarsmate.avi"
"""A film of seven moves whose boards are counted where no truth.json lies beside it."""
WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
STONES = (1, 2, 3, 4, 5)
"""So many stones make up a cube: a stone's height is the cube's divided by it."""
TOWER_STONES = (1, 2, 4, 5, 8)
"""The same of a thing that is higher than wide."""
FIELDS, ROOM = 5, 1.09
"""Fields along the side of the grid laid round the thing; a field's side, in widths of it, as on tables of stones."""


def _grid_round(size_mm: float, high_mm: float, stones: int) -> TableSetup:
    nothing: MappingProxyType[int, NDArray[np.float64]] = MappingProxyType({})
    pitch = ROOM * size_mm
    return TableSetup(
        "", FIELDS, FIELDS, (pitch, pitch), (size_mm, size_mm, high_mm / stones), FlagShape("pawn", 20.0, 8.0, 20.0),
        "DICT_4X4_50", 20.0, nothing, Charuco((5, 7), 30.0, 22.0, "DICT_4X4_50"), MappingProxyType({}), (),
    )  # fmt: skip


def _views(scene: dict[str, Any], folder: Path, at_mm: NDArray[np.float64]) -> list[View]:
    """Return the cameras' views of a grid whose centre lies so far from the cube's, in the cube's own axes."""
    thing, yaw = scene["object"], scene["object"]["yaw_rad"]
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    origin = np.array([thing["x_mm"], thing["y_mm"], 0.0]) + turn @ [*at_mm, 0.0]
    views = []
    for name, one in scene["cameras"].items():
        lens = Lens(tuple(one["size"]), np.array(one["matrix"]), np.array(one["distortion"]), 0.0)
        rotation, moved = np.array(one["rotation"]), np.array(one["translation_mm"])
        pose = Pose(rotation @ turn, rotation @ origin + moved, 0, 0.0)
        views.append(View(name, picture_of(folder / one["file"]), lens, pose))
    return views


def solid(title: str, folder: Path) -> Section:
    """Tell the height of an upright solid, taken for a stack, with grids laid round it."""
    scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    size_mm, _, high_mm = map(float, scene["object"]["size_mm"])
    numbers = TOWER_STONES if high_mm > size_mm else STONES
    counts: dict[tuple[float, int, float], Counts] = {}
    for shift in SHIFTS:
        for way in WAYS if shift else WAYS[:1]:
            views = _views(scene, folder, -shift * ROOM * size_mm * np.array(way))
            for stones in numbers:
                setup = _grid_round(size_mm, high_mm, stones)
                seen = {view.camera: view for view in views}
                looks = {name: rectified(view, setup) for name, view in seen.items()}
                for number in (2, 3):
                    for chosen in combinations(looks, number):
                        each = score_views({name: looks[name] for name in chosen}, setup)
                        shown = [seen[name] for name in chosen]
                        belief = with_drawn(together(each, setup), shown, setup, None, FLAGS)
                        chances = np.exp(log_probabilities(belief.heights))
                        chances[..., 0] *= surely_empty(each)
                        for told in (TOLD_ALONE, TOLD):
                            _count(counts.setdefault((shift, number, told), Counter()), chances, stones, told)
    rows = [
        (f"{shift:g}", number, f"{told:g}", *shares(one), f"{one['invented']} of {one['empty']}")
        for (shift, number, told), one in sorted(counts.items(), key=lambda row: (-row[0][2], row[0]))
    ]
    lines = (
        f"{size_mm:g} mm wide and {high_mm:g} mm high, on a floor, taken for a stack of "
        f"{', '.join(map(str, numbers))} stones in the middle of a grid of {FIELDS} x {FIELDS} fields {ROOM:g} times "
        "as wide, laid so that it stands off its field's centre, to each side in turn. "
        + ("The flattest stones are flatter than any that the tables have. " if high_mm == size_mm else "")
        + "Poses "
        f"come from the scene's calibration, for there is no frame. {TOLD_ALONE:g} is the threshold where no board "
        f"before is known, {TOLD:g} where one is. Heights in doubt are drawn and compared, as at the table.",
        "",
        *table(("off, fields", "cameras", "told from", "heights", *OUTCOMES, "empty fields told as stacks"), rows),
    )
    return Section(title, lines)


def _count(counts: Counts, chances: NDArray[np.float64], stones: int, least: float) -> None:
    best = np.where(chances.max(axis=2) >= least, chances.argmax(axis=2), -1)
    middle = FIELDS // 2
    told = int(best[middle, middle])
    counts[outcome(None if told < 0 else told, stones)] += 1
    counts["invented"] += int((best > 0).sum()) - (told > 0)
    counts["empty"] += best.size - 1


def hands(folder: Path) -> Section:
    """Let the stillness gate watch films and count the boards it announces."""
    given = folder / "truth.json"
    boards = json.loads(given.read_text(encoding="utf-8")) if given.exists() else {CHESS: 8}
    rows = []
    for name, truth in boards.items():
        film = cv2.VideoCapture(str(folder / name))
        fps = film.get(cv2.CAP_PROP_FPS) or 20.0
        state, number, announced, told = begin(), 0, 0, False
        while True:
            there, frame = film.read()
            if not there:
                break
            picture = np.asarray(frame, np.uint8)
            shape = (round(picture.shape[0] * GREY_WIDTH / picture.shape[1]), GREY_WIDTH)
            if not number:
                corners = chessboard_outline(picture)
                told = corners is not None
                state = begin(None if corners is None else polygon_region(corners, shape, 8))
            grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), shape[::-1], interpolation=cv2.INTER_AREA)
            state = watch(state, number, number / fps, np.asarray(grey, np.uint8))
            announced, number = announced + (state.quiet is not None), number + 1
        if not number:
            raise FileNotFoundError(f"{folder / name}: cannot be read as a film")
        rows.append((name, number, f"{fps:g}", "found" if told else "the whole picture", truth, announced))
    lines = (
        "Boards of a film, the first one counted, and how many the gate announces; whether each is announced once is "
        "not told by the number."
        + (
            f" In `{CHESS}` one board never lies free: the other hand comes before the first is gone."
            * (CHESS in boards)
        ),
        "",
        *table(("film", "frames", "a second", "board's outline", "boards", "announced"), rows),
    )
    return Section("Hands over a board", lines)


def chessboard(folder: Path) -> Section:
    """Solve a lens from photographs of a chessboard and compare it with the published one."""
    given = cv2.FileStorage(str(folder / "left_intrinsics.yml"), cv2.FILE_STORAGE_READ)
    if not given.isOpened():
        raise FileNotFoundError(f"{folder / 'left_intrinsics.yml'}: the published lens is not there")
    corners = int(given.getNode("board_width").real()), int(given.getNode("board_height").real())
    truth = given.getNode("camera_matrix").mat()
    rms_px = given.getNode("avg_reprojection_error").real()
    solved = solve_from_files(pictures_in(folder), Chessboard(corners), folder.name)
    matrix = solved.lens.matrix
    rows = [
        (name, f"{truth[at]:.1f}", f"{matrix[at]:.1f}", f"{100 * (matrix[at] / truth[at] - 1):+.2f} %")
        for name, at in (("focal length x, px", (0, 0)), ("focal length y, px", (1, 1)), ("middle x, px", (0, 2)),
                         ("middle y, px", (1, 2)))
    ]  # fmt: skip
    rows.append(("error left, px rms", f"{rms_px:.2f}", f"{solved.lens.rms_px:.2f}", ""))
    lines = (
        f"{len(solved.used)} photographs used, {len(solved.left_out)} left out. "
        + (f"The lens is written with a warning: {solved.fault}." if solved.fault else "Nothing is said against it."),
        "",
        *table(("", "published", "solved here", "apart"), rows),
    )
    return Section("A lens from a chessboard", lines)


PARTS: dict[str, Callable[[Path], Section]] = {
    "dice": dice, "cube": partial(solid, "A cube for a stack"),
    "hidden": partial(solid, "A cube half hidden, for a stack"),
    "cuboid": partial(solid, "A tower of four cubes, for a stack"),
    "hands": hands, "chessboard": chessboard, "evening": evening,
}  # fmt: skip
HEAD = """# Real photographs

What the readers tell on photographs that nobody made for this project. Written by `make real PHOTOS=FOLDER`;
[Your own photographs](real-photographs.md) says what such a folder holds.

"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts that the folder holds and write the page; other parts stay on it as they were."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real", description=__doc__)
    parser.add_argument(
        "photos", type=Path, metavar="FOLDER", help="the photographs, a folder for each part, or an evening's ZIP"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which to measure: {', '.join(PARTS)}")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="the page to write")
    args = parser.parse_args(arguments)
    if unknown := [name for name in args.parts if name not in PARTS]:
        parser.error(f"{unknown[0]!r} is no part: use {', '.join(PARTS)}")
    if not args.photos.is_dir() and not args.photos.is_file():
        parser.error(f"{args.photos} is no folder: give one with photographs, such as make real PHOTOS=FOLDER")
    here = [name for name in args.parts or PARTS if args.photos.is_file() or (args.photos / name).is_dir()]
    if not here:
        parser.error(f"{args.photos} holds none of the folders {', '.join(args.parts or PARTS)}")
    if not args.page.parent.is_dir():
        parser.error(
            f"{args.page.parent} is no folder: give a page in one that is there, such as make real PAGE=real.md"
        )
    if args.photos.is_file():
        return _written(args.page, {"evening": args.photos})
    return _written(args.page, {name: args.photos / name for name in here})


def _written(page: Path, places: Mapping[str, Path]) -> int:
    """Measure parts, each from its place, and write the page; return 1 where one can't be measured.

    What people wrote of where the photographs come from stays.
    """
    texts = sections_of(page.read_text(encoding="utf-8")) if page.exists() else {}
    for name, place in places.items():
        try:
            texts[name] = PARTS[name](place).text
        except (OSError, LookupError, TypeError, ValueError, CalibrationError, JournalError, cv2.error) as error:
            sys.stderr.write(f"{place}: not measured: {error!r}\n")
            return 1
        kept = [
            f"<!-- {part} -->\n{texts[part].rstrip()}\n\n<!-- /{part} -->\n"
            for part in ("sources", *PARTS)
            if part in texts
        ]
        page.write_text(HEAD + "\n".join(kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
