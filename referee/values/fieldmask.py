"""A choice of fields, such as those that no hand came near during a turn, as text for a journal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mask_text(mask: NDArray[np.bool_]) -> str:
    """Return a mask (rows, columns) as rows of 0 and 1, the highest row first, as in board text."""
    return "/".join("".join("1" if one else "0" for one in row) for row in mask[::-1])


def mask_of(text: str) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) that ``mask_text`` wrote. Raises ValueError for anything else."""
    rows = text.split("/")
    if set(text) - set("01/") or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise ValueError(f"{text[:20]!r} says of no fields whether they are meant")
    return np.array([[one == "1" for one in row] for row in reversed(rows)], np.bool_)
