"""Measures a scorer on photographed tables with exact truth; nothing of them goes into training.

usage: python -m training.evaluate MODEL.pt TABLE_FOLDER ... [--every N]
Prints, per table: fields right and wrong among those seen, for all cameras together and for each alone, flags, and
how often a field given with a certain confidence is right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from referee.belief import log_probabilities
from referee.board import Board
from training.data import inputs
from training.net import Scorer
from vision.sweep import Grid, sweep

LEVELS = 11


def frames(table: Path) -> Iterator[tuple[str, dict, list[NDArray[np.uint8]], list[tuple[np.ndarray, np.ndarray]]]]:
    """Every still board: name, frame record, undistorted pictures, poses by the truth."""
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
            yield f"{table.name}/{game['name']}/{n}", frame, pictures, [
                (np.array(p["rotation"]), np.array(p["translation"])) for p in poses
            ]


def score(model: Scorer, picture: NDArray[np.uint8], matrix: np.ndarray, pose: tuple, grid: Grid) -> NDArray[np.float64]:
    """(rows, cols, LEVELS, 5) joint scores of one camera in board order."""
    one = sweep(picture, matrix, *pose, grid, LEVELS)
    with torch.no_grad():
        out = model(inputs(one.stack, one.slope)[None])[0].double().numpy()
    placed = np.empty((grid.rows, grid.cols, LEVELS, 5))
    placed[one.cells[..., 0], one.cells[..., 1]] = out.transpose(2, 3, 0, 1)
    return placed


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--save", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(2)
    model = Scorer()
    model.load_state_dict(torch.load(args.model))
    model.eval()
    for table in args.tables:
        setup = json.loads((table / "table.json").read_text())
        lenses = [np.array(x["matrix"]) for x in json.loads((table / "truth.json").read_text())["lenses"]]
        grid = Grid(setup["rows"], setup["columns"], tuple(setup["pitch"]), setup["cube"][2])
        rows: dict[str, list] = {"all": [], "cam0": [], "cam1": []}
        exact = boards = flags_right = flags_all = ghosts = 0
        kept = []
        for k, (name, frame, pictures, poses) in enumerate(frames(table)):
            if k % args.every:
                continue
            board = Board.parse(frame["board"])
            scores = [score(model, p, m, pose, grid) for p, m, pose in zip(pictures, lenses, poses, strict=True)]
            kept.append((name, np.stack(scores)))
            for who, total in (("all", sum(scores)), ("cam0", scores[0]), ("cam1", scores[1])):
                heights = log_probabilities(np.logaddexp.reduce(total, axis=3))
                hidden = set(frame.get("hidden", {}).get(who, {"stacks": []})["stacks"])
                best, sure = heights.argmax(2), np.exp(heights.max(2))
                for r in range(grid.rows):
                    for c in range(grid.cols):
                        seen = f"{'ABCDEFGHIJ'[c]}{r + 1}" not in hidden
                        rows[who].append((best[r, c] == board.heights[r, c], sure[r, c], seen))
            flags = np.logaddexp.reduce(sum(scores), axis=2).argmax(2)
            hidden_flags = set(frame.get("hidden", {}).get("all", {"flags": []})["flags"])
            bad = 0
            for r in range(grid.rows):
                for c in range(grid.cols):
                    if f"{'ABCDEFGHIJ'[c]}{r + 1}" in hidden_flags:
                        continue
                    flags_all += board.flags[r, c] > 0
                    flags_right += board.flags[r, c] > 0 and flags[r, c] == board.flags[r, c]
                    ghosts += board.flags[r, c] == 0 and flags[r, c] > 0
                    bad += flags[r, c] != board.flags[r, c]
            wrong = sum(not ok and seen for ok, _, seen in rows["all"][-100:])
            boards += 1
            exact += not wrong and not bad
        print(f"{table.name}: boards exact {exact}/{boards}, flags {flags_right}/{flags_all} +{ghosts}")
        for who, values in rows.items():
            ok, sure, seen = (np.array(v) for v in zip(*values, strict=True))
            told = seen & (sure > 0.9)
            print(f"  {who}: seen right {ok[seen].mean():.4f}, told wrong {(~ok & told).sum() / seen.sum():.4f}, unknown "
                  f"{(seen & ~told).sum() / seen.sum():.4f}, unseen told wrong {(~ok & ~seen & (sure > 0.9)).sum()}/{(~seen).sum()}; "
                  + " ".join(f"p>{p}: {ok[sure > p].mean():.4f} ({(sure > p).mean():.3f})" for p in (0.9, 0.99, 0.999)))
        if args.save:
            np.savez(args.save / f"{table.name}.npz", names=[n for n, _ in kept], scores=np.stack([s for _, s in kept]))


if __name__ == "__main__":
    main()
