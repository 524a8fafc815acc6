"""Reads the dice of real photographs and counts what is told right, wrong, or left open, for benchmarks/real.py.

A photograph from nearly above stands for the mat's rectified picture; boxes drawn by hand tell where dice lie.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Section, table
from calibration.lenses import read_picture
from vision.ledger.dice import DieSeen, dice_of, pair_of, place_scores, places_of
from vision.ledger.plane import Area, top_plane
from vision.ledger.topface import DiceLook, TopCutter, looked_at_closely

OUTCOMES = ("right", "wrong", "open")
SIZES_PX = (18.0, 22.0, 27.0, 33.0, 40.0, 48.0)
"""Sides tried first, for nobody says how large the dice are: each a fifth larger than the last."""
BESIDE = (1 / 1.1, 1.0, 1.1)
"""Shares of the likeliest of these at which all dice are then read: one of them is right within 5 %."""
HIGH_MM = 100_000.0
"""A camera so far above sees no sides: dice are measured as if photographed from straight above."""
GREYISH, DARK, PALE = 60, 80, 150
"""HSV saturation below which a die has no colour; its grey level then tells black, grey and white apart."""
HUES = ((10, "red"), (23, "orange"), (35, "yellow"), (85, "green"), (135, "blue"), (165, "purple"), (180, "red"))
"""OpenCV hues, each up to and without the number."""

Picture = NDArray[np.uint8]
Counts = Counter[str]


def outcome(told: int | None, truth: int) -> str:
    """Return whether what is told is right, wrong, or left open."""
    return "open" if told is None else "right" if told == truth else "wrong"


def shares(counts: Counts) -> tuple[str, ...]:
    """Return the cells of a table's row: how many, then right, wrong and open with their shares."""
    total = sum(counts[name] for name in OUTCOMES)
    return (str(total), *(f"{counts[name]} ({100 * counts[name] / max(total, 1):.1f} %)" for name in OUTCOMES))


def picture_of(path: Path) -> Picture:
    """Read a photograph. Raises FileNotFoundError naming the file when it is none."""
    picture = read_picture(path)
    if picture is None:
        raise FileNotFoundError(f"{path}: cannot be read as a picture")
    return picture


def matched(dice: Sequence[DieSeen], box: Sequence[float]) -> DieSeen | None:
    """Return the surest die seen near a box's middle (pixels; x right, y down); ``None`` where none lies there."""
    middle, side = (np.array([box[0] + box[2], -box[1] - box[3]]) / 2, max(box[2] - box[0], box[3] - box[1]))
    near = [die for die in dice if np.hypot(*(np.array(die.at_mm) - middle)) < side / 2]
    return max(near, key=lambda die: die.there, default=None)


def counted(dice: Sequence[DieSeen], truth: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each die of a picture's truth whether its face is told right, wrong, or left open."""
    for one in truth:
        die = matched(dice, one["box"])
        yield outcome(None if die is None else die.face, one["pips"]), one


def colour_of(picture: Picture, box: Sequence[float]) -> str:
    """Name a die's colour by the mean hue within the middle of its box."""
    x0, y0, x1, y1 = (round(v) for v in np.array(box) + 0.2 * (box[2] - box[0]) * np.array([1, 1, -1, -1]))
    inside = np.asarray(picture[max(y0, 0) : y1, max(x0, 0) : x1], np.uint8)
    mean = np.asarray(np.median(inside.reshape(-1, 3), axis=0), np.uint8).reshape(1, 1, 3)
    hue, saturation, _ = cv2.cvtColor(mean, cv2.COLOR_BGR2HSV)[0, 0]
    if saturation < GREYISH:
        grey = float(mean.mean())
        return "black" if grey < DARK else "white" if grey > PALE else "grey"
    return next(name for below, name in HUES if hue < below)


class Above:
    """A photograph from straight above, read by the mat's reader: a pixel is a millimetre, y goes up."""

    def __init__(self, picture: Picture, die_px: float) -> None:
        area, self._die_px = Area((0.0, -float(picture.shape[0])), (float(picture.shape[1]), 0.0)), die_px
        matrix = np.diag([HIGH_MM - die_px, HIGH_MM - die_px, 1.0])
        down, away = np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, HIGH_MM])
        plane = top_plane(picture, matrix, down, away, area, die_px)
        about = (area.low[0] + area.high[0]) / 2, (area.low[1] + area.high[1]) / 2
        self._cutter = TopCutter(picture, matrix, down, away, die_px, about)
        self.listed = dice_of(plane, place_scores(plane))

    @property
    def certainty(self) -> float:
        """Return how many dice the first network alone tells, each by how sure it is."""
        return sum(die.there * max(die.faces) for die in self.listed if die.face is not None)

    def closely(self) -> tuple[DieSeen, ...]:
        """Read the dice by both networks."""
        return looked_at_closely([DiceLook(self._cutter, self.listed)], self._die_px)


def of_any_size(picture: Picture) -> tuple[DieSeen, ...]:
    """Read the dice of a photograph from straight above without knowing how large they are."""
    side_px = max(SIZES_PX, key=lambda px: Above(picture, px).certainty)
    return over_sizes([Above(picture, share * side_px).closely() for share in BESIDE], side_px)


def over_sizes(each: Sequence[Sequence[DieSeen]], side_px: float) -> tuple[DieSeen, ...]:
    """Join what is read at several sizes, all as likely before, into what is likely whatever the size.

    A size at which a die is surely there counts more. So a face that is another at the next size is left open.
    """
    found = []
    for place in places_of(each, side_px):
        dice = [die for die in place if die is not None]
        there = np.clip([die.there for die in dice], 1e-6, 1 - 1e-6)
        odds = there / (1 - there)
        mean = float(odds.sum()) / len(each)
        faces = odds @ np.array([die.faces for die in dice]) / odds.sum()
        surest = dice[int(odds.argmax())]
        found.append(DieSeen(surest.at_mm, mean / (1 + mean), tuple(float(part) for part in faces)))
    return tuple(sorted(found, key=lambda die: -die.there))


def dice(folder: Path) -> Section:
    """Read the dice of each photograph, their size not known."""
    every, colours, crowds, pairs = Counter[str](), dict[str, Counts](), dict[str, Counts](), Counter[bool]()
    for shot in json.loads((folder / "truth.json").read_text(encoding="utf-8")):
        picture = picture_of(folder / shot["file"])
        truth: list[dict[str, Any]] = shot["dice"]
        many = "1 to 4" if len(truth) < 5 else "5 to 9" if len(truth) < 10 else "10 or more"
        look = of_any_size(picture)
        for name, one in counted(look, truth):
            every[name] += 1
            colours.setdefault(colour_of(picture, one["box"]), Counter())[name] += 1
            crowds.setdefault(many, Counter())[name] += 1
        if len(truth) > 2:
            pairs[pair_of(look) is not None] += 1
    lines: tuple[str, ...] = (
        "Read as the mat's reader does, both networks and its thresholds, one photograph each, as if from straight "
        f"above, without the mat's pose. Nobody says how large the dice are: {len(SIZES_PX)} sizes of "
        f"{SIZES_PX[0]:g} to {SIZES_PX[-1]:g} px are tried, all dice are read at {len(BESIDE)} sizes within 10 % of "
        "the one that tells most, and what is read is averaged over these. The referee itself is given the size with "
        f"the table. A pair is told in {pairs[True]} of {pairs.total()} photographs that hold three dice or more. "
        "Colours go by hue alone. A few labels are slips.",
    )
    by_size = sorted(colours.items(), key=lambda row: -row[1].total())
    for what, rows in (("dice", [("all", every)]), ("dice in the picture", crowds.items()), ("colour", by_size)):
        lines += ("", *table((what, "dice", *OUTCOMES), [(name, *shares(counts)) for name, counts in rows]))
    return Section("Dice", lines)
