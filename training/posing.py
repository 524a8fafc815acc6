"""Where pinhole cameras stand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


def looking(eye: F64, target: F64, roll: float) -> F64:
    """Return the rotation (3, 3) of a camera at an eye that looks at a target.

    Its rows are the camera's right, its down and ahead.
    """
    z = (target - eye) / np.linalg.norm(target - eye)
    x = np.cross(z, (0, 0, 1.0))
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    return np.stack([np.cos(roll) * x + np.sin(roll) * y, -np.sin(roll) * x + np.cos(roll) * y, z])
