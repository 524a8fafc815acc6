"""A choice of fields, as a journal keeps it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from referee.values.fieldmask import mask_of, mask_text


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2)))
def test_text_and_mask_go_round(mask: NDArray[np.bool_]) -> None:
    assert np.array_equal(mask_of(mask_text(mask)), mask)


def test_the_highest_row_comes_first() -> None:
    assert mask_text(np.array([[True, False], [False, False]])) == "00/10"


@pytest.mark.parametrize("text", ["", "01/1", "0x", "/"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="are meant"):
        mask_of(text)
