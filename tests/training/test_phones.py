"""Pictures as a phone in a hand takes them: the lens bends, reading shears, exposure smears, the board fits in."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.phones import FILM, READ_S, Held, around, held, near, random_phone, taken

MATRIX = np.array([[200.0, 0, 79.5], [0, 200.0, 59.5], [0, 0, 1]])
STILL = np.zeros(3)


def way(turning: np.ndarray, exposure_s: float = 0.0) -> Held:
    return Held(np.eye(3), np.zeros(3), turning, exposure_s, 1.0)


def striped() -> np.ndarray:
    """Return a picture with one upright white stripe, its middle at x = 80."""
    out = np.zeros((120, 160, 3), np.float32)
    out[:, 78:83] = 1.0
    return out


def stripe_at(picture: np.ndarray, row: int) -> tuple[float, float]:
    """Return the stripe's middle and its spread in one line, pixels."""
    line = picture[row, :, 0]
    x = np.arange(len(line))
    middle = float((line * x).sum() / line.sum())
    return middle, float(np.sqrt((line * (x - middle) ** 2).sum() / line.sum()))


def test_a_still_phone_with_a_straight_lens_changes_nothing() -> None:
    shown = taken(striped(), MATRIX, MATRIX, np.zeros(5), (160, 120), way(STILL, 0.02))
    assert np.abs(shown - striped()).max() < 1e-3


def test_a_phone_that_turns_while_it_is_read_shears_what_is_upright() -> None:
    shown = taken(striped(), MATRIX, MATRIX, np.zeros(5), (160, 120), way(np.array([0, 0.8, 0])))
    top, bottom = stripe_at(shown, 0)[0], stripe_at(shown, 119)[0]
    assert abs(bottom - top) == pytest.approx(0.8 * READ_S * 200, rel=0.05)
    assert (top + bottom) / 2 == pytest.approx(80, abs=0.1)


def test_a_phone_that_turns_while_it_exposes_smears_along_its_way() -> None:
    def spread(exposure_s: float) -> float:
        shown = taken(striped(), MATRIX, MATRIX, np.zeros(5), (160, 120), way(np.array([0, 1.0, 0]), exposure_s))
        return stripe_at(shown, 60)[1]

    assert spread(0.05) > 1.5 * spread(0.0)


def test_the_lens_puts_what_it_sees_where_opencv_says() -> None:
    distortion = np.array([-0.15, 0.1, 5e-4, -4e-4, 0.01])
    out = np.zeros((120, 160, 3), np.float32)
    cv2.circle(out, (130, 95), 3, (1.0, 1.0, 1.0), -1)
    shown = taken(out, MATRIX, MATRIX, distortion, (160, 120), way(STILL))
    ray = np.array([[(130 - 79.5) / 200, (95 - 59.5) / 200, 1.0]])
    wanted = cv2.projectPoints(ray, np.zeros(3), np.zeros(3), MATRIX, distortion)[0].reshape(2)
    y, x = np.indices(shown.shape[:2])
    light = shown[..., 0] / shown[..., 0].sum()
    assert [(x * light).sum(), (y * light).sum()] == pytest.approx(wanted.tolist(), abs=0.2)


@pytest.mark.parametrize("seed", range(6))
def test_the_frame_is_in_the_picture_or_hardly_cut_off(seed: int) -> None:
    rng = np.random.default_rng(seed)
    phone = random_phone(rng)
    for side in around(rng, 5):
        one = held(rng, phone, float(side), 170.0)
        corners = np.array([[x, y, 0.0] for x in (-170, 170) for y in (-170, 170)])
        seen = corners @ one.rotation.T + one.translation
        flat = seen[:, :2] / seen[:, 2:] * phone.matrix[[0, 1], [0, 1]] + phone.matrix[:2, 2]
        assert (flat > -0.06 * FILM[0]).all()
        assert (flat < np.array(FILM) + 0.06 * FILM[0]).all()
        assert np.ptp(flat[:, 0]) > 0.3 * FILM[0]
        eye = -one.rotation.T @ one.translation
        assert 25 < np.degrees(np.arcsin(eye[2] / np.linalg.norm(eye))) < 80


def test_a_phone_from_near_looks_down_steeply_at_some_field() -> None:
    rng = np.random.default_rng(3)
    phone = random_phone(rng)
    for _ in range(20):
        one = near(rng, phone, float(rng.uniform(0, 6)), 130.0)
        eye = -one.rotation.T @ one.translation
        assert 350 < eye[2] < 620
        assert np.hypot(*eye[:2]) < 130 / 2 * np.sqrt(2) + 600 * np.cos(np.deg2rad(70))
