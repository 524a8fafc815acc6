"""What a rendered scene says of lines of sight is what the product's own geometry says."""

from __future__ import annotations

import numpy as np

from training.visible import seen_fields


def test_a_stack_behind_a_tower_is_not_seen_and_the_tower_is() -> None:
    heights = np.ones((10, 10), np.int8)
    heights[2, 4] = 8
    scene = {
        "heights": heights,
        "pitch": np.array(22.0),
        "cube": np.array([20.0, 20.0, 20.0]),
        "stands": np.array([30.0, 3.0]),
    }
    seen = seen_fields(scene, np.array([-11.0, -500.0, 300.0]))
    assert seen.shape == (10, 10)
    assert seen[2, 4] == 1
    assert seen[3, 4] == 0
    assert seen[2, 7] == 1
