"""The picture that explains a tower's reading: every square in sight carries what was read of it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.vision.tower.scene import SIZE, TOWER, draw, pose, table, views, write_table
from vision.explain import DOUBTFUL, OPEN, PLAIN
from vision.tower.explain import explain_tower
from vision.tower.reading import read_tower

pytestmark = pytest.mark.long


def shown(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    """How many pixels have one of the legend's colours, the legend left out."""
    return int((np.abs(picture[62:].astype(int) - colour).max(axis=2) <= 8).sum())


def test_what_is_sure_is_blue_and_what_no_picture_tells_is_not() -> None:
    seen = views(TOWER)
    reading = read_tower(seen, table())
    assert reading is not None
    whole = explain_tower(seen, table(), reading)
    one = read_tower(seen[:1], table())
    assert one is not None
    part = explain_tower(seen[:1], table(), one)
    assert whole.dtype == np.uint8
    assert whole.shape[1] > 3 * part.shape[1]
    assert shown(whole, PLAIN) > 2 * shown(part, PLAIN) > 500
    assert shown(whole, OPEN) + shown(whole, DOUBTFUL) < shown(whole, PLAIN) / 20


def test_signs_stand_on_the_squares_they_are_of() -> None:
    """The bars' inside is tinted, the room around the board is not."""
    seen = views(TOWER, (3,))
    reading = read_tower(seen, table())
    assert reading is not None
    picture = explain_tower(seen, table(), reading)[62:]
    plain = seen[0].picture_bgr
    assert picture.shape[0] <= SIZE[1]
    place = cv2.matchTemplate(picture, plain[560:600, 300:500], cv2.TM_SQDIFF_NORMED)
    assert place.min() < 0.01  # the board in front is left as it was


def test_read_explains_towers(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table")
    for number, turned in enumerate((3, 92)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), draw(TOWER, pose(turned), seed=number))
    request = tmp_path / "request.jsonl"
    request.write_text(
        json.dumps({"id": 1, "views": [{"cam0": "0.png"}, {"cam0": "1.png"}]}) + "\n", encoding="utf-8"
    )
    out = tmp_path / "out.png"
    done = CliRunner().invoke(main, ["read", "--table", str(folder), "--explain", str(out), str(request)])
    assert done.exit_code == 0, done.output
    picture = cv2.imread(str(out))
    assert picture is not None
    assert shown(picture, PLAIN) > 500
    refused = CliRunner().invoke(main, ["read", "--table", str(folder), "--explain", "out.jpg", str(request)])
    assert refused.exit_code != 0
    assert ".png" in refused.output
