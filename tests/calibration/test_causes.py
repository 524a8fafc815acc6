"""Sets of pictures that give a wrong lens are told with their cause; good sets are taken without a word."""

from __future__ import annotations

import pytest

from calibration.causes import LensCause
from calibration.errors import CalibrationError
from calibration.plausible import REMEDIES, SPREAD, SQUEEZED, TILTED
from calibration.solve import solve_shots
from tests.calibration.spoilt_targets import set_of

pytestmark = pytest.mark.long

TOO_PARALLEL = "tilt the target more between them"


@pytest.mark.parametrize(
    ("spoilt", "remedy"),
    [
        ({"bent_mm": -10.0, "noise_px": 0.3}, REMEDIES[LensCause.BENT]),
        ({"speed_mm": 15.0, "noise_px": 0.3}, REMEDIES[LensCause.ROLLING]),
        ({"squeezed": 0.97}, SQUEEZED),
        ({"lean": 0.1}, TOO_PARALLEL),
        ({"lean": 0.2, "noise_px": 0.5}, TILTED),
        ({"spread": 0.1, "distance_mm": 900.0}, SPREAD),
    ],
    ids=str,
)
def test_a_bad_set_is_refused_with_its_cause(spoilt: dict[str, float], remedy: str) -> None:
    shots, size = set_of(**spoilt)
    with pytest.raises(CalibrationError) as refused:
        solve_shots(shots, size, ())
    assert str(refused.value).endswith(remedy)


@pytest.mark.parametrize(
    ("spoilt", "remedy"),
    [
        ({"bent_mm": 2.5}, REMEDIES[LensCause.BENT]),
        ({"focus": 0.05}, REMEDIES[LensCause.FOCUS]),
        ({"lean": 0.2}, TILTED),
    ],
    ids=str,
)
def test_a_poor_set_is_taken_with_its_cause(spoilt: dict[str, float], remedy: str) -> None:
    shots, size = set_of(**spoilt)
    assert solve_shots(shots, size, ()).fault.endswith(remedy)


@pytest.mark.parametrize(
    "kind",
    [
        {"seed": 1, "noise_px": 0.3},
        {"seed": 2, "bent_mm": 0.3},
        {"seed": 3, "speed_mm": 0.5, "squeezed": 1.005},
    ],
    ids=str,
)
def test_a_good_set_is_taken_without_a_word(kind: dict[str, float]) -> None:
    shots, size = set_of(**kind)
    solution = solve_shots(shots, size, ())
    assert (solution.fault, solution.focus, solution.left_out) == ("", None, ())
    assert solution.lens.matrix[1, 1] == pytest.approx(700, rel=0.01)


def test_a_focus_that_is_fixed_is_not_blamed() -> None:
    shots, size = set_of(focus=0.05)
    solution = solve_shots(shots, size, (), fixed_focus=True)
    assert solution.focus is None
    assert not solution.fault.endswith(REMEDIES[LensCause.FOCUS])
