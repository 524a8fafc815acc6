"""Measures a scorer on photographed tables with exact truth; nothing of them goes into training.

usage: python -m training.evaluate MODEL.pt TABLE_FOLDER ... [--every N]
Prints, per table: fields right and wrong among those seen, for all cameras together and for each alone, flags, and
how often a field given with a certain confidence is right.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from referee.values.belief import log_probabilities
from referee.values.board import DIGITS, Field
from training.data import inputs
from training.net import PIECES, Scorer
from vision.heights.sweep import Grid, sweep

LEVELS = 11
LETTERS = "rygbopwnk"
"""Letters of the pieces' classes in board texts, from class 1."""


def parsed(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Parse heights and pieces (row, col) of a board text of any size."""
    heights, pieces = [], []
    for line in reversed(text.split("/")):
        cells = re.findall(r"([0-9A-Z])([a-z]?)", line)
        heights.append([DIGITS.index(height) for height, _ in cells])
        pieces.append([LETTERS.index(letter) + 1 if letter else 0 for _, letter in cells])
    return np.array(heights), np.array(pieces)


def kit_of(table: Path, game: dict) -> list[int]:
    """Return the classes that may stand on a table: nothing, the colours that play and, for castles, the king."""
    setup = json.loads((table / "table.json").read_text())
    names = setup.get("colours") or [colour for colour in game["seats"].values() if colour]
    words = ["red", "yellow", "green", "blue", "orange", "purple", "white", "black"]
    king = [len(LETTERS)] if "king" in setup else []
    return [0, *sorted({words.index(name) + 1 for name in names}), *king]


def frames(
    table: Path,
) -> Iterator[tuple[str, list[int], dict, list[NDArray[np.uint8]], list[tuple[np.ndarray, np.ndarray]]]]:
    """Yield every still board: name, kit, frame record, undistorted pictures, poses by the truth."""
    truth = json.loads((table / "truth.json").read_text())
    for game in truth["games"]:
        poses = truth["cameras"]
        for n, frame in enumerate(game["frames"]):
            poses = frame.get("camera_poses", poses)
            if frame["kind"] != "still":
                continue
            pictures = []
            for name, lens in zip(frame["files"], truth["lenses"], strict=True):
                raw = cv2.imread(str(table / game["name"] / name))
                pictures.append(cv2.undistort(raw, np.array(lens["matrix"]), np.array(lens["distortion"])))
            yield (
                f"{table.name}/{game['name']}/{n}",
                kit_of(table, game),
                frame,
                pictures,
                [(np.array(p["rotation"]), np.array(p["translation"])) for p in poses],
            )


def score(
    model: Scorer, picture: NDArray[np.uint8], matrix: np.ndarray, pose: tuple, grid: Grid
) -> NDArray[np.float64]:
    """Return the joint scores (rows, cols, LEVELS, PIECES) of one camera in board order."""
    one = sweep(picture, matrix, *pose, grid, LEVELS)
    with torch.no_grad():
        out = model(inputs(one.stack, one.slope)[None])[0].double().numpy()
    placed = np.empty((grid.rows, grid.cols, LEVELS, PIECES))
    placed[one.cells[..., 0], one.cells[..., 1]] = out.transpose(2, 3, 0, 1)
    return placed


@dataclass
class Tally:
    """Counts of what one camera, or all, told of the fields: right or wrong, how surely, and whether in sight."""

    right: list[bool] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    seen: list[bool] = field(default_factory=list)

    def add(self, total: NDArray[np.float64], heights: NDArray[np.int64], hidden: set[str]) -> int:
        """Count one board, (rows, cols, LEVELS, classes) scores; returns how many seen fields are wrong."""
        belief = log_probabilities(np.logaddexp.reduce(total, axis=3))
        wrong = 0
        for (r, c), height in np.ndenumerate(heights):
            seen = Field(r, c).name not in hidden
            right = bool(belief[r, c].argmax() == height)
            wrong += seen and not right
            self.right.append(right)
            self.sure.append(float(np.exp(belief[r, c].max())))
            self.seen.append(seen)
        return wrong

    def told(self) -> str:
        """Return the shares in words."""
        right, sure, seen = np.array(self.right), np.array(self.sure), np.array(self.seen)
        told = sure > 0.9
        parts = [
            f"seen right {right[seen].mean():.4f}",
            f"told wrong {(~right & told & seen).sum() / seen.sum():.5f}",
            f"unknown {(seen & ~told).sum() / seen.sum():.4f}",
            f"unseen told wrong {(~right & ~seen & told).sum()}/{(~seen).sum()}",
        ]
        for p in (0.9, 0.99, 0.999):
            sure_enough = sure > p
            parts += [f"surer than {p}: right {right[sure_enough].mean():.4f} of {sure_enough.mean():.3f}"]
        return ", ".join(parts)


def piece_counts(
    total: NDArray[np.float64], kit: list[int], pieces: NDArray[np.int64], hidden: set[str]
) -> NDArray[np.int64]:
    """Return pieces there, pieces right and pieces invented, on the fields where a piece could be seen."""
    said = np.array(kit)[np.logaddexp.reduce(total, axis=2).argmax(2)]
    open_ = np.array([[Field(r, c).name not in hidden for c in range(said.shape[1])] for r in range(said.shape[0])])
    there = (pieces > 0) & open_
    return np.array([there.sum(), (there & (said == pieces)).sum(), ((pieces == 0) & (said > 0)).sum()])


def evaluate(model: Scorer, table: Path, every: int) -> None:
    """Measure one table and print its figures."""
    setup = json.loads((table / "table.json").read_text())
    lenses = [np.array(x["matrix"]) for x in json.loads((table / "truth.json").read_text())["lenses"]]
    grid = Grid(setup["rows"], setup["columns"], tuple(setup["pitch"]), setup["cube"][2])
    tallies = {who: Tally() for who in ("all", *setup["cameras"])}
    flags = np.zeros(3, np.int64)
    exact = boards = 0
    for name, kit, frame, pictures, poses in itertools.islice(frames(table), 0, None, every):
        heights, pieces = parsed(frame["board"])
        scores = [
            score(model, p, m, pose, grid)[..., kit] for p, m, pose in zip(pictures, lenses, poses, strict=True)
        ]
        unseen = frame.get("hidden", {})
        for who, total in zip(tallies, (sum(scores), *scores), strict=True):
            wrong = tallies[who].add(total, heights, set(unseen.get(who, {}).get("stacks", ())))
            if who == "all":
                out_of_sight = unseen.get(who, {})
                counted = piece_counts(
                    total, kit, pieces, set(out_of_sight.get("flags", out_of_sight.get("pieces", ())))
                )
                flags += counted
                boards += 1
                exact += not wrong and counted[0] == counted[1] and not counted[2]
                if wrong:
                    print(f"  {name}: {wrong} fields wrong")
    print(f"{table.name}: boards exact {exact}/{boards}, pieces {flags[1]}/{flags[0]}, invented {flags[2]}")
    for who, tally in tallies.items():
        print(f"  {who}: {tally.told()}")


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(2)
    model = Scorer()
    model.load_state_dict(torch.load(args.model))
    model.eval()
    for table in args.tables:
        evaluate(model, table, args.every)


if __name__ == "__main__":
    main()
