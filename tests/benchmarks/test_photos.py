"""What is told of photographs is counted right, wrong, or left open; a missing folder is named."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.photos import colour_of, counted, outcome, over_sizes, shares
from benchmarks.real import PARTS, main
from vision.ledger.dice import DieSeen

BOXES = ((10.0, 10.0, 50.0, 50.0), (80.0, 20.0, 120.0, 60.0))
PAINTS = {"red": (30, 30, 200), "white": (240, 240, 240), "blue": (200, 60, 30), "black": (20, 20, 20)}


def drawn(*paints: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    picture = np.full((80, 140, 3), 128, np.uint8)
    for (x0, y0, x1, y1), paint in zip(BOXES, paints, strict=True):
        cv2.rectangle(picture, (int(x0), int(y0)), (int(x1), int(y1)), PAINTS[paint], -1)
    return picture


def seen(box: tuple[float, float, float, float], face: int, sure: float = 0.99) -> DieSeen:
    faces = tuple(sure if one == face else (1 - sure) / 5 for one in range(1, 7))
    return DieSeen(((box[0] + box[2]) / 2 + 3, -(box[1] + box[3]) / 2 - 2), 0.99, faces)


@pytest.mark.parametrize(
    ("paints", "dice", "told"),
    [
        (("red", "white"), (seen(BOXES[0], 5), seen(BOXES[1], 2)), ["right", "wrong"]),
        (("blue", "black"), (seen(BOXES[1], 3, 0.6),), ["open", "open"]),
    ],
)
def test_dice_of_two_drawn_pictures_are_counted(
    paints: tuple[str, str], dice: tuple[DieSeen, ...], told: list[str]
) -> None:
    """A die that is not found and one that is not sure are both left open."""
    picture = drawn(*paints)
    truth = [{"box": BOXES[0], "pips": 5}, {"box": BOXES[1], "pips": 3}]
    assert [name for name, _ in counted(dice, truth)] == told
    assert tuple(colour_of(picture, box) for box in BOXES) == paints


def test_shares_are_of_all_that_was_to_be_told() -> None:
    assert [outcome(3, 3), outcome(2, 3), outcome(None, 3)] == ["right", "wrong", "open"]
    assert shares(Counter({"right": 3, "open": 1, "empty": 9})) == ("4", "3 (75.0 %)", "0 (0.0 %)", "1 (25.0 %)")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none"), "--page", str(page)])
    assert "none is no folder" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--page", str(page)])
    assert f"holds none of the folders {', '.join(PARTS)}" in capsys.readouterr().err
    assert not page.exists()


def test_a_face_that_is_another_at_the_next_size_is_left_open() -> None:
    same, other = [seen(BOXES[0], 5)], [seen(BOXES[0], 4)]
    assert [die.face for die in over_sizes([same, same, same], 40.0)] == [5]
    assert [die.face for die in over_sizes([same, other, same], 40.0)] == [None]
    faint = [replace(seen(BOXES[0], 4), there=0.1)]
    assert [die.face for die in over_sizes([same, faint, same], 40.0)] == [5]
