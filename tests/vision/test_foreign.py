from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.scene import BGR, Scene, grids, table, view
from vision.geometry.printed_frame import frame_band, likeness
from vision.geometry.view import View
from vision.obstruction.obstruction import Obstruction, find_foreign

pytestmark = pytest.mark.long

STANDING = Scene(
    heights={(0, 0): 1, (2, 3): 4, (4, 1): 7, (5, 5): 2, (1, 4): 3},
    flags={(4, 1): "red", (5, 5): "green"},
    stones={"nw": 2, "ne": 1, "se": 5, "sw": 3},
)
ARMS: dict[str, BGR] = {
    "pale skin": (150, 175, 215),
    "dark skin": (45, 65, 100),
    "blue sleeve": (140, 80, 40),
    "green sleeve": (70, 120, 60),
    "red glove": (50, 45, 170),
    "black sleeve": (24, 24, 26),
    "grey sleeve": (120, 121, 122),
}


def look(scene: Scene, *azimuths_deg: float, known: bool = True) -> Obstruction:
    views = [
        view(scene, name, azimuth) for name, azimuth in zip(("left", "right"), azimuths_deg or (-85.0,), strict=False)
    ]
    heights, flags = grids(scene)
    return find_foreign(views, table(), heights, flags) if known else find_foreign(views, table())


@pytest.mark.parametrize("azimuth_deg", [-85, -20, 60, 150])
@pytest.mark.parametrize("gain", [0.4, 1.0, 1.35])
def test_a_game_standing_still_is_clear(azimuth_deg: float, gain: float) -> None:
    found = look(STANDING.with_(gain=gain), azimuth_deg)
    assert found.clear
    assert found.blocked == ()


@pytest.mark.parametrize("colour", ARMS)
@pytest.mark.parametrize("known", [True, False])
def test_an_arm_of_any_colour_is_seen(colour: str, known: bool) -> None:
    found = look(STANDING.with_(arm=ARMS[colour]), known=known)
    assert not found.clear


def test_a_sleeve_like_paper_is_betrayed_by_the_rim() -> None:
    found = look(STANDING.with_(arm=(222, 224, 226), arm_from_mm=(0.0, -420.0), arm_to_mm=(0.0, -20.0)))
    assert not found.clear


@pytest.mark.parametrize("grey", [215, 200, 185])
@pytest.mark.parametrize("gain", [0.5, 1.0])
def test_a_board_whose_margin_is_almost_like_paper_is_clear_and_an_arm_over_it_is_seen(
    grey: int, gain: float
) -> None:
    pale = STANDING.with_(rim=(grey - 10, grey, grey - 12), gain=gain)
    assert look(pale).clear
    white_sleeve = pale.with_(arm=(222, 224, 226), arm_from_mm=(0.0, -420.0), arm_to_mm=(0.0, -20.0))
    assert not look(white_sleeve).clear


@pytest.mark.parametrize("azimuth_deg", [-20, 150])
@pytest.mark.parametrize("arm", [None, "grey sleeve"])
def test_a_pale_margin_that_towers_hide_in_part_is_no_arm_either(azimuth_deg: float, arm: str | None) -> None:
    row = {(5, column): 2 + column % 2 for column in range(6)}
    scene = STANDING.with_(heights=row, rim=(190, 200, 188), arm=None if arm is None else ARMS[arm])
    assert look(scene, azimuth_deg).clear == (arm is None)


def lit_from_one_side(scene: Scene) -> View:
    """Return the scene under a lamp that drowns some of its tinted paper, as a camera sees it."""
    seen = view(scene)
    lamp = np.linspace(0.6, 1.6, seen.picture_bgr.shape[1])[None, :, None]
    return replace(seen, picture_bgr=np.clip(seen.picture_bgr * lamp, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("arm", [None, "pale skin", "green sleeve"])
def test_paper_loses_its_tint_where_light_drowns_it(arm: str | None) -> None:
    scene = STANDING.with_(paper=(195, 228, 205), arm=None if arm is None else ARMS[arm])
    assert find_foreign([lit_from_one_side(scene)], table(), *grids(scene)).clear == (arm is None)


@pytest.mark.parametrize("paper", [(225, 228, 230), (150, 205, 225), (190, 215, 190)])
@pytest.mark.parametrize("cloth", [(60, 75, 95), (70, 120, 60), (200, 200, 205)])
def test_paper_and_cloth_of_any_colour(paper: BGR, cloth: BGR) -> None:
    table_top = STANDING.with_(paper=paper, cloth=cloth)
    assert look(table_top).clear
    assert not look(table_top.with_(arm=(120, 145, 190))).clear


def test_the_arm_is_followed_over_the_board() -> None:
    found = look(STANDING.with_(arm=(130, 150, 190)))
    names = {field.name for field in found.blocked}
    assert {"D1", "D2"} & names
    assert not {"A5", "A6", "F6"} & names


def test_an_arm_over_a_marker_only() -> None:
    scene = STANDING.with_(arm=(228, 228, 230), arm_from_mm=(0.0, -430.0), arm_to_mm=(0.0, -150.0))
    assert not look(scene).clear


def test_things_beside_the_frame_are_left_alone() -> None:
    assert look(STANDING.with_(cup_mm=(-265.0, 60.0)), -85).clear


@pytest.mark.parametrize("place", [(-150.0, 40.0), (60.0, -170.0), (170.0, 170.0)])
def test_a_shadow_is_no_hand(place: tuple[float, float]) -> None:
    assert look(STANDING.with_(shadow_mm=place)).clear


def test_towers_before_the_frame_are_no_hands() -> None:
    row = {(5, col): 9 for col in range(6)} | {(4, 2): 8, (3, 5): 9}
    scene = Scene(heights=row, flags={(5, 0): "blue", (5, 3): "yellow"})
    assert look(scene).clear
    assert look(scene, known=False).clear


def test_a_tower_read_too_low_counts_only_when_it_is_wide() -> None:
    scene = Scene(heights={(5, 2): 5})
    heights, flags = grids(scene)
    heights[5, 2] = 4
    assert find_foreign([view(scene)], table(), heights, flags).clear


def test_one_camera_of_two_is_enough() -> None:
    scene = STANDING.with_(arm=(130, 150, 190))
    heights, flags = grids(scene)
    views = [view(STANDING, "left"), view(scene, "right", 20)]
    found = find_foreign(views, table(), heights, flags)
    assert not found.clear
    assert found.seen_in == {"right"}


def test_without_cameras_nothing_is_foreign() -> None:
    assert find_foreign([], table()).clear


def test_the_band_is_paper_without_markers() -> None:
    band = frame_band(table())
    assert band.paper.shape == band.points_mm.shape[:2]
    x, y = np.abs(band.points_mm[band.paper][:, :2]).T
    assert np.maximum(x, y).min() >= 154
    assert not (band.paper & np.logical_or.reduce(list(band.squares.values()))).any()


def test_a_marker_is_like_itself_only() -> None:
    seen = view(STANDING)
    like = likeness(seen, table(), 5)
    assert like is not None
    assert like > 0.8
    covered = likeness(view(STANDING.with_(arm=(90, 90, 90), arm_from_mm=(0.0, -430.0))), table(), 5)
    assert covered is not None
    assert covered < 0.35


def test_a_view_is_looked_at_again_where_other_stacks_may_hide_the_frame() -> None:
    scene = STANDING.with_(arm=ARMS["black sleeve"], arm_from_mm=(0.0, 420.0), arm_to_mm=(0.0, 60.0))
    seen, known = view(scene), grids(scene)
    towers = find_foreign([seen], table())
    found = find_foreign([seen], table(), *known)
    assert found == find_foreign([view(scene)], table(), *known)
    assert found != towers
