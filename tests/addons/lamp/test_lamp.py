"""The lamp coach on drawn pictures: each fault is told with where the lamp stands; a good light gets no advice."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.addons.lamp.coach import lamp_checks, lamp_score
from referee.addons.lamp.figures import LampFigures
from referee.addons.lamp.flicker import flicker
from referee.addons.lamp.measuring import lamp_figures
from tests.lamplit import Lamp, Lit, grid, lit_view
from tests.scene import table

TABLE = table()
STACKS = {(1, 1): 3, (2, 3): 2, (4, 2): 3, (3, 4): 1, (1, 4): 2, (0, 2): 1, (5, 5): 2, (4, 0): 1}
CROWD = {(row, col): 1 + (row * 7 + col * 5) % 4 for row in range(6) for col in range(6)}
TWO_WIDE = (Lamp((-300, 200, 900), 400, 0.45), Lamp((350, -100, 900), 400, 0.45))


def figures(lit: Lit) -> LampFigures:
    found = lamp_figures(lit_view(lit), TABLE, grid(lit.heights))
    assert found is not None
    return found


def advice(found: LampFigures) -> dict[str, str]:
    """Return the advice by what was looked at."""
    return {
        check.what.text("en"): check.advice.text("en") for check in lamp_checks(found) if check.advice is not None
    }


@pytest.mark.parametrize("stacks", [STACKS, CROWD, {}])
def test_a_good_light_gets_no_advice(stacks: dict[tuple[int, int], int]) -> None:
    found = figures(Lit(TWO_WIDE, stacks, ambient=0.35))
    assert advice(found) == {}
    assert lamp_score(found) > 85


@pytest.mark.parametrize(
    ("at_mm", "azimuth_deg", "side", "other"),
    [
        ((-700, 0, 300), 180, "on the left", "on the right"),
        ((0, 800, 350), 90, "at the far side", "at the near side"),
        ((560, 520, 300), 45, "at the upper right corner", "at the lower left corner"),
    ],
)
def test_a_low_lamp_is_told_by_its_shadows(
    at_mm: tuple[float, float, float], azimuth_deg: float, side: str, other: str
) -> None:
    found = figures(Lit((Lamp(at_mm, 40),), STACKS, ambient=0.1))
    assert found.shadows is not None
    assert abs(found.shadows.azimuth_deg - azimuth_deg) <= 15
    assert 15 <= found.shadows.elevation_deg <= 35
    told = advice(found)["Shadows"]
    assert f"the lamp {side} higher" in told
    assert f"a second one {other}" in told


def test_shadows_are_named_by_their_fields() -> None:
    found = figures(Lit((Lamp((-700, 0, 300), 40),), STACKS, ambient=0.1)).shadows
    assert found is not None
    assert {"C2", "D2", "D5", "E5"} <= {field.name for field in found.fields}
    assert {"B2", "C5"} <= {field.name for field in found.stacks}
    assert not {"A1", "A2", "A3", "A6"} & {field.name for field in found.fields}
    assert 0.6 < found.lost < 0.9


def test_the_score_rises_while_the_lamp_is_raised() -> None:
    path = ((-700.0, 0.0, 350.0), (-450.0, 0.0, 550.0), (-200.0, 0.0, 850.0))
    scores = [lamp_score(figures(Lit((Lamp(place, 100, 0.8),), STACKS, ambient=0.25))) for place in path]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0] + 25


def test_a_mirrored_lamp_stands_opposite_the_camera() -> None:
    found = figures(Lit((Lamp((0, 420, 700), 60, 0.35), Lamp((-300, -100, 900), 300, 0.3)), STACKS, shine=0.8))
    assert found.glare is not None
    assert 0.5 < found.glare.area < 8
    told = advice(found)["Mirrored lamps"]
    assert "A lamp at the far side" in told
    assert "on the left or on the right" in told
    dull = figures(Lit((Lamp((0, 420, 700), 60, 0.35), Lamp((-300, -100, 900), 300, 0.3)), STACKS))
    assert "Mirrored lamps" not in advice(dull)


def test_too_little_light_and_light_from_one_side() -> None:
    assert "Amount of light" in advice(figures(Lit((Lamp((0, 0, 900), 300),), STACKS, exposure=0.06, noise=4)))
    assert "Amount of light" in advice(figures(Lit((Lamp((0, 0, 900), 300),), STACKS, noise=8)))  # and only noise
    burnt = figures(Lit((Lamp((0, 0, 900), 300),), STACKS, exposure=2.0))
    assert advice(burnt)["Amount of light"].startswith("Too much light")
    assert lamp_score(burnt) < 30
    assert "the lamp on the left higher" in advice(figures(Lit((Lamp((-250, 0, 250), 100, 0.2),), {})))["Even light"]


def striped(share: float, phase: float, seed: int, waves: float = 2.6) -> NDArray[np.uint8]:
    """Return a small picture of a table whose lamp flickers by a share."""
    rng = np.random.default_rng(7)
    scene = np.clip(rng.normal(110, 40, (120, 160)), 20, 220)
    stripes = 1 + share * np.sin(2 * np.pi * (waves * np.arange(120) / 120 + phase))
    noise = np.random.default_rng(seed).normal(0, 2, scene.shape)
    return np.asarray(np.clip(scene * stripes[:, None] + noise, 0, 255), np.uint8)


def test_stripes_that_wander_are_flicker() -> None:
    assert flicker([striped(0.08, 0, 1)] * 2) is None
    found = flicker([striped(0.08, 0.37 * k, k) for k in range(6)])
    assert found == pytest.approx(0.08, rel=0.45)
    assert "Flicker" in advice(LampFigures(180, 1.5, 0.1, 0, None, None, found))
    still = flicker([striped(0.0, 0, k) for k in range(6)])
    assert still is not None
    assert still < 0.005


def test_a_hand_that_moves_and_a_light_that_is_dimmed_are_no_flicker() -> None:
    pictures = [striped(0.0, 0, k) for k in range(6)]
    for k, picture in enumerate(pictures):
        picture[10 + 12 * k : 60 + 12 * k, 40:90] = 150
    assert flicker(pictures) == pytest.approx(0, abs=0.02)
    dimmed = [np.asarray(striped(0.0, 0, k) * (1 - 0.08 * k), np.uint8) for k in range(6)]
    assert flicker(dimmed) == pytest.approx(0, abs=0.01)
