"""Add natural-log scores."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def total(scores: Iterable[float]) -> float:
    """Return the log of the sum of the exponentials; minus infinity for none."""
    return float(np.logaddexp.reduce([-float("inf"), *scores]))
