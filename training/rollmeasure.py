"""Reads rolled pairs of dice kept out of training as the product does: right, left open, wrong.

usage: python -m training.rollmeasure SCENES [--plain] [--mats [--each]] [--number N] [--cameras N] [--frames N]
Pictures are worn by noise, light, blur and compression drawn by the scene's number; ``--plain``: as they are.
``--cameras``: so many look at each scene (training/rolls.py --views); ``--frames``: each look is the mean of so many.
``--number``: how many dice lie in each scene; of other numbers than two no pair may be told. ``--mats``: the folder
holds whole mats (training/mats.py), read with pose, light and taught places; ``--each``: by each camera alone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.certificate.values import Grade
from referee.daemon.tablecheck import Occasion, certify
from referee.games import game_named
from training.standout import SEEN_SURELY, least_standing_out
from training.wear import grained, worn
from vision.gate.look import mean_of
from vision.ledger.dice import THERE, DieSeen, dice_of, pair_of, place_scores
from vision.ledger.plane import Area, top_plane
from vision.ledger.reader import MatReader, MatSeen
from vision.ledger.topface import DiceLook, TopCutter, looked_at_closely
from vision.reader import TableReader

REACH_DICE = 5.5


def worn_picture(scene: dict[str, NDArray], number: int, plain: bool, frames: int = 1) -> NDArray[np.uint8]:
    """Return a scene's picture, worn as its number says; the mean of so many frames of one camera, as a look is."""
    picture = np.asarray(cv2.imdecode(scene["jpg"], cv2.IMREAD_COLOR), np.uint8)
    if plain:
        return picture
    rng = np.random.default_rng(number)
    tint = np.exp(rng.normal(size=3) * 0.05)
    return looked(lambda: worn(picture, rng, tint), rng, number, frames)


def looked(
    take: Callable[[], NDArray[np.uint8]], rng: np.random.Generator, number: int, frames: int
) -> NDArray[np.uint8]:
    """Return the mean of so many frames of one camera, all alike but for their grain."""
    state = rng.bit_generator.state
    taken = []
    for frame in range(frames):
        rng.bit_generator.state = state
        cv2.setRNGSeed(1000 * number + frame + 1)
        taken.append(take())
    return mean_of(taken)


def mat_picture(path: Path, number: int, frames: int) -> NDArray[np.uint8]:
    """Return a mat's picture, with a cheap camera's grain and blur where a number of frames is given."""
    picture = np.asarray(cv2.imread(str(path)), np.uint8)
    rng = np.random.default_rng(number)
    return looked(lambda: grained(picture, rng), rng, number, frames) if frames else picture


def eye_of(scene: dict[str, NDArray], picture: NDArray[np.uint8]) -> DiceLook:
    """Return one camera's look at a scene."""
    size = float(scene["size"])
    middle = scene["dice"][:, :2].mean(axis=0)
    half = REACH_DICE * size
    area = Area((middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half))
    plane = top_plane(picture, scene["K"], scene["R"], scene["t"], area, size)
    cutter = TopCutter(picture, scene["K"], scene["R"], scene["t"], size, (float(middle[0]), float(middle[1])))
    return DiceLook(cutter, dice_of(plane, place_scores(plane)))


def matched(found: tuple[DieSeen, ...], dice: NDArray[np.float64], size: float) -> list[tuple[DieSeen, int]]:
    """Return each die that is found where one lies, with the face it shows."""
    out = []
    for x, y, _, face in dice:
        near = [die for die in found if np.hypot(die.at_mm[0] - x, die.at_mm[1] - y) < 0.4 * size]
        out += [(near[0], int(face))] if near else []
    return out


def scenes_of(folder: Path, cameras: int) -> Iterator[tuple[str, list[dict[str, NDArray]]]]:
    """Yield every scene of a folder whose dice lie wholly in the first camera's picture, by so many cameras."""
    for path in sorted(folder.glob("*.npz")):
        if "-" in path.stem:
            continue
        views = []
        for more in [path, *(path.with_stem(f"{path.stem}-{k}") for k in range(1, cameras))]:
            with np.load(more) as data:
                views.append({k: data[k] for k in data.files})
        if whole(views[0]):
            yield path.stem, views


def pairs(folder: Path, plain: bool, number: int, cameras: int, frames: int) -> None:
    """Measure and print: all pairs, and those of which every pip stands out so far that anybody would see it."""
    counts: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    faint: list[float] = []
    for name, views in scenes_of(folder, cameras):
        pictures = [worn_picture(view, int(name) + 7919 * camera, plain, frames) for camera, view in enumerate(views)]
        dice, size = views[0]["dice"], float(views[0]["size"])
        found = looked_at_closely([eye_of(*each) for each in zip(views, pictures, strict=True)], size)
        pair, want = pair_of(found), sorted(int(face) for face in dice[:, 3])
        kind = "open" if pair is None else "right" if sorted(pair) == want else "wrong"
        best = [max(least_standing_out(*each, die) for each in zip(pictures, views, strict=True)) for die in dice]
        faint.append(min(best))
        for held in (counts, clear) if min(best) >= SEEN_SURELY else (counts,):
            held[kind] += 1
        own = matched(found, dice, size)
        counts["dice"] += len(want)
        counts["found"] += sum(die.there >= THERE for die, _ in own)
        counts["invented"] += sum(die.there >= THERE for die in found) - sum(die.there >= THERE for die, _ in own)
        counts["faces right"] += sum(int(np.argmax(die.faces)) + 1 == face for die, face in own)
        if kind == "wrong" or (kind == "open") == (number == 2):
            shown = [(round(die.there, 3), die.face, round(max(die.faces), 3)) for die in found[:4]]
            print(name, kind, want, f"stands out {min(best):.1f}", shown)
    print(dict(counts))
    print(f"every pip stands out {SEEN_SURELY:g} times the noise in one picture at least: {dict(clear)}")
    shares = np.quantile(faint, [0.05, 0.1, 0.25, 0.5, 0.75]).round(1).tolist()
    print(f"least visible pip of each scene, times the noise, at 5, 10, 25, 50, 75 %: {shares}")


def whole(scene: dict[str, NDArray]) -> bool:
    """Return whether all dice lie well inside the picture."""
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


def faultless(table: Path, pictures: dict[str, NDArray[np.uint8]]) -> int:
    """Return how many cameras the certificate finds nothing to mend about."""
    game = game_named("terrabilis")
    found = certify(game, TableReader.open(table, kit=game.kit), pictures, {}, Occasion(table.name, ""))
    return sum(part.grade is Grade.GOOD for part in found.cameras)


def mats(folder: Path, cameras: int, frames: int, each: bool) -> None:
    """Measure whole mats and print: all, and those whose every camera the certificate finds without fault."""
    counts: Counter[str] = Counter()
    certified: Counter[str] = Counter()
    for number, table in enumerate(sorted(path.parent for path in folder.glob("*/places.json"))):
        reader = MatReader.open(table)
        for truth in json.loads((table / "truth.json").read_text())["pictures"]:
            files = {"cam0": table / truth["file"]}
            for k in range(1, cameras):
                files[f"cam{k}"] = files["cam0"].with_stem(f"{files['cam0'].stem}-cam{k}")
            pictures = {
                name: mat_picture(path, 7 * number + k, frames) for k, (name, path) in enumerate(files.items())
            }
            for look in [{name: picture} for name, picture in pictures.items()] if each else [pictures]:
                found = reader.read(look)
                named = f"{table.name}/{truth['file']} {'+'.join(look)}"
                kind = dice_told(found, truth["dice"])
                sound = faultless(table, look)
                told = Counter({f"dice {kind}": 1}) + places_told(found, truth, named)
                counts.update(told)
                counts.update({"ms": round(found.duration_ms), "pictures": 1})
                if sound == len(look):
                    certified.update(told)
                if kind != "right":
                    shown = [(round(die.there, 3), [round(p, 2) for p in die.faces]) for die in found.dice[:3]]
                    print(f"{named}: dice {truth['dice']} {kind}, {sound} cameras sound, {shown}")
    print(dict(sorted(counts.items())))
    print(f"where the certificate finds every camera without fault: {dict(sorted(certified.items()))}")


def dice_told(found: MatSeen, want: list[int]) -> str:
    """Return whether the pair is told right, left open or told wrong."""
    if found.pair is None:
        return "open"
    return "right" if sorted(found.pair) == sorted(want) else "wrong"


def places_told(found: MatSeen, truth: Mapping[str, Mapping[str, object]], named: str) -> Counter[str]:
    """Count how often pawns, the Zone and installed cards are told right, left open or wrong; print the others."""
    counts: Counter[str] = Counter()
    for name, got in (("pawns", found.pawns), ("zone", found.counters), ("installed", found.cards)):
        for word, want in truth.get(name, {}).items():
            if word not in got:
                continue  # never taught
            told = got[word]
            kind = "open" if told is None else "right" if told == want else "wrong"
            counts[f"{name} {kind}"] += 1
            if kind != "right":
                print(f"{named}: {name} {word} {want} read {told}")
    return counts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--mats", action="store_true")
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--number", type=int, default=2)
    parser.add_argument("--cameras", type=int, default=1)
    parser.add_argument("--frames", type=int, default=0)
    args = parser.parse_args()
    if args.mats:
        mats(args.scenes, args.cameras, args.frames, args.each)
    else:
        pairs(args.scenes, args.plain, args.number, args.cameras, max(1, args.frames))


if __name__ == "__main__":
    main()
