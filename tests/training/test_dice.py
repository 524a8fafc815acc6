"""Dice to be pictured: the face asked for lies on top, opposite ones make seven, pips are as many as it says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.dice import LATTICE, TILE, face_pictures, lying, random_form


@pytest.mark.parametrize("face", range(1, 7))
def test_the_face_asked_for_lies_on_top(face: int) -> None:
    rng = np.random.default_rng(face)
    form = random_form(rng, 16.0)
    for _ in range(8):
        vertices, _, places = lying(form, rng, face)
        assert vertices[:, 2].min() == pytest.approx(0.0, abs=0.01)
        assert vertices[:, 2].max() == pytest.approx(16.0, abs=0.01)
        shown = np.floor(places[:, 0] * 3).astype(int) + 3 * np.floor(places[:, 1] * 2).astype(int) + 1
        assert set(shown[form.side == 0]) == {face}
        assert set(shown[form.side == 1]) == {7 - face}
        sides = [set(shown[form.side == k]) for k in range(6)]
        assert set.union(*sides) == {1, 2, 3, 4, 5, 6}
        assert all(sum(sides[k] | sides[k + 1]) == 7 for k in (0, 2, 4))


@pytest.mark.parametrize("seed", range(6))
def test_every_face_has_its_pips(seed: int) -> None:
    atlas = face_pictures(np.random.default_rng(seed))
    for face, places in LATTICE.items():
        row, col = divmod(face - 1, 3)
        tile = atlas[row * TILE : (row + 1) * TILE, col * TILE : (col + 1) * TILE] ** (1 / 2.2)
        body = np.median(tile[:6].reshape(-1, 3), axis=0)
        pips = (np.abs(tile - body).mean(axis=-1) > 0.17).astype(np.uint8)
        pips = cv2.morphologyEx(pips, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        assert cv2.connectedComponents(pips)[0] - 1 == len(places)
