"""Pictures of the table, as a session takes them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.values.words import Words

Pictures = Mapping[str, NDArray[np.uint8]]
"""One picture a camera, (height, width, 3) BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """Pictures in which the table stood still.

    views: each holds pictures taken at one moment; between two of them a camera or the table was moved.
    at_s: when the oldest picture arrived, on the monotonic clock. frames: the number of each camera's frame, if any.
    alone: the fields no hand came near since the board was agreed on, as a reading's event keeps them; empty where
    hands were not followed. unseen: the table has changed, and no camera saw anybody at it. covered: something, such
    as a hand, stands over the board or its frame. troubles: by their names what befell fixed cameras that show
    nothing here, or were moved since the board was agreed on.
    """

    views: tuple[Pictures, ...]
    at_s: float
    frames: Mapping[str, int] = field(default_factory=dict)
    alone: str = ""
    unseen: bool = False
    covered: bool = False
    troubles: Mapping[str, Words] = field(default_factory=dict)

    @classmethod
    def of(cls, pictures: Pictures, at_s: float, frames: Mapping[str, int] | None = None) -> Capture:
        """Return a capture of one moment."""
        return cls((pictures,), at_s, frames or {})

    @property
    def newest(self) -> Pictures:
        """Return the pictures of the newest view."""
        return self.views[-1]
