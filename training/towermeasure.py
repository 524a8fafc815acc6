"""Reads table folders of towers as the product does and counts against their truth: squares, and whole towers.

usage: python -m training.towermeasure TABLE ... [--history]
Each position is read from all its pictures of the first camera. ``--history``: the tower a bar before is known, from
the game where the truth has one, else with a bar that carries none left out at random by the folder's name. Prints a
line for each tower that is not whole, and the sums; seconds are processor time, with poses, without loading.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from referee.kinds.tower.observation import cells_told
from vision.tower.grid import CELLS, FLOOR, cell_number, other_half
from vision.tower.history import cells_of
from vision.tower.reader import TowerReader
from vision.tower.text import text_of


@dataclass
class Counts:
    """Sums over positions.

    whole: all squares and halves right that a picture shows, none invented; exact: the whole text is right.
    """

    towers: int = 0
    whole: int = 0
    exact: int = 0
    squares: int = 0
    right: int = 0
    wrong: int = 0
    invented: int = 0
    seconds: list[float] = field(default_factory=list)


def bar_before(tower: str, rng: np.random.Generator) -> str:
    """Return a tower's text with a bar left out that carries no other."""
    signs = cells_of(tower)
    bars = []
    for cell, sign in enumerate(signs):
        other = other_half(cell, sign.lower()) if sign.lower() in ("e", "n", "u") else None
        if other is not None and not _carries(signs, (cell, other)):
            bars.append((cell, other))
    for cell in bars[rng.integers(len(bars))] if bars else ():
        signs[cell] = "."
    return text_of(signs)


def _carries(signs: list[str], bar: tuple[int, int]) -> bool:
    return any(signs[cell + FLOOR] != "." for cell in bar if cell + FLOOR not in bar and cell + FLOOR < CELLS)


def measure(folder: Path, history: bool, counts: Counts) -> None:
    """Read every position of a table folder and count."""
    truth = json.loads((folder / "truth.json").read_text())
    reader = TowerReader.open(folder)
    camera = json.loads((folder / "table.json").read_text())["cameras"][0]
    rng = np.random.default_rng(crc32(folder.name.encode()))
    for game in truth["games"]:
        for number, frame in enumerate(each for each in game["frames"] if each["kind"] == "still"):
            pictures = [cv2.imread(str(folder / game["name"] / view["files"][camera])) for view in frame["views"]]
            known = _known(frame, rng) if history else None
            began_s = time.process_time()
            reading = reader.read([{camera: picture} for picture in pictures], known).reading
            counts.seconds.append(time.process_time() - began_s)
            told = "" if reading is None else reading.tower
            seen = {name for view in frame["views"] for name in view["cells_seen"][camera]}
            faults = _counted(frame["tower"], told, seen, counts)
            if faults:
                print(f"{folder.name}/{number}: {', '.join(faults)}")


def _known(frame: dict[str, Any], rng: np.random.Generator) -> str:
    if frame.get("turn"):
        return str(frame["turn"]["position"].get("tower", ""))
    return bar_before(frame["tower"], rng)


def _counted(wanted: str, told: str, seen: set[str], counts: Counts) -> list[str]:
    """Add a tower to the sums; what is not as it stands, where a picture shows it."""
    want, got = cells_told(wanted), cells_told(told)
    faults = []
    for name in sorted({*want, *got}, key=cell_number):
        stands, read = want.get(name, "."), got.get(name, ".")
        if name in want and name in seen:
            counts.squares += 1
            alike = read not in ".?" and read.isupper() == stands.isupper()
            counts.right += alike
            counts.wrong += not alike and read != "?"
        counts.invented += name not in want and read != "?"
        if read != stands and (name in seen or (name not in want and read != "?")):
            faults.append(f"{name} {stands} read {read}")
    counts.towers += 1
    counts.whole += not faults
    counts.exact += want == got
    return faults


def main() -> None:
    """Measure the folders named."""
    counts = Counts()
    for each in sys.argv[1:]:
        if each != "--history":
            measure(Path(each), "--history" in sys.argv, counts)
    print(
        f"squares seen {counts.squares}, right {counts.right}, wrong {counts.wrong}, invented {counts.invented}; "
        f"whole towers {counts.whole} of {counts.towers}, with what no picture shows {counts.exact}; "
        f"median {np.median(counts.seconds):.2f} s, most {max(counts.seconds):.2f} s"
    )


if __name__ == "__main__":
    main()
