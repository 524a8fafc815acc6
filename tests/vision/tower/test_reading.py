"""Whole towers, read from drawn pictures of four sides by one camera."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.errors import CalibrationError
from tests.scene import table as table_of_stacks
from tests.vision.tower.scene import PLAIN, TOWER, Looks, table, views, with_arm
from vision.geometry.view import View
from vision.tower.grid import cell_name, cell_number
from vision.tower.history import cells_of
from vision.tower.reading import TowerReading, read_tower, read_without_each

LOW = "UewewSEWN/DssSnnNEW"
TALL = "UewewSEWN/DssSnnNEW/uewEWsEWn/dUUsEWnew/uDDUSsUNn/dewDUuDEW/ewUsDdn../UuDewU.../Dd...D..."


@cache
def read(tower: str, looks: Looks = PLAIN, previous: str | None = None) -> TowerReading:
    reading = read_tower(views(tower, looks=looks), table(), previous)
    assert reading is not None
    return reading


def wrong(reading: TowerReading, tower: str) -> list[str]:
    """Return the cells told wrongly; an open cell, or a half left open, is not wrong."""
    out = []
    for cell, (told, true) in enumerate(zip(cells_of(reading.tower), cells_of(tower), strict=True)):
        same_colour = told != "." and true != "." and told.isupper() == true.isupper()
        if told != "?" and told != true and not (told.lower() == "x" and same_colour):
            out.append(f"{cell_name(cell)} {true} told {told}")
    return out


def told_share(reading: TowerReading, tower: str) -> float:
    pairs = [(t, w) for t, w in zip(cells_of(reading.tower), cells_of(tower), strict=True) if w != "."]
    return sum(t != "?" for t, _ in pairs) / len(pairs) if pairs else 1.0


LOOKS = {
    "plain": PLAIN,
    "black and white": Looks(light=(235, 238, 240), dark=(30, 28, 28), room=(40, 40, 45)),
    "yellow and blue": Looks(light=(60, 190, 220), dark=(140, 70, 40)),
    "room like the light bars": Looks(room=(128, 178, 203)),
    "board like the dark bars": Looks(board=(46, 56, 78), base=(120, 140, 150)),
    "base like the light bars": Looks(base=(128, 176, 200)),
    "dim and noisy": Looks(bright=0.45, noise=6.0),
    "bright": Looks(bright=1.25),
}


CASES = [pytest.param(TOWER if looks is PLAIN else LOW, looks, id=name) for name, looks in LOOKS.items()]


@pytest.mark.long
@pytest.mark.parametrize(("tower", "looks"), [*CASES, pytest.param(TALL, PLAIN, id="tall")])
def test_nothing_is_told_wrong_and_nearly_all_is_told(tower: str, looks: Looks) -> None:
    reading = read(tower, looks)
    assert wrong(reading, tower) == []
    assert told_share(reading, tower) >= 0.8  # the rest is inside the tower
    assert reading.show is None
    assert reading.spoilt == ()


@pytest.mark.long
@pytest.mark.parametrize(
    "tower",
    ["", "......EW.", ".....s..n", "u......../d........", "ew....EW./ew.......", ".......ew/.......u./.......d."],
    ids=["empty", "one light", "one dark", "one standing", "two apart and one over", "standing on lying"],
)
def test_the_first_bars_are_read(tower: str) -> None:
    reading = read(tower)
    assert wrong(reading, tower) == []
    assert told_share(reading, tower) == 1.0


@pytest.mark.long
def test_a_hanging_bar_is_read() -> None:
    """It breaks the rules, and must be seen all the same: one half over a gap."""
    tower = "EW.EW.EW./.ew......"
    reading = read(tower)
    assert wrong(reading, tower) == []
    assert told_share(reading, tower) == 1.0


@pytest.mark.long
def test_history_tells_the_halves_that_nobody_sees() -> None:
    before = TOWER
    after = TOWER[:-9] + "d..sEWnew"
    plain, known = read(after), read(after, previous=before)
    assert "x" in plain.tower.lower()
    assert known.tower == after


@pytest.mark.long
def test_history_gives_way_to_what_is_seen() -> None:
    """Bars are said to have been of the other colour, or to have stood: the pictures count."""
    before = TOWER.replace("d..sEWn..", "D..sEWn..").replace("uewEWsEWn", "UewEWsEWn").replace("NEW/", "Nus/")
    assert wrong(read(TOWER, previous=before), TOWER) == []


@pytest.mark.long
@pytest.mark.parametrize(("turned", "show"), [(0, "north"), (90, "east"), (180, "south"), (270, "west")])
def test_a_side_never_shown_is_asked_for(turned: float, show: str) -> None:
    """Turned by a quarter counter-clockwise, the board shows its west to the camera."""
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
    reading = read_tower(views(TOWER, (turned,)), table())
    assert reading is not None
    assert wrong(reading, TOWER) == []
    assert "?" in reading.tower
    assert reading.show in {*opposite} - {opposite[show]}


@pytest.mark.long
def test_two_opposite_sides_leave_one_of_the_others_open() -> None:
    reading = read_tower(views(TOWER, (0, 180)), table())
    assert reading is not None
    assert reading.show in ("east", "west")


@pytest.mark.long
def test_an_arm_before_the_tower_spoils_one_picture_only() -> None:
    seen = views(TOWER)
    reading = read_tower([with_arm(seen[0], TOWER), *seen[1:]], table())
    assert reading is not None
    assert reading.spoilt == (0,)
    assert wrong(reading, TOWER) == []


@pytest.mark.long
def test_a_picture_without_the_tower_in_sight_keeps_its_number() -> None:
    seen = views(TOWER)
    pose = seen[0].pose
    aside = replace(seen[0], pose=replace(pose, translation_mm=pose.translation_mm + np.array([5000.0, 0.0, 0.0])))
    reading = read_tower([aside, with_arm(seen[0], TOWER), *seen[1:]], table())
    assert reading is not None
    assert reading.spoilt == (1,)


@pytest.mark.long
def test_pictures_of_two_towers_are_not_mixed() -> None:
    """One picture was taken before the last bar was laid."""
    seen = views(TALL)
    seen[2] = views(TALL.rsplit("/", 2)[0])[2]
    reading = read_tower(seen, table())
    assert reading is not None
    assert reading.spoilt == (2,)
    assert wrong(reading, TALL) == []


@pytest.mark.long
def test_confidence_is_told_for_every_cell_up_to_the_top() -> None:
    reading = read(TOWER)
    assert len(reading.confidence) == 9 * len(reading.tower.split("/"))
    assert all(0 <= chance <= 1 for chance in reading.confidence.values())
    signs = cells_of(reading.tower)
    assert all(chance >= 0.99 for name, chance in reading.confidence.items() if signs[cell_number(name)] != "?")


@pytest.mark.long
def test_what_is_no_tower_is_refused() -> None:
    with pytest.raises(ValueError, match="level 1"):
        read_tower(views(TOWER), table(), "ew")
    with pytest.raises(CalibrationError, match="no bar"):
        read_tower(views(TOWER), table_of_stacks())
    assert read_tower([], table()) is None


@pytest.mark.long
def test_a_reading_is_the_same_twice() -> None:
    one, other = read(TOWER), read.__wrapped__(TOWER)
    assert one.tower == other.tower
    np.testing.assert_array_equal(one.belief.colours, other.belief.colours)


BEFORE = "SS.NN.Uew/ew....D.."
HANGING = "SS.NN.Uew/ew...SD.N"
"""A light bar laid on c1 and c2, where nothing is below c2."""


@pytest.mark.long
@pytest.mark.parametrize("turns", [(3, 275), (3, 275, 178), (3, 92, 178, 275)])
def test_a_bar_that_hangs_is_read_from_few_sides(turns: tuple[float, ...]) -> None:
    """Cell by cell a tower without the bar and without a square below explains two sides as well."""
    reading = read_tower(views(HANGING, turns), table(), BEFORE)
    assert reading is not None
    assert reading.spoilt == ()
    assert wrong(reading, HANGING) == []
    assert sum(sign == "?" for sign in reading.tower) <= 1


def with_fist(view: View, x: int, y: int) -> View:
    """Return the same view with a fist of four fingers before the tower; no marker is covered."""
    picture, skin = view.picture_bgr.copy(), (115, 150, 205)
    for finger in range(4):
        start, end = (x, y + 22 * finger), (x + 75, y + 14 * finger)
        cv2.line(picture, start, end, tuple(tone * (20 - finger) // 20 for tone in skin), 20, cv2.LINE_AA)
        below = [(at[0], at[1] + 11) for at in (start, end)]
        cv2.line(picture, below[0], below[1], (70, 95, 140), 2, cv2.LINE_AA)
    cv2.ellipse(picture, (x + 70, y + 20), (45, 52), 20, 0, 360, skin, -1, cv2.LINE_AA)
    return replace(view, picture_bgr=picture)


@pytest.mark.long
@pytest.mark.parametrize(("x", "y"), [(345, 250), (345, 215), (380, 230)])
def test_a_hand_that_covers_no_marker_makes_its_picture_strange(x: int, y: int) -> None:
    (seen,) = views(HANGING, (3,))
    plain = read_tower([seen], table(), HANGING)
    assert plain is not None
    assert plain.strange == ()
    spoilt = read_tower([with_fist(seen, x, y)], table(), HANGING)
    assert spoilt is not None
    assert spoilt.covered == ()
    assert spoilt.strange == (0,)


@pytest.mark.long
def test_leaving_a_picture_out_tells_what_reading_the_others_tells() -> None:
    first, *others = views(LOW)
    shown = [with_arm(first, LOW), *others]
    alone = [read_tower([*shown[:k], *shown[k + 1 :]], table()) for k in range(len(shown))]
    rests = read_without_each([[view] for view in shown], table(), None)
    towers = [one.tower for one in alone if one is not None]
    assert [one.tower for one in rests] == towers
    assert len(set(towers)) > 1, "what is left out matters"
