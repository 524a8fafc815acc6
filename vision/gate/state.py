"""The state of the stillness gate: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.gate.region import Region
from vision.gate.texture import Scale, Texture
from vision.gate.ticking import Ticking


class GateStatus(StrEnum):
    """The status of a camera's picture of the board."""

    MOVING = "moving"
    COVERED = "covered"  # nothing moves, but something reaches in over the rim
    STILL = "still"
    LIGHT = "light"  # another light; being got used to
    VIEW = "view"  # the camera or the table was moved; being got used to


@dataclass(frozen=True, slots=True)
class StillFrame:
    """One still frame. sharpness: larger is sharper, for frames of one camera."""

    number: int
    at_s: float
    sharpness: float


@dataclass(frozen=True, slots=True, eq=False)
class Quiet:
    """A board that stood still and differs from the quiet board before it.

    number: the sharpest frame that shows it. since_s: when it came to rest. first: it is the first one; if there was
    one before, a hand lay over that. joined: where two hands overlapped in time, so that no one frame shows the
    board free, an earlier frame's number and the (h, w) bool places of the small picture to take from it. unseen:
    nobody was seen to change it.
    """

    number: int
    since_s: float
    first: bool = False
    joined: tuple[int, NDArray[np.bool_]] | None = None
    unseen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RecentFrame:
    """A recent frame. over: (h, w) bool, what of it belongs to something that reaches in."""

    number: int
    at_s: float
    grey: NDArray[np.uint8]
    texture: Texture
    over: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class KnownBoard:
    """The board as it last stood quiet, and what the scene is measured by.

    joined: a newer board, made of two frames. first: nothing tells yet whether a hand lay over it. come: since then
    something has come that did not lie there. under: the board as it was before something that had lain over the rim
    for long became part of it; covers: (h, w) bool, where that lies.
    """

    region: Region
    scale: Scale
    board: Texture | None = None
    joined: Texture | None = None
    first: bool = False
    come: bool = False
    under: Texture | None = None
    covers: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GateState:
    """The gate after some frames.

    sight: what is seen. since_s: since when. still: frames of the present rest, oldest first, clear of anything that
    reaches in. resting: something reaches in but has not stirred for REST_S, so ``still`` holds its frames all the
    same. quiet: a new quiet board, at the frame that made it certain. moves: frames in which something moved, and
    handled: whether something reached in, since the board was last known to be as it is.
    """

    region: Region | None = None
    sight: GateStatus = GateStatus.MOVING
    since_s: float = 0.0
    still: tuple[StillFrame, ...] = ()
    resting: bool = False
    quiet: Quiet | None = None
    known: KnownBoard | None = None
    recent: tuple[RecentFrame, ...] = ()
    rest: RecentFrame | None = None
    rested: int = 0
    mean: Texture | None = None
    ticking: Ticking | None = None
    moves: int = 0
    handled: bool = False
