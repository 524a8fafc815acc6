from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.scene import PAINT, SEATS, Scene, draw, grids, lens, pose, table, view
from vision.geometry.view import View
from vision.markers.tracks import read_stones

pytestmark = pytest.mark.long

COLOURS = SEATS


def read(scene: Scene, azimuth_deg: float = -85, *, told: bool = True) -> dict[str, int | None]:
    heights, flags = grids(scene)
    return read_stones([view(scene, azimuth_deg=azimuth_deg)], table(), heights, flags, COLOURS if told else None)


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("told", [True, False])
def test_every_place_is_read(place: int, told: bool) -> None:
    stones = dict(zip(SEATS, [place, (place + 1) % 6, (place + 2) % 6, (place + 3) % 6], strict=True))
    assert read(Scene(stones=stones), told=told) == stones


@pytest.mark.parametrize("gain", [0.35, 0.7, 1.3])
@pytest.mark.parametrize("azimuth_deg", [-85, 10, 130])
def test_light_and_side_do_not_matter(gain: float, azimuth_deg: float) -> None:
    stones = {"nw": 1, "ne": 4, "se": 2, "sw": 5}
    said = read(Scene(stones=stones, gain=gain), azimuth_deg)
    assert all(said[track] in (place, None) for track, place in stones.items())
    assert sum(value is not None for value in said.values()) >= (4 if gain <= 1 else 3)


def test_a_place_behind_a_tower_is_not_told() -> None:
    scene = Scene(heights={(5, col): 5 for col in range(3)}, stones={"nw": 3, "ne": 1, "se": 2, "sw": 4})
    assert read(scene) == {"nw": None, "ne": 1, "se": 2, "sw": 4}


def test_an_empty_track_is_told_only_when_all_of_it_is_seen() -> None:
    scene = Scene(heights={(5, 0): 4})
    assert read(Scene())["nw"] == 0
    assert read(scene)["nw"] is None
    assert read(scene)["sw"] == 0


def test_another_camera_sees_behind_the_tower() -> None:
    scene = Scene(heights={(5, col): 3 for col in range(3)}, stones={"nw": 3})
    heights, flags = grids(scene)
    views = [view(scene, "left", -85), view(scene, "right", 95)]
    assert read_stones(views, table(), heights, flags)["nw"] == 3


def test_unknown_heights_hide_what_they_may() -> None:
    said = read_stones([view(Scene(stones={"sw": 2, "nw": 2}))], table())
    assert said["nw"] is None
    assert said["sw"] == 2


def painted(scene: Scene, track: str, places: dict[int, tuple[int, int, int]]) -> View:
    """Draw the scene with coloured discs on places of a track."""
    at = pose()
    picture = draw(scene, at)
    for place, colour in places.items():
        x, y = table().margin_fields[track][place - 1]
        around = np.linspace(0, 2 * np.pi, 40)
        ring = np.column_stack([x + 9 * np.cos(around), y + 9 * np.sin(around), np.zeros(40)])
        cv2.fillPoly(picture, [np.round(at.project(ring, lens())).astype(np.int32)], colour)
    return View("left", picture, lens(), at)


@pytest.mark.parametrize(
    "places",
    [
        {1: PAINT["green"], 4: PAINT["green"]},
        {3: PAINT["red"]},
        {2: PAINT["green"], 3: PAINT["green"], 4: PAINT["blue"]},
    ],
)
def test_what_cannot_be_is_left_open(places: dict[int, tuple[int, int, int]]) -> None:
    seen = painted(Scene(stones={"sw": 2}), "se", places)
    heights, flags = grids(Scene())
    said = read_stones([seen], table(), heights, flags, COLOURS)
    assert said["se"] is None
    assert said["sw"] == 2


def test_cameras_that_disagree_leave_it_open() -> None:
    heights, flags = grids(Scene())
    views = [view(Scene(stones={"se": 2}), "left"), view(Scene(stones={"se": 3}), "right", -60)]
    assert read_stones(views, table(), heights, flags)["se"] is None


def test_over_exposed_stones_are_left_open() -> None:
    said = read(Scene(gain=4.0, stones={"se": 2}))
    assert said["se"] in (None, 2)
    assert said["sw"] is None


def test_without_cameras_nothing_is_told() -> None:
    assert read_stones([], table()) == dict.fromkeys(SEATS)


def test_a_view_is_looked_at_again_where_other_stacks_may_hide_a_place() -> None:
    seen, known = view(Scene(stones={"nw": 2})), grids(Scene())
    assert read_stones([seen], table())["nw"] is None
    assert read_stones([seen], table(), *known)["nw"] == 2
