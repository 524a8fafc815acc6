"""What was told of a tower is drawn where it stands, as sure as it is; nearer bars hide farther ones."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.kinds.tower.observation import TowerEvidence
from tests.vision.tower.scene import SIZE, TOWER, draw, pose, table, views, write_table
from vision.explain import DOUBTFUL, OPEN, PLAIN
from vision.tower.explain import explain_tower, overlay
from vision.tower.reading import read_tower
from vision.tower.text import told_of

SMALL = ".ew..SEWN"
SIDES = frozenset({"south"})

pytestmark = pytest.mark.long


def shown(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    """Count the pixels that have one of the legend's colours, the legend left out."""
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


def test_both_drawings_of_a_reading_show_the_same() -> None:
    """With the signs of the text written on them or not: the lines around the bars are the same."""
    seen = views(TOWER)
    reading = read_tower(seen, table())
    assert reading is not None
    plain = overlay(seen[0], table(), told_of(reading.belief, reading.sides))
    signed = explain_tower(seen, table(), reading)[62 : 62 + plain.shape[0], : plain.shape[1]]
    for colour in (PLAIN, DOUBTFUL, OPEN):
        lines, other = ((one == colour).all(axis=2) for one in (plain, signed))
        assert not (other & ~lines).any()
        assert (lines & other).sum() >= 0.5 * lines.sum()


def colours(plain: str, surest: str, turned: float = 3) -> dict[tuple[int, ...], int]:
    """Count the pixels that bear each line's colour."""
    (view,) = views(SMALL, (turned,))
    drawn = overlay(view, table(), TowerEvidence(plain, surest, SIDES))
    return {colour: int((drawn == colour).all(axis=2).sum()) for colour in (PLAIN, DOUBTFUL, OPEN)}


@pytest.mark.parametrize(
    ("plain", "surest", "there"),
    [
        (SMALL, SMALL, {PLAIN}),
        (SMALL, ".ew..S??N", {PLAIN, DOUBTFUL}),
        (".ew..S??N", ".ew..S??N", {PLAIN, OPEN}),
        ("", "", set()),
    ],
)
def test_lines_are_as_sure_as_what_was_told(plain: str, surest: str, there: set[tuple[int, ...]]) -> None:
    found = colours(plain, surest)
    assert {colour for colour, count in found.items() if count > 20} == there


def test_what_stands_behind_is_hidden() -> None:
    """Rows of a text go from north to south, and the camera stands in the south."""
    wall = "/".join(["......ew."] * 4)
    doubted = wall.replace("......ew.", "ew....ew.")
    seen_from_south = colours(doubted, wall.replace("......ew.", "??....ew."))
    seen_from_north = colours(doubted, wall.replace("......ew.", "??....ew."), turned=183)
    assert seen_from_south[DOUBTFUL] < seen_from_north[DOUBTFUL] / 2


def test_the_picture_stays_as_it_is_beside_the_tower() -> None:
    (view,) = views(SMALL, (3,))
    before = view.picture_bgr.copy()
    drawn = overlay(view, table(), TowerEvidence("", "", SIDES))
    assert np.array_equal(view.picture_bgr, before), "what was taken is not written on"
    assert drawn.shape[0] <= before.shape[0]
