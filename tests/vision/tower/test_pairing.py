"""Splits into bars, against every split written out one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.tower.grid import CELLS, cell_number, neighbours
from vision.tower.pairing import STRIDES, pair_cells

PAIRS = [(cell, other, "enu".index(letter)) for cell, other, letter in neighbours()]


def splits(left: frozenset[int]) -> Iterator[list[tuple[int, int, int]]]:
    """Yield every split of some cells into bars."""
    if not left:
        yield []
        return
    first = min(left)
    for cell, other, way in PAIRS:
        if cell == first and other in left:
            for rest in splits(left - {cell, other}):
                yield [(cell, other, way), *rest]


@st.composite
def towers(draw: st.DrawFn) -> tuple[frozenset[int], np.ndarray, np.ndarray]:
    cells = draw(st.sets(st.integers(0, 26), max_size=14))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    return frozenset(cells), rng.normal(size=(CELLS, 2)), rng.normal(size=(CELLS, 3))


@settings(deadline=None, max_examples=60)
@given(towers())
def test_all_splits_are_summed(tower: tuple[frozenset[int], np.ndarray, np.ndarray]) -> None:
    cells, colours, joins = tower
    filled = np.isin(np.arange(CELLS), list(cells))
    total, joined, tones = 0.0, np.zeros((CELLS, 3)), np.zeros((CELLS, 2))
    for split in splits(cells):
        weight = 1.0
        chances = []
        for cell, other, way in split:
            both = np.exp(colours[cell] + colours[other])
            weight *= both.sum() * np.exp(joins[cell, way])
            chances.append(both / both.sum())
        total += weight
        for (cell, other, way), chance in zip(split, chances, strict=True):
            joined[cell, way] += weight
            tones[[cell, other]] += weight * chance
    found = pair_cells(filled, colours, joins)
    if total == 0:
        assert found.log_total == -np.inf
        return
    assert found.log_total == pytest.approx(np.log(total), abs=1e-9)
    np.testing.assert_allclose(found.joined, joined / total, atol=1e-9)
    np.testing.assert_allclose(found.colours, tones / total, atol=1e-9)


def test_two_colours_leave_one_split() -> None:
    filled = np.zeros(CELLS, np.bool_)
    colours = np.zeros((CELLS, 2))
    for name, log_dark in (("a1.1", -9.0), ("a1.2", -9.0), ("b1.1", 9.0), ("b1.2", 9.0)):
        filled[cell_number(name)] = True
        colours[cell_number(name), 1] = log_dark
    joined = pair_cells(filled, colours, np.zeros((CELLS, 3))).joined
    bars = [(int(cell), int(cell) + STRIDES[way]) for cell, way in np.argwhere(joined >= 0.99)]
    assert bars == [(cell_number(n), cell_number(m)) for n, m in (("a1.1", "a1.2"), ("b1.1", "b1.2"))]
