"""Markers on a score track around the board: told where they are plain to see, left open everywhere else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.values.partial import UNKNOWN, PartialBoard
from tests.scene import Scene, grids, table, view
from vision.geometry.view import View
from vision.markers.score import read_score

HALF, APART = 102.0, 10.2
RING = (
    *((-HALF, -HALF + APART * k) for k in range(20)),
    *((-HALF + APART * k, HALF) for k in range(20)),
    *((HALF, HALF - APART * k) for k in range(20)),
    *((HALF - APART * k, -HALF) for k in range(20)),
)

pytestmark = pytest.mark.long
TABLE = replace(table(), margin_fields={}, score_track=RING)
LETTERS = "rygbwn"
PLAYERS = dict(enumerate(("red", "yellow", "green", "blue", "white", "black"), 1))
KNIGHTS = {(1, 1): "red", (1, 4): "yellow", (4, 1): "green", (4, 4): "blue", (2, 2): "white", (2, 4): "black"}


def scene(score: dict[str, int], **changes: object) -> Scene:
    """Return a scene with markers on the places of the ring, and a knight of every colour."""
    lying = {RING[place]: colour for colour, place in score.items()}
    return Scene(ring=RING, discs=lying, flags=KNIGHTS).with_(**changes)


def read(drawn: Scene, *azimuths_deg: float, told: PartialBoard | None = None) -> dict[str, int]:
    return read_views(
        [view(drawn, f"cam{k}", at, k) for k, at in enumerate(azimuths_deg or (-85.0, 20.0))], drawn, told
    )


def read_views(views: list[View], drawn: Scene, told: PartialBoard | None = None) -> dict[str, int]:
    return read_score(views, TABLE, told or board(drawn), PLAYERS, grids(drawn))


def board(drawn: Scene) -> PartialBoard:
    """Return the board as it stands."""
    heights, pieces = grids(drawn)[0].astype(np.int8), np.zeros((6, 6), np.int8)
    codes = {word: code for code, word in PLAYERS.items()}
    for place, word in drawn.flags.items():
        pieces[place] = codes[word]
    return PartialBoard(heights, pieces, LETTERS)


@pytest.mark.parametrize(
    "score",
    [
        {"red": 0, "yellow": 19, "green": 20, "blue": 41},
        {"red": 30, "yellow": 31, "green": 32, "blue": 33},
        {"red": 79, "blue": 1},
        {"white": 5, "black": 44, "red": 24},
    ],
)
@pytest.mark.parametrize("gain", [0.6, 1.0])
def test_markers_that_are_seen_are_told(score: dict[str, int], gain: float) -> None:
    assert read(scene(score, gain=gain)) == score


def test_an_empty_track_tells_nothing() -> None:
    assert read(scene({})) == {}


def test_two_markers_of_a_colour_are_nobodys_score() -> None:
    drawn = scene({"red": 7})
    twice = drawn.with_(discs={**drawn.discs, RING[50]: "red"})
    assert read(twice) == {}


def test_a_marker_behind_a_tower_is_told_by_the_camera_that_sees_it() -> None:
    drawn = scene({"red": 27, "blue": 5}, heights={(5, col): 5 for col in range(6)})
    assert read(drawn, -85.0) == {"blue": 5}
    assert read(drawn, -85.0, 95.0)["red"] == 27


def test_cameras_that_differ_leave_a_marker_open() -> None:
    """One picture is older than a push of the marker."""
    views = [view(scene({"red": 7, "blue": 60}), "cam0", -85.0), view(scene({"red": 9, "blue": 60}), "cam1", 20.0)]
    assert read_views(views, scene({})) == {"blue": 60}


def test_without_a_knight_to_compare_with_a_colour_is_nobodys() -> None:
    drawn = scene({"red": 7, "blue": 60}, flags={(4, 4): "blue"})
    assert read(drawn) == {"blue": 60}


def test_knights_on_unknown_stacks_say_nothing() -> None:
    drawn = scene({"red": 7, "blue": 60})
    sure = board(drawn)
    heights = np.array(sure.heights)
    heights[1, 1] = UNKNOWN
    assert read(drawn, told=PartialBoard(heights, sure.pieces, LETTERS)) == {"blue": 60}


def test_a_white_marker_on_white_paper_is_not_told() -> None:
    drawn = scene({"white": 7, "black": 60, "green": 24}, print_bgr=(232, 235, 236))
    assert read(drawn) == {"black": 60, "green": 24}


def test_a_shadow_is_no_black_marker() -> None:
    """Over several places, at the light a room leaves in a hard shadow."""
    drawn = scene({"red": 30})
    views = [view(drawn, "cam0", -85.0), view(drawn, "cam1", 20.0)]
    for one in views:
        corners = [(-110.0, y, 0.0) for y in (-40.0, -15.0)] + [(-94.0, y, 0.0) for y in (-15.0, -40.0)]
        _darken(one, np.array(corners), 0.55)
    assert read_views(views, drawn) == {"red": 30}


def test_shine_that_one_camera_sees_is_no_white_marker() -> None:
    drawn = scene({"red": 30})
    views = [view(drawn, "cam0", -85.0), view(drawn, "cam1", 20.0)]
    x, y = RING[5]
    _darken(views[0], np.array([(x + dx, y + dy, 0.0) for dx, dy in ((-5, -5), (-5, 5), (5, 5), (5, -5))]), 1.4)
    assert read_views(views, drawn) == {"red": 30}


def _darken(seen: View, corners_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]], times: float) -> None:
    """Change the light on an area of a picture."""
    mask = np.zeros(seen.picture_bgr.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(seen.project(corners_mm)).astype(np.int32)], 1)
    light = np.where(mask[..., None] > 0, times, 1.0)
    seen.picture_bgr[:] = np.clip(seen.picture_bgr * light, 0, 255).astype(np.uint8)


def test_places_outside_the_picture_say_nothing() -> None:
    drawn = scene({"red": 7, "blue": 60})
    whole = view(drawn, "cam0", -85.0)
    away = np.zeros_like(whole.picture_bgr)
    off = replace(whole.pose, translation_mm=whole.pose.translation_mm + np.array([4000.0, 0.0, 0.0]))
    assert read_views([View("cam0", away, whole.lens, off)], drawn) == {}
