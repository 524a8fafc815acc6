"""Knights and kings to be pictured: they stand on their place, as high and wide as they were drawn."""

from __future__ import annotations

import numpy as np
import pytest

from training.figures import Maker, random_king, random_knight
from training.meshes import Mesh


def made(maker: Maker, rng: np.random.Generator) -> np.ndarray:
    mesh = Mesh()
    maker(mesh, rng, np.array([5.0, -3.0, 16.0], np.float32), np.array([0.5, 0.2, 0.1], np.float32))
    return mesh.arrays()[0] - np.array([5.0, -3.0, 16.0])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("figure", [random_knight, random_king])
def test_a_figure_is_as_high_as_it_should_be(figure: object, seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert callable(figure)
    points = made(figure(rng, 26.0, 6.0), rng)
    assert np.isfinite(points).all()
    assert points[:, 2].min() == pytest.approx(0.0, abs=0.01)
    assert 26.0 * 0.84 <= points[:, 2].max() <= 26.0 * 1.04
    assert 4.5 < np.hypot(points[:, 0], points[:, 1]).max() < 10.0


def test_a_set_has_one_form_and_sets_differ() -> None:
    rng = np.random.default_rng(1)
    knight = random_knight(rng, 26.0, 6.0)
    again = [np.sort(made(knight, rng)[:, 2]) for _ in range(2)]
    assert np.allclose(again[0], again[1])
    forms = {len(made(random_knight(np.random.default_rng(k), 26.0, 6.0), rng)) for k in range(30)}
    assert len(forms) >= 6
