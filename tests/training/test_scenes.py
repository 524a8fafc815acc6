"""The tables drawn for training are what their labels say: sizes, kits, offsets, bodies."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from training import scenes
from training.meshes import Door, Mesh, block, random_door
from training.positions import KING, castles, random_castles, random_heights, random_knights, random_offsets
from training.scenes import Scene, careless, pile_up, random_scene

pytestmark = pytest.mark.long

SEEDS = range(24)


@cache
def seeded(seed: int) -> Scene:
    return random_scene(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scene_has_only_pieces_of_its_kit_on_a_board_of_its_size(seed: int) -> None:
    scene = seeded(seed)
    fields = len(scene.heights)
    assert fields in (8, 10)
    assert scene.heights.shape == scene.pieces.shape == (fields, fields)
    assert set(np.unique(scene.pieces)) <= set(scene.kit)
    vertices, uv, tint, faces = scene.stones.arrays()
    assert np.isfinite(vertices).all()
    assert np.isfinite(tint).all()
    assert 0 <= uv.min() <= uv.max() <= 1
    assert faces.max() < len(vertices)
    assert np.isfinite(scene.board).all()
    assert np.isfinite(scene.atlas).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_both_kinds_of_tables_are_drawn_with_their_highest_stack_in_place(seed: int) -> None:
    scene = seeded(seed)
    if scene.heights.any():
        top = float(scene.stones.arrays()[0][:, 2].max())
        assert top == pytest.approx(float(scene.heights.max() * scene.cube[2]), abs=1.3)  # a raised top


def test_scenes_of_both_games_come_up() -> None:
    kits = [set(seeded(seed).kit) for seed in SEEDS]
    assert any(KING in kit for kit in kits)
    assert any(kit == {0, 1, 2, 3, 4} for kit in kits)


@pytest.mark.parametrize("seed", range(4))
def test_a_board_of_the_stones_own_colour_changes_nothing_else(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(share: float) -> Scene:
        monkeypatch.setattr(scenes, "ALIKE", share)
        return random_scene(np.random.default_rng(seed))

    other, alike = drawn(0.0), drawn(1.0)
    for name in ("heights", "pieces", "atlas", "cube"):
        assert np.array_equal(getattr(other, name), getattr(alike, name)), name
    assert not np.array_equal(other.board, alike.board)
    floor = np.median(alike.board.reshape(-1, 3), axis=0)
    shares = floor / alike.atlas.mean(axis=(0, 1))
    assert shares.max() / shares.min() < 1.6, "the same hue"
    assert 0.3 < shares.mean() < 1.6, "hardly lighter or darker"


@pytest.mark.parametrize("off", [0.0, 0.1, 0.25])
def test_a_scene_to_measure_on_has_every_stack_so_far_off(off: float) -> None:
    rng = np.random.default_rng(3)
    heights = np.ones((8, 8), np.int8)
    hands = careless(rng, heights, 20.0, 16.0, off)
    cube = np.array([16, 16, 16], np.float32)
    tops = pile_up(Mesh(), rng, heights, cube, 20.0, hands, block(cube, 0.0))
    middles = pile_up(Mesh(), rng, 0 * heights, cube, 20.0, hands, block(cube, 0.0))
    away = np.linalg.norm((tops - middles)[..., :2], axis=2)
    assert np.median(away) == pytest.approx(off * 20.0, abs=0.5)
    assert (tops[..., 2] == 16.0).all()


@pytest.mark.parametrize("seed", range(10))
def test_careless_hands_stay_within_a_quarter_field_and_stacks_out_of_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = np.ones((8, 8), np.int8)
    offsets = random_offsets(rng, heights, 20.0, 17.0)
    assert np.abs(offsets).max() <= 5.0
    gaps = 20.0 + np.diff(offsets[..., 0], axis=1)
    assert np.percentile(gaps, 5) >= 16.0


def test_stacks_stand_as_far_off_as_is_asked_where_there_is_room() -> None:
    heights = np.zeros((8, 8), np.int8)
    heights[::2, ::2] = 1
    away = np.hypot(*np.moveaxis(random_offsets(np.random.default_rng(2), heights, 20.0, 17.0, 0.3), 2, 0))
    assert away.max() <= 0.3 * 20.0 * np.sqrt(2)
    assert np.mean(away[heights > 0] > 0.1 * 20.0) > 0.5


def test_castles_are_connected_sets() -> None:
    heights = np.array([[1, 1, 0, 2], [0, 1, 0, 2], [3, 0, 1, 0]])
    number = castles(heights)
    assert (number > 0).tolist() == (heights > 0).tolist()
    assert len({number[0, 0], number[0, 1], number[1, 1]}) == 1
    assert len({number[0, 0], number[0, 3], number[2, 0], number[2, 2]}) == 4


@pytest.mark.parametrize("seed", range(10))
def test_positions_stay_on_the_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert 0 <= random_heights(rng, 10).min() <= random_heights(rng, 10).max() <= 9
    heights = random_castles(rng, 8)
    assert 8 <= heights.sum() <= 93
    pieces = random_knights(rng, heights, [2, 7], 2)
    assert set(np.unique(pieces)) == {0, 2, 7, KING}
    assert (pieces == KING).sum() == 2


@pytest.mark.parametrize("seed", range(10))
def test_a_door_fits_into_its_stone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = np.array([20, 20, 16], np.float32)
    door = random_door(rng, size, 0.4)
    line = np.array(door.outline())
    assert np.abs(line[:, 0]).max() < 10
    assert 0 <= line[:, 1].min() <= line[:, 1].max() < 16


def test_a_door_is_a_hole_in_every_side() -> None:
    size = np.array([20, 20, 16], np.float32)
    form = block(size, 0.0, Door(4.0, 6.0, 3.0, 0.0, 5.0, 1.0))
    for side in range(4):
        points = form.vertices[form.face == side]
        depth = np.abs(points[:, [0, 1]]).max(axis=1)
        assert depth.max() == pytest.approx(10)
        assert depth.min() <= 5.1  # the back of the hole
    mesh = Mesh()
    form.place(mesh, np.random.default_rng(0), np.array([0, 0, 0], np.float32), 0.0, 4)
    vertices, _, _, faces = mesh.arrays()
    middle = vertices[faces].mean(axis=1)
    front = (np.abs(middle[:, 1] + 10) < 0.01) & (np.abs(middle[:, 0]) < 3) & (middle[:, 2] < 6)
    assert not front.any()
