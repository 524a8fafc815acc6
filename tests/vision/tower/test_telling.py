"""From beliefs to tower text, from history to beliefs, and the grid's names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tower.scene import TOWER
from vision.tower.belief import Shape, TowerBelief, weigh
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, STEPS, cell_name, cell_number, other_half
from vision.tower.history import CHANGED, KEPT, SAME_COLOUR, cells_of, with_history
from vision.tower.seams import joins_of
from vision.tower.text import text_of, told

EMPTY: Shape = (False,) * MOST_LEVELS
LOW: Shape = (True, *EMPTY[1:])
TALL: Shape = (True, True, *EMPTY[2:])
NOTHING = np.zeros((CELLS, 3))


def belief(**cells: tuple[float, float]) -> TowerBelief:
    """Return a belief of cells by their names without the dot, such as a11: probabilities of light and dark."""
    colours = np.zeros((CELLS, 2))
    for name, chances in cells.items():
        colours[cell_number(f"{name[:2]}.{name[2:]}")] = chances
    filled = colours.sum(axis=1)
    return TowerBelief(filled, colours, np.zeros((CELLS, 3)), filled > 0.5)


@given(st.integers(0, CELLS - 1))
def test_names_and_neighbours_go_round(cell: int) -> None:
    assert cell_number(cell_name(cell)) == cell
    for letter, step in STEPS.items():
        back = next(one for one, to in STEPS.items() if to == -step)
        other = other_half(cell, letter)
        assert other is None or other_half(other, back) == cell


@pytest.mark.parametrize("name", ["d1.1", "a4.1", "a0.1", "a1.0", "a1.14", "a1-1"])
def test_a_cell_outside_the_grid_has_no_number(name: str) -> None:
    with pytest.raises(ValueError, match=name[0] if name[0] not in "abc" else "no cell"):
        cell_number(name)


@pytest.mark.parametrize("tower", ["", TOWER, "......EWu/........d", "X?x......"])
def test_tower_texts_go_round(tower: str) -> None:
    assert text_of(cells_of(tower)) == tower


@pytest.mark.parametrize("tower", ["ew", "........z", "/".join([TOWER] * 6), "ew......./"])
def test_what_is_no_tower_text_is_refused(tower: str) -> None:
    with pytest.raises(ValueError, match="level"):
        cells_of(tower)


def test_only_what_is_sure_is_told() -> None:
    signs = told(belief(a11=(0.995, 0.005), b11=(0.98, 0.02), c11=(0.0, 0.999), a21=(0.004, 0.004), b21=(0.3, 0.1)))
    assert text_of(signs) == "....?.X?x"


def test_halves_are_told_of_one_colour_and_never_of_two() -> None:
    seen = belief(a11=(1.0, 0.0), b11=(0.9, 0.1), a21=(0.0, 1.0), c11=(1.0, 0.0), c21=(0.0, 1.0))
    joined = seen.joined.copy()
    joined[cell_number("a1.1"), 0] = joined[cell_number("c1.1"), 1] = 0.99
    joined[cell_number("a2.1"), 2] = 0.5
    signs = told(TowerBelief(seen.filled, seen.colours, joined, seen.likeliest))
    assert [signs[cell_number(name)] for name in ("a1.1", "b1.1", "c1.1", "c2.1", "a2.1")] == [
        "E",
        "?",
        "X",
        "x",
        "x",
    ]


def test_history_counts_for_bars_colours_and_columns() -> None:
    colours = np.zeros((CELLS, 2))
    shapes = [{EMPTY: 0.0, LOW: 0.0, TALL: 0.0}] + [{EMPTY: 0.0}] * (FLOOR - 1)
    new_shapes, new_colours, new_joins = with_history(shapes, colours, NOTHING, cells_of("......EW."))
    first, second = cell_number("a1.1"), cell_number("b1.1")
    assert new_shapes[0] == {EMPTY: -CHANGED, LOW: 0.0, TALL: -CHANGED}
    assert new_colours[[first, second]].tolist() == [[0.0, -SAME_COLOUR]] * 2
    assert new_joins[first, 0] == KEPT
    assert new_joins.sum() == KEPT


def test_an_odd_cell_makes_way_for_a_tower_that_splits_into_bars() -> None:
    """One cell alone can't be a bar: the less likely shape with two is the tower."""
    shapes = [{LOW: 0.0, TALL: -2.0}] + [{EMPTY: 0.0}] * (FLOOR - 1)
    seen = weigh(shapes, np.zeros((CELLS, 2)), NOTHING)
    assert seen.filled[cell_number("a1.2")] == 1.0
    assert seen.joined[cell_number("a1.1"), 2] == 1.0


def test_where_nothing_splits_into_bars_the_cells_are_told_alone() -> None:
    colours = np.zeros((CELLS, 2))
    colours[0] = (0.0, -5.0)
    seen = weigh([{LOW: 0.0}] + [{EMPTY: 0.0}] * (FLOOR - 1), colours, NOTHING)
    assert seen.filled[0] == 1.0
    assert seen.colours[0, 0] == pytest.approx(1 / (1 + np.exp(-5)))
    assert not seen.joined.any()


def test_of_very_many_towers_none_is_surer_than_its_columns() -> None:
    """All columns are as likely low as two high: whichever towers are looked at, no upper cell is told."""
    seen = weigh([{LOW: 0.0, TALL: 0.0}] * FLOOR, np.zeros((CELLS, 2)), NOTHING)
    upper = seen.filled[FLOOR : 2 * FLOOR]
    assert ((upper > 0.01) & (upper < 0.99)).all()
    assert set(told(seen)[FLOOR : 2 * FLOOR]) == {"?"}


def test_lines_part_bars_and_a_clean_face_joins_them() -> None:
    """Four light squares: a line between left and right leaves two standing bars.

    A line between low and high leaves two lying ones; with nothing seen both ways are open.
    """
    filled = np.zeros(CELLS, np.bool_)
    filled[[cell_number(name) for name in ("a1.1", "b1.1", "a1.2", "b1.2")]] = True
    colours = np.tile((0.0, -9.0), (CELLS, 1))
    lines = np.full((CELLS, 3), np.nan)
    a1, b1, a2 = (cell_number(name) for name in ("a1.1", "b1.1", "a1.2"))
    assert joins_of(lines, filled, colours, NOTHING)[a1, 2] == 0.0
    lines[a1, 0] = lines[a2, 0] = 5.0
    lines[a1, 2] = lines[b1, 2] = -5.0
    odds = joins_of(lines, filled, colours, NOTHING)
    assert odds[a1, 0] < -3
    assert odds[a1, 2] > 0.8
