"""The stillness gate: which frames of a camera show the board standing still with nothing over it.

A fold over small grey frames with their times; no clock, no camera. While anything moves over the board nothing is
read. A board is quiet when for ``STILL_S`` nothing moved and nothing reaches in from outside, judged against the board
as it last stood quiet. All lengths are fields of the board, all times seconds, so that neither the size of the
picture nor the rate of frames matters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.gate.intruder import MOST_SHARE, apart, grown, intruders, largest
from vision.gate.region import Region, whole
from vision.gate.texture import (
    Texture,
    differences,
    likeness,
    moved_by,
    paper_level,
    sharpness,
    shift_px,
    texture,
)

STILL_S = 0.08
"""Two frames at 15 or 20 a second: a hand on its way is never still for so long, a quick player's board may be for
little longer."""
MOVED_FIELDS = 0.3
"""Movement of less than this share of a field is noise, or a piece that still rocks."""
CHANGED_FIELDS = 0.18
"""The smallest change of a board: so much of a field in one piece. Another light changes many places a little."""
REST_S = 2.0
"""What reaches in over the rim and has not stirred for so long may be no hand; the reader has to tell."""
ADOPT_S = 10.0
"""After so long without any movement, what lies there is part of the table."""
SETTLED_S = 0.4
"""How long the light or the view must have stayed as they are before they are taken as the new ones."""
SAME_SCENE = 0.75
"""Correlation of textures above which it is the same board, in another light."""
JOIN_S = 0.2
"""Two frames so near to each other may be joined, when one hand leaves while another comes."""
_RECENT_S = 0.5
RUN_MOST = 12
"""Still frames that are remembered."""
_DRIFT = 0.1


class Sight(StrEnum):
    """What a camera sees happen over the board."""

    MOVING = "moving"
    COVERED = "covered"  # nothing moves, but something reaches in over the rim
    STILL = "still"
    LIGHT = "light"  # another light; being got used to
    VIEW = "view"  # the camera or the table was moved; being got used to


@dataclass(frozen=True, slots=True)
class Still:
    """One still frame. sharpness: larger is sharper, for frames of one camera."""

    number: int
    at_s: float
    sharpness: float


@dataclass(frozen=True, slots=True, eq=False)
class Quiet:
    """A board that stood still and differs from the quiet board before it.

    number: the sharpest frame that shows it. since_s: when it came to rest. first: it is the first one. joined: where
    two hands overlapped in time, so that no one frame shows the board free, an earlier frame's number and the (h, w)
    bool places of the small picture to take from it.
    """

    number: int
    since_s: float
    first: bool = False
    joined: tuple[int, NDArray[np.bool_]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    number: int
    at_s: float
    grey: NDArray[np.uint8]
    texture: Texture
    over: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class GateState:
    """The gate after some frames.

    sight: what is seen. since_s: since when. still: frames of the present rest, oldest first, clear of anything that
    reaches in. resting: something reaches in but has not stirred for REST_S, so ``still`` holds its frames all the
    same. quiet: a new quiet board, at the frame that made it certain.
    """

    region: Region | None = None
    sight: Sight = Sight.MOVING
    since_s: float = 0.0
    still: tuple[Still, ...] = ()
    resting: bool = False
    quiet: Quiet | None = None
    board: Texture | None = None
    paper: float = 0.0
    recent: tuple[_Frame, ...] = ()
    rest: tuple[_Frame, ...] = ()


def begin(region: Region | None = None) -> GateState:
    """A gate that has seen nothing. Without a region the whole picture is the board."""
    return GateState(region)


def watch(state: GateState, number: int, at_s: float, grey: NDArray[np.uint8]) -> GateState:
    """The gate after one more frame: its number, its time and its (h, w) small grey picture."""
    region = state.region
    if region is None or region.mask.shape != grey.shape:
        region = whole((grey.shape[0], grey.shape[1]))
        state = GateState(region, paper=paper_level(grey, region.mask))
    if not state.recent:
        state = replace(state, paper=paper_level(grey, region.mask))
    seen = texture(grey, state.paper, region.field_px)
    before = state.recent[-1] if state.recent else None
    moved = before is None or _area(differences(seen, before.texture, region.mask), region) > MOVED_FIELDS
    frame = _Frame(number, at_s, grey, seen, np.zeros(grey.shape, np.bool_))
    state = replace(state, region=region, quiet=None)
    if state.board is None:
        return _first(state, frame, moved)
    changed = differences(seen, state.board, region.mask)
    frame = replace(frame, over=intruders(changed, region))
    state = _remember(state, frame, moved)
    if moved:
        return _joined(_see(state, Sight.MOVING, at_s))
    if _area(changed, region) * region.field_px**2 > MOST_SHARE * region.area_px:
        return _other_scene(state, frame)
    if frame.over.any():
        return _covered(state, frame)
    return _clear(state, frame, changed)


def _area(mask: NDArray[np.bool_], region: Region) -> float:
    """Area of a mask, fields."""
    return int(mask.sum()) / region.field_px**2


def _is_change(changed: NDArray[np.bool_], region: Region) -> bool:
    """Whether some piece stands elsewhere."""
    return largest(changed) > CHANGED_FIELDS * region.field_px**2


def _remember(state: GateState, frame: _Frame, moved: bool) -> GateState:
    """Put a frame with the recent ones, and with those of the present rest."""
    recent = tuple(f for f in (*state.recent, frame) if frame.at_s - f.at_s <= _RECENT_S)[-2 * RUN_MOST :]
    # A rest is measured from the frame it began with, so that what creeps is seen to move.
    rest = (frame,) if moved or not state.rest else state.rest
    if not moved and state.region is not None:
        crept = _area(differences(frame.texture, rest[0].texture, state.region.mask), state.region)
        rest = (frame,) if crept > MOVED_FIELDS else rest
    return replace(state, recent=recent, rest=rest)


def _see(state: GateState, sight: Sight, at_s: float) -> GateState:
    since_s = state.since_s if state.sight is sight else at_s
    kept = state.still if sight is Sight.STILL else ()
    return replace(state, sight=sight, since_s=since_s, still=kept, resting=False)


def _first(state: GateState, frame: _Frame, moved: bool) -> GateState:
    """Without a board known, the first thing that keeps still is it."""
    state = _remember(state, frame, moved)
    if moved:
        return _see(state, Sight.MOVING, frame.at_s)
    state = _run(_see(state, Sight.STILL, frame.at_s), frame)
    if frame.at_s - state.rest[0].at_s < STILL_S:
        return state
    best = max(state.still, key=lambda one: one.sharpness)
    return replace(state, board=frame.texture, quiet=Quiet(best.number, state.rest[0].at_s, first=True))


def _run(state: GateState, frame: _Frame) -> GateState:
    assert state.region is not None
    one = Still(frame.number, frame.at_s, sharpness(frame.grey, state.region.mask))
    return replace(state, still=(*state.still, one)[-RUN_MOST:])


def _clear(state: GateState, frame: _Frame, changed: NDArray[np.bool_]) -> GateState:
    """Nothing moves and nothing reaches in."""
    assert state.region is not None
    assert state.board is not None
    state = _run(_see(state, Sight.STILL, frame.at_s), frame)
    rested_s = frame.at_s - state.rest[0].at_s
    if rested_s < STILL_S:
        return state
    if not _is_change(changed, state.region):
        # The same board: follow the slow drift of daylight.
        return replace(state, board=np.asarray(state.board + _DRIFT * (frame.texture - state.board), np.float32))
    best = max(state.still, key=lambda one: one.sharpness)
    return replace(state, board=frame.texture, quiet=Quiet(best.number, state.rest[0].at_s))


def _covered(state: GateState, frame: _Frame) -> GateState:
    """Nothing moves, but something reaches in."""
    state = _see(state, Sight.COVERED, frame.at_s)
    rested_s = frame.at_s - state.rest[0].at_s
    if rested_s >= REST_S:
        state = replace(_run(state, frame), resting=True)
    if rested_s >= ADOPT_S:
        state = replace(state, board=frame.texture)
    return state


def _other_scene(state: GateState, frame: _Frame) -> GateState:
    """Much differs at once: another light, a bumped table, or something large over the board."""
    assert state.region is not None
    assert state.board is not None
    mask = state.region.mask
    rested_s = frame.at_s - state.rest[0].at_s
    if likeness(frame.texture, state.board, mask) >= SAME_SCENE:
        state = _see(state, Sight.LIGHT, frame.at_s)
    else:
        shift = shift_px(state.board, frame.texture, mask)
        if likeness(frame.texture, moved_by(state.board, shift), mask) < SAME_SCENE:
            return _covered(state, frame)
        state = _see(state, Sight.VIEW, frame.at_s)
    if rested_s < SETTLED_S:
        return state
    paper = paper_level(frame.grey, mask)
    board = texture(frame.grey, paper, state.region.field_px)
    frame = replace(frame, texture=board)
    return replace(_run(state, frame), board=board, paper=paper, recent=(frame,), rest=(frame,))


def _joined(state: GateState) -> GateState:
    """While one hand comes another may leave: then two frames together show the board.

    The late one is still but for the hand that came; what that hand hides is taken from an early one, in which only the
    hand that left was there. Some frame must show both hands side by side, or it may be one hand that moved fast.
    """
    region, board = state.region, state.board
    assert region is not None
    assert board is not None
    late, rested_s = _still_beside(state.recent, region)
    if rested_s < STILL_S or not late.over.any():
        return state
    hidden = grown(late.over, region.field_px / 3)
    for early in reversed(state.recent):
        if early.at_s >= late.at_s or late.at_s - early.at_s > JOIN_S or not early.over.any():
            continue
        left = grown(early.over, region.field_px / 3)
        between = [frame.over for frame in state.recent if early.at_s <= frame.at_s <= late.at_s]
        if (hidden & left).any() or not any(apart(over, left, hidden) for over in between):
            continue
        both = np.asarray(np.where(hidden, early.texture, late.texture), np.float32)
        new = differences(both, board, region.mask)
        if _is_change(new, region) and not intruders(new, region).any():
            quiet = Quiet(late.number, early.at_s, joined=(early.number, hidden))
            kept = tuple(frame for frame in state.recent if frame.at_s >= late.at_s)
            return replace(state, board=both, quiet=quiet, recent=kept)
    return state


def _still_beside(recent: tuple[_Frame, ...], region: Region) -> tuple[_Frame, float]:
    """The frame since which nothing moved but what reaches in, and for how long that is."""
    newest = since = recent[-1]
    for before in reversed(recent[:-1]):
        over = grown(newest.over | since.over | before.over, region.field_px / 3)
        if _area(differences(newest.texture, before.texture, region.mask) & ~over, region) > MOVED_FIELDS:
            break
        since = before
    return since, newest.at_s - since.at_s
