"""What a game that builds a tower lets the eyes expect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TowerPrior:
    """A prior for reading a tower, never a promise.

    previous: text of the tower known to have stood before, ``None`` where none is known: one bar is new, rarely two,
    and one may be gone.
    """

    previous: str | None = None
