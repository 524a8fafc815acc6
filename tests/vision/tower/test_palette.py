"""The two colours, learnt from faces whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tower.grid import CELLS
from vision.tower.palette import DARK, LIGHT, Palette, features, learn, misfit
from vision.tower.rays import FACES, TOP

LOOKS = 4
WHITE = -0.1
TRUE = np.array([[-0.9, 0.1, -0.3], [-2.6, 0.3, -0.2]])
SHADES = np.zeros((LOOKS, FACES))
SHADES[:, TOP] = 0.4
SHADES[2] -= 0.5


def faces(kinds: list[int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return features and weights of cells of these colours, seen from above and by two sides, in two pictures."""
    rng = np.random.default_rng(seed)
    seen, weights = np.zeros((CELLS, LOOKS, FACES, 3)), np.zeros((CELLS, LOOKS, FACES))
    for cell, kind in enumerate(kinds):
        seen[cell] = TRUE[kind] + rng.normal(size=(LOOKS, FACES, 3)) * (0.12, 0.04, 0.04)
        seen[cell, ..., 0] += SHADES
        for look in rng.choice(LOOKS, 2, replace=False):
            weights[cell, look, [cell % 4, TOP]] = 0.8
    return seen, weights


def told(palette: Palette, seen: np.ndarray, weights: np.ndarray, count: int) -> list[int]:
    costs = np.einsum("clfk,clf->ck", misfit(seen, palette), weights)
    return [int(kind) for kind in costs[:count].argmin(axis=1)]


@pytest.mark.parametrize("seed", range(4))
def test_both_colours_and_the_light_are_learnt(seed: int) -> None:
    kinds = [int(kind) for kind in np.random.default_rng(seed).integers(0, 2, 40)]
    seen, weights = faces(kinds, seed)
    palette = learn(seen, weights, WHITE)
    assert palette.told
    assert told(palette, seen, weights, 40) == kinds
    assert palette.colours[LIGHT, 0] - palette.colours[DARK, 0] == pytest.approx(1.7, abs=0.2)
    assert np.median(palette.shades[:2, TOP] - palette.shades[2, TOP]) == pytest.approx(0.5, abs=0.25)


@pytest.mark.parametrize("kind", [LIGHT, DARK])
def test_white_paper_says_which_colour_a_lone_bar_has(kind: int) -> None:
    seen, weights = faces([kind, kind])
    assert told(learn(seen, weights, WHITE), seen, weights, 2) == [kind, kind]


def test_a_cell_known_before_says_which_colour_is_which() -> None:
    """Bars of one brightness, in two tints: only history can tell which of them are called light."""
    kinds = [LIGHT] * 10 + [DARK] * 10
    seen, weights = faces(kinds)
    seen[:10] += (-1.0, 0.8, 0.0)
    seen[10:20] += (0.7, -0.6, 0.6)
    known = np.full(CELLS, -1, np.int8)
    known[[0, 1, 2]], known[[10, 11, 12]] = LIGHT, DARK
    assert told(learn(seen, weights, WHITE, known), seen, weights, 20) == kinds


def test_nothing_seen_leaves_the_usual_colours() -> None:
    palette = learn(np.zeros((CELLS, LOOKS, FACES, 3)), np.zeros((CELLS, LOOKS, FACES)), WHITE)
    assert not palette.told
    assert palette.colours[LIGHT, 0] > palette.colours[DARK, 0]


def test_brightness_scales_and_tint_stays() -> None:
    colour = np.array([0.3, 0.5, 0.7])
    one, dimmer = features(colour), features(colour * 0.8)
    assert one[0] > dimmer[0]
    np.testing.assert_allclose(one[1:], dimmer[1:], atol=0.12)
    assert features(np.array([0.9, 0.5, 0.5]))[2] > 0
    assert features(np.array([0.5, 0.5, 0.9]))[1] > 0
