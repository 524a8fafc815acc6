"""The fields that no hand came near during a turn, as text for a journal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def untouched_text(untouched: NDArray[np.bool_]) -> str:
    """Return a mask (rows, columns) as rows of 0 and 1, the highest row first, as in board text."""
    return "/".join("".join("1" if one else "0" for one in row) for row in untouched[::-1])


def untouched_mask(text: str) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) that ``untouched_text`` wrote. Raises ValueError for anything else."""
    rows = text.split("/")
    if set(text) - set("01/") or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise ValueError(f"{text[:20]!r} does not say which fields were left alone")
    return np.array([[one == "1" for one in row] for row in reversed(rows)], np.bool_)
