"""Towers drawn into pictures: lines of sight, faces, and costs that are kept up to date."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.tower.scene import BASE, PITCH, TOWER, UNIT, pose, table, views
from vision.tower.draft import LOOK_CAP, Draft
from vision.tower.drawing import Drawing
from vision.tower.grid import CELLS, FLOOR, SIDE, TowerSizes, cell_name, cell_number
from vision.tower.history import cells_of
from vision.tower.palette import learn
from vision.tower.rays import FACES, Sight, sight_of
from vision.tower.scenery import Sceneries
from vision.tower.setting import Setting
from vision.tower.stage import REGIONS, SCENERY, SQUARES, set_stage

FILLED = np.array([sign != "." for sign in cells_of(TOWER)])


@pytest.fixture(scope="module")
def sights() -> list[Sight]:
    found = [sight_of(view, TowerSizes.of(table())) for view in views(TOWER)]
    return [sight for sight in found if sight is not None]


def setting_of(sights: list[Sight], kept: list[int]) -> Setting:
    return Setting(Drawing(set_stage(sights)), kept, Sceneries(sights, TowerSizes.of(table())).of(kept))


@pytest.fixture(scope="module")
def setting(sights: list[Sight]) -> Setting:
    return setting_of(sights, [0, 1, 2, 3])


def draft_of(setting: Setting, filled: np.ndarray) -> Draft:
    blank = learn(np.zeros((CELLS, setting.looks, FACES, 3)), np.zeros((CELLS, setting.looks, FACES)), -0.1)
    first = Draft(setting, blank, FILLED)
    return Draft(setting, learn(*first.faces(np.arange(CELLS)), -0.1), filled)


@pytest.mark.parametrize("cell", [cell_number(name) for name in ("a1.1", "c3.1", "b2.4", "a3.2", "c1.7")])
@pytest.mark.parametrize("turned", [4.0, 95.0, 200.0])
def test_a_lone_cell_is_seen_where_it_projects(cell: int, turned: float) -> None:
    """The middle of each face turned to the camera shows that face, and nothing else does."""
    view = views("", (turned,))[0]
    sight = sight_of(view, TowerSizes.of(table()))
    assert sight is not None
    lone = np.arange(CELLS) == cell
    drawn = Drawing(set_stage([sight])).at(lone).regions
    assert set(np.unique(drawn[drawn < SQUARES]) // FACES) == {cell}
    level, place = divmod(cell, FLOOR)
    low = np.array([(place % SIDE - 1.5) * PITCH, (place // SIDE - 1.5) * PITCH, BASE + level * UNIT])
    size = np.array([PITCH, PITCH, UNIT])
    faces = 0
    for face in range(FACES):
        normal = np.zeros(3)
        normal[face // 2] = 2 * (face % 2) - 1
        middle = low + size / 2 + normal * size / 2
        if normal @ (view.pose.centre_mm - middle) < 0.2 * np.linalg.norm(view.pose.centre_mm - middle):
            assert not (drawn == cell * FACES + face).all()
            continue
        nearest = np.linalg.norm(sight.places_px - view.project(middle), axis=1).argmin()
        assert drawn[nearest] == cell * FACES + face, (cell_name(cell), face)
        faces += 1
    assert faces >= 1


@pytest.mark.long
def test_an_empty_board_shows_its_squares_and_the_room(setting: Setting) -> None:
    seen = set(np.unique(setting.drawing.at(np.zeros(CELLS, np.bool_)).regions % REGIONS))
    assert seen == {*range(SQUARES, SQUARES + FLOOR), SCENERY}


@pytest.mark.long
@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 44), min_size=1, max_size=5, unique=True), st.booleans())
def test_a_change_costs_what_the_changed_tower_costs(setting: Setting, cells: list[int], keep: bool) -> None:
    draft = draft_of(setting, FILLED)
    turned = FILLED.copy()
    turned[cells] ^= True
    difference = draft.total - draft_of(setting, turned).total
    standing = draft._standing(FILLED) - draft._standing(turned)
    assert draft.gains(cells).sum() + standing == pytest.approx(difference, abs=1e-6)
    assert (draft.filled == FILLED).all()
    gain = draft.gain(cells, keep=-1e9 if keep else None)
    assert (draft.filled == (turned if keep else FILLED)).all()
    assert draft.gain(cells) == pytest.approx(-gain if keep else gain, abs=1e-6)


@pytest.mark.long
@settings(deadline=None, max_examples=25)
@given(st.lists(st.lists(st.integers(0, 44), min_size=1, max_size=6, unique=True), min_size=1, max_size=6))
def test_a_circle_of_changes_gains_nothing(setting: Setting, steps: list[list[int]]) -> None:
    """The score is one function of the tower, however strongly single pictures speak; so no search goes round."""
    draft = draft_of(setting, FILLED)
    before, gained = draft.score, 0.0
    for cells in steps:
        gain = draft.gain(cells, keep=-1e9)
        assert draft.score == pytest.approx(before - gain, abs=1e-6)
        before, gained = draft.score, gained + gain
    back = [int(cell) for cell in np.flatnonzero(draft.filled != FILLED)]
    gained += draft.gain(back, keep=-1e9) if back else 0.0
    assert (draft.filled == FILLED).all()
    assert gained == pytest.approx(0.0, abs=1e-6)


def test_no_picture_counts_without_bounds(setting: Setting) -> None:
    draft = draft_of(setting, FILLED)
    column = [cell_number(f"a1.{level}") for level in (2, 3, 4)]
    looks = draft.gains(column)
    assert looks.min() < -LOOK_CAP
    assert draft.gain(column) > looks.sum()


def test_the_true_tower_costs_least(setting: Setting) -> None:
    draft = draft_of(setting, FILLED)
    assert all(draft.gain([cell]) <= 1e-9 for cell in range(5 * FLOOR))


@pytest.mark.parametrize("kept", [[0, 2, 3], [1], [0, 3]])
def test_pictures_left_out_count_for_nothing(sights: list[Sight], kept: list[int]) -> None:
    """A drawing of all pictures tells of some what a drawing of these alone does."""
    some = draft_of(setting_of(sights, kept), FILLED)
    alone = draft_of(setting_of([sights[number] for number in kept], list(range(len(kept)))), FILLED)
    for cells in ([3], [45, 54], [0, 9, 18]):
        assert some.gains(cells) == pytest.approx(alone.gains(cells), abs=1e-6)
        some.gain(cells, keep=-1e9)
        alone.gain(cells, keep=-1e9)
        assert some.costs() == pytest.approx(alone.costs(), abs=1e-6)
    for one, other in zip(some.drawing(), alone.drawing(), strict=True):
        assert (one == other).all()


def test_a_change_is_drawn_once_however_often_it_is_asked_for(setting: Setting) -> None:
    """With other colours, and with pictures left out, the same samples show the same cells."""
    first = setting.drawing.turned(FILLED, (3, 12))
    setting.drawing.at(np.zeros(CELLS, np.bool_))
    assert setting.drawing.turned(FILLED.copy(), (3, 12)) is first


def test_a_picture_that_misses_the_board_is_not_sampled() -> None:
    view = views(TOWER, (0,))[0]
    aside = pose(0)
    away = type(aside)(aside.rotation, aside.translation_mm + np.array([9000.0, 0, 0]), 8, 0.1)
    assert sight_of(type(view)(view.camera, view.picture_bgr, view.lens, away), TowerSizes.of(table())) is None
