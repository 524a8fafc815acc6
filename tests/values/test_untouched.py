"""The fields no hand came near, as a journal keeps them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from referee.values.untouched import untouched_mask, untouched_text


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2)))
def test_text_and_mask_go_round(mask: NDArray[np.bool_]) -> None:
    assert np.array_equal(untouched_mask(untouched_text(mask)), mask)


def test_the_highest_row_comes_first() -> None:
    assert untouched_text(np.array([[True, False], [False, False]])) == "00/10"


@pytest.mark.parametrize("text", ["", "01/1", "0x", "/"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="left alone"):
        untouched_mask(text)
