"""How much of what a network says is believed, by how far a stone displaces what is seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.heights.temperature import ALONE, COMPARED, OBLIQUE_SLOPE, STEEP_SLOPE, Temperature

some = st.floats(0.5, 3.0)


@given(some, some, st.floats(0.0, 5.0))
def test_a_field_lies_between_what_holds_from_above_and_what_holds_from_the_side(
    steep: float, oblique: float, slope: float
) -> None:
    value = float(Temperature(steep, oblique, 1.0).of_heights(np.array([[slope]]))[0, 0])
    assert min(steep, oblique) - 1e-9 <= value <= max(steep, oblique) + 1e-9
    if slope <= STEEP_SLOPE:
        assert value == steep
    if slope >= OBLIQUE_SLOPE:
        assert value == pytest.approx(oblique)


@pytest.mark.parametrize("temperatures", [ALONE, COMPARED])
def test_nobody_is_believed_more_from_above_than_from_the_side(temperatures: dict[str, Temperature]) -> None:
    for one in temperatures.values():
        assert one.steep >= one.oblique >= 1.0, "and never more than the network says itself"
