"""The values of a reading: a belief of the board, and how well it could be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.masked import Outline
from referee.values.belief import BoardBelief, Unchanged
from referee.values.board import Field
from referee.values.words import Words
from vision.heights.change import Look


@dataclass(frozen=True, slots=True)
class CameraView:
    """One camera's view of the frame: markers found, reprojection error (``None`` when it can't be used), trouble.

    outline: of what is kept of its picture; empty where it isn't known, and then the picture is not kept.
    """

    markers: int
    reprojection_px: float | None
    problem: Words | None = None
    outline: Outline = ()


def problems_of(views: Iterable[CameraView]) -> list[str]:
    """Return in English what keeps cameras from being used, each once."""
    return list(dict.fromkeys(view.problem.text() for view in views if view.problem is not None))


@dataclass(frozen=True, eq=False)
class Reading:
    """One look at the table through all its cameras.

    belief: per-field log-likelihoods, before history and rules. text: the board as decoded, ``?`` where it can't be
    told (formats.md). confidence: (rows, cols), probability that the field as given is right. stones: track name to
    the place of its stone (0: none on the track, ``None``: not seen). clear: whether nothing foreign stands over the
    board or its frame; blocked: fields it hides. cameras: each camera asked. duration_ms: time the reading took.
    look: what the cameras saw, to compare a later look with. unchanged: how this look compares with an earlier one,
    where one was given. score: player's word to the field of the score track on which the marker is seen, of those
    that surely are. contradicted: fields in which the pictures of one look show different boards; it is not clear
    then.
    """

    belief: BoardBelief
    text: str
    confidence: NDArray[np.float64]
    stones: Mapping[str, int | None]
    clear: bool
    blocked: tuple[Field, ...]
    cameras: Mapping[str, CameraView]
    duration_ms: float
    look: Look = field(default_factory=dict)
    unchanged: Unchanged | None = None
    score: Mapping[str, int] = field(default_factory=dict)
    contradicted: tuple[Field, ...] = ()

    @property
    def lost(self) -> bool:
        """Return whether no camera could be used, so that nothing was read."""
        return all(view.reprojection_px is None for view in self.cameras.values())
