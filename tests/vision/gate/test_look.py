"""The mean of a few still frames."""

from __future__ import annotations

import numpy as np
import pytest

from vision.gate.look import MOST_MEANT, mean_of


def test_noise_falls_with_the_root_of_how_many_frames_there_are() -> None:
    rng = np.random.default_rng(1)
    scene = rng.integers(60, 190, (40, 60, 3)).astype(np.float64)
    frames = [np.clip(np.round(scene + rng.normal(0, 8, scene.shape)), 0, 255).astype(np.uint8) for _ in range(4)]
    one, mean = (float((picture - scene).std()) for picture in (frames[0], mean_of(frames[:MOST_MEANT])))
    assert mean == pytest.approx(one / MOST_MEANT**0.5, rel=0.1)
    assert abs(float((mean_of(frames) - scene).mean())) < 0.3


def test_a_picture_of_another_size_is_left_out() -> None:
    white, small = np.full((4, 6, 3), 255, np.uint8), np.zeros((2, 3, 3), np.uint8)
    assert np.array_equal(mean_of([white, small]), white)


def test_no_pictures_have_no_mean() -> None:
    with pytest.raises(ValueError, match="picture"):
        mean_of([])
