"""Reads rolled pairs of dice kept out of training as the product does: right, left open, wrong.

usage: python -m training.rollmeasure SCENES_FOLDER [--plain] [--mats] [--number N]
Pictures are worn by noise, light, blur and compression drawn by the scene's number; ``--plain``: as they are.
``--number``: how many dice lie in each scene; of other numbers than two no pair may be told. ``--mats``: the folder
holds whole mats (training/mats.py), read with pose, light and taught places.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.data import worn
from training.standout import SEEN_SURELY, least_standing_out
from vision.ledger.dice import THERE, DieSeen, dice_of, pair_of, place_scores
from vision.ledger.plane import Area, top_plane
from vision.ledger.reader import MatReader
from vision.ledger.topface import TopCutter, looked_at_closely

REACH_DICE = 5.5


def worn_picture(scene: dict[str, NDArray], number: int, plain: bool) -> NDArray[np.uint8]:
    """A scene's picture, worn as its number says."""
    picture = np.asarray(cv2.imdecode(scene["jpg"], cv2.IMREAD_COLOR), np.uint8)
    if plain:
        return picture
    rng = np.random.default_rng(number)
    return worn(picture, rng, np.exp(rng.normal(size=3) * 0.05))


def seen(scene: dict[str, NDArray], picture: NDArray[np.uint8]) -> tuple[DieSeen, ...]:
    """What one camera says of a scene."""
    size = float(scene["size"])
    middle = scene["dice"][:, :2].mean(axis=0)
    half = REACH_DICE * size
    area = Area((middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half))
    plane = top_plane(picture, scene["K"], scene["R"], scene["t"], area, size)
    cutter = TopCutter(picture, scene["K"], scene["R"], scene["t"], size, (float(middle[0]), float(middle[1])))
    return looked_at_closely(cutter, dice_of(plane, place_scores(plane)))


def matched(found: tuple[DieSeen, ...], dice: NDArray[np.float64], size: float) -> list[tuple[DieSeen, int]]:
    """Each die that is found where one lies, with the face it shows."""
    out = []
    for x, y, _, face in dice:
        near = [die for die in found if np.hypot(die.at_mm[0] - x, die.at_mm[1] - y) < 0.4 * size]
        out += [(near[0], int(face))] if near else []
    return out


def pairs(folder: Path, plain: bool, number: int) -> None:
    """Measure and print: all pairs, and those of which every pip stands out so far that anybody would see it."""
    counts: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    faint: list[float] = []
    for place, path in enumerate(sorted(folder.glob("*.npz"))):
        with np.load(path) as data:
            scene = {k: data[k] for k in data.files}
        if not whole(scene):
            continue
        picture = worn_picture(scene, place, plain)
        found = seen(scene, picture)
        pair, want = pair_of(found), sorted(int(face) for face in scene["dice"][:, 3])
        kind = "open" if pair is None else "right" if sorted(pair) == want else "wrong"
        least = min(least_standing_out(picture, scene, die) for die in scene["dice"])
        faint.append(least)
        for held in (counts, clear) if least >= SEEN_SURELY else (counts,):
            held[kind] += 1
        own = matched(found, scene["dice"], float(scene["size"]))
        counts["dice"] += len(want)
        counts["found"] += sum(die.there >= THERE for die, _ in own)
        counts["invented"] += sum(die.there >= THERE for die in found) - sum(die.there >= THERE for die, _ in own)
        counts["faces right"] += sum(int(np.argmax(die.faces)) + 1 == face for die, face in own)
        if kind == "wrong" or (kind == "open") == (number == 2):
            shown = [(round(die.there, 3), die.face, round(max(die.faces), 3)) for die in found[:4]]
            print(path.name, kind, want, f"stands out {least:.1f}", shown)
    print(dict(counts))
    print(f"every pip stands out {SEEN_SURELY:g} times the noise: {dict(clear)}")
    shares = np.quantile(faint, [0.05, 0.1, 0.25, 0.5, 0.75]).round(1).tolist()
    print(f"least visible pip of each scene, times the noise, at 5, 10, 25, 50, 75 %: {shares}")


def whole(scene: dict[str, NDArray]) -> bool:
    """Whether all dice lie well inside the picture."""
    height, width = cv2.imdecode(scene["jpg"], cv2.IMREAD_COLOR).shape[:2]
    size = float(scene["size"])
    for x, y, _, _ in scene["dice"]:
        for dx in (-1, 1):
            for dy in (-1, 1):
                p = scene["K"] @ (scene["R"] @ np.array([x + dx * size, y + dy * size, size]) + scene["t"])
                u, v = p[:2] / p[2]
                if not (2 < u < width - 3 and 2 < v < height - 3):
                    return False
    return True


def mats(folder: Path) -> None:
    """Measure whole mats and print."""
    counts: Counter[str] = Counter()
    for table in sorted(path.parent for path in folder.glob("*/places.json")):
        reader = MatReader.open(table)
        for truth in json.loads((table / "truth.json").read_text())["pictures"]:
            found = reader.read({"cam0": np.asarray(cv2.imread(str(table / truth["file"])), np.uint8)})
            pair = None if found.pair is None else list(found.pair)
            counts[
                "dice open"
                if pair is None
                else "dice right"
                if sorted(pair) == sorted(truth["dice"])
                else "dice wrong"
            ] += 1
            for name, got in (("pawns", found.pawns), ("zone", found.zone), ("installed", found.cards)):
                for word, want in truth[name].items():
                    if word not in got:
                        continue  # never taught
                    told = got[word]
                    kind = "open" if told is None else "right" if told == want else "wrong"
                    counts[f"{name} {kind}"] += 1
                    if kind != "right":
                        print(f"{table.name}/{truth['file']}: {name} {word} {want} read {told}")
            counts["ms"] += round(found.duration_ms)
            counts["pictures"] += 1
    print(dict(sorted(counts.items())))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--mats", action="store_true")
    parser.add_argument("--number", type=int, default=2)
    args = parser.parse_args()
    if args.mats:
        mats(args.scenes)
    else:
        pairs(args.scenes, args.plain, args.number)


if __name__ == "__main__":
    main()
