"""Finds the frames of a camera that show the board standing still with nothing over it: the stillness gate.

A fold over small grey frames with their times; no clock, no camera. While anything moves over the board nothing is
read. A board is quiet when for ``STILL_S`` nothing moved and nothing reaches in from outside, judged against the
board as it last stood quiet. All lengths are fields of the board, all times seconds, so that neither the size of the
picture nor the rate of frames matters.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.gate.intruder import MOST_SHARE, SPECK_FIELDS, apart, filled, grown, intruders, largest
from vision.gate.lying import lain_s, lying, put_under
from vision.gate.outline import DECIDED, outlined
from vision.gate.region import Region, whole
from vision.gate.state import GateState, GateStatus, KnownBoard, Quiet, RecentFrame, StillFrame
from vision.gate.texture import (
    Texture,
    aligned,
    differences,
    light_change,
    likeness,
    scale_of,
    sharpness,
    texture,
)
from vision.gate.ticking import SLOW_S, begun, ignored, noticed, withdrawn

__all__ = ["GateState", "GateStatus", "Quiet", "StillFrame", "begin", "trusted", "watch"]

STILL_S = 0.06
"""Two frames at 15 a second: a quick player's board may be quiet for little longer."""
MOVED_FIELDS = 0.3
"""Movement of less than this share of a field is noise, or a piece that still rocks."""
CHANGED_FIELDS = 0.15
"""The smallest change of a board: so much of a field in one piece."""
LIT_FIELDS = 0.28
"""The smallest one while the light has changed by LIT somewhere: pieces look a little different then."""
LIT = 0.3
REST_S = 2.0
"""Time after which something that reaches in and has not stirred may be no hand: a reader has to decide."""
LIES_S = 3.0
"""What ends at the rim and has lain for so long is pieces on the outer row; UNTOUCHED_S, where nobody was seen."""
ADOPT_S = 10.0
"""After so long without any movement, what lies there is part of the table."""
UNTOUCHED_S = 1.5
"""A change nobody was seen to make counts when it lasts so long: a clock's seconds don't, a hand may be missed."""
SEEN_FRAMES = 3
"""Something that moves for so many frames is somebody; what only lies elsewhere moves for one or two."""
LEFT_S = 0.1
"""Time for which a hand must have been gone from what was first taken for the board."""
SETTLED_S = 0.4
"""Time for which the light or the view must stay the same before they are taken as the new ones."""
SAME_SCENE = 0.75
"""Correlation of textures above which it is the same board, in another light."""
BUMPED_SHARE = 0.04
"""When more of the board differs, it may have been bumped."""
LIKER = 0.85
"""It was, when moved back it is so much less unlike (correlation): an arm does not become so."""
JOIN_S = 0.2
"""Two frames so near to each other may be joined, when one hand leaves while another comes."""
_RECENT_S = 0.5
MEAN_MOST = 8
"""Noise is taken out over so many frames of a rest."""
IDLE_AFTER, IDLE_FRAMES = 30, 4
"""A board that has rested for more frames is compared with what is known at every fourth; movement is seen at any."""
RUN_MOST = 12
"""Still frames that are remembered."""
_DRIFT = 0.1


def begin(region: Region | None = None) -> GateState:
    """Return a gate that has seen nothing. Without a region the whole picture is the board."""
    return GateState(region)


def watch(state: GateState, number: int, at_s: float, grey: NDArray[np.uint8]) -> GateState:
    """Return the gate after one more frame: its number, its time and its (h, w) small grey picture."""
    known = state.known
    if known is None or known.region.mask.shape != grey.shape:
        region = state.region
        if region is None or region.mask.shape != grey.shape:
            region = whole((grey.shape[0], grey.shape[1]))
        known = KnownBoard(region, scale_of(grey, region))
        state = GateState(state.region)
    seen = texture(grey, known.scale, known.region)
    frame = RecentFrame(number, at_s, grey, seen, np.zeros(grey.shape, np.bool_))
    before = state.recent[-1] if state.recent else None
    step = None if before is None else differences(seen, before.texture, replace(known.region, ignored=None))
    moved = step is None or int((step & known.region.counted).sum()) > MOVED_FIELDS * known.region.field_px**2
    if state.quiet is not None:
        state = replace(state, moves=0, handled=False)
    state = replace(state, known=known, quiet=None, moves=state.moves + moved)
    if known.board is None:
        state = _first(state, known, frame, moved)
    else:
        state = _compared(state, known, known.board, frame, moved)
    if before is None or step is None:
        return state
    return _noticed(state, known.region, at_s, step, at_s - before.at_s > SLOW_S)


def _noticed(state: GateState, region: Region, at_s: float, step: NDArray[np.bool_], slow: bool) -> GateState:
    """Learn what changes by itself."""
    known = state.known
    if known is None or known.region.mask is not region.mask:
        return state
    ticking = state.ticking or begun(region.mask.shape, at_s)
    if state.quiet is not None:
        ticking = replace(ticking, touched=False)
    elsewhere = state.sight in (GateStatus.COVERED, GateStatus.LIGHT, GateStatus.VIEW)
    reaching = slow or elsewhere or bool(state.recent[-1].over.any())
    ticking = noticed(ticking, at_s, step, reaching, region)
    state, found = replace(state, ticking=ticking), ignored(ticking, at_s, region)
    if found is None and region.ignored is None:
        return state
    if found is not None and region.ignored is not None and np.array_equal(found, region.ignored):
        return state
    return replace(state, known=replace(known, region=replace(region, ignored=found)))


def trusted(state: GateState, number: int) -> GateState:
    """Return the gate after a reader found nothing in the way in a frame.

    What reaches in over the rim there, or is seen from elsewhere, is the board as it stands now.
    """
    found = next((frame for frame in state.recent if frame.number == number), None)
    if found is None or state.known is None:
        return state
    known = replace(state.known, first=False)
    if state.sight in (GateStatus.COVERED, GateStatus.VIEW):
        known = replace(known, board=found.texture, under=None)
    return replace(state, known=known)


def _compared(state: GateState, known: KnownBoard, board: Texture, frame: RecentFrame, moved: bool) -> GateState:
    """Return the gate after a frame, compared with the board as it last stood quiet."""
    region = known.region
    # A sleeve's edge may look like a shadow, so what reaches in is judged without allowance for the light.
    mean = state.mean
    state = _rest(state, region, frame, moved)
    if state.mean is mean and state.sight is GateStatus.STILL:  # an idle board, as it was
        return _run(_remember(state, frame), known, frame)
    seen = state.mean or frame.texture
    changed = differences(seen, board, region)
    over = _reaching_in(seen, board, changed, region)
    if over.any() and known.under is not None:
        before = differences(seen, known.under, region)
        if not _reaching_in(seen, known.under, before, region).any():  # what lay over the rim has gone
            board, changed, over = known.under, before, np.zeros_like(over)
            known = replace(known, board=board, under=None)
            state = replace(state, known=known)
    if over.any() and state.ticking is not None and not moved and _rested_s(state, frame) >= UNTOUCHED_S:
        lies_s = LIES_S if state.handled or state.moves >= SEEN_FRAMES else UNTOUCHED_S
        over = over & ~lying(over, seen, board, known.scale, region, state.ticking.moved_s, frame.at_s, lies_s)
        state = replace(state, handled=state.handled or bool(over.any()))
    frame = replace(frame, over=over)
    state = _remember(state, frame)
    if moved:
        return _joined(_see(state, GateStatus.MOVING, frame.at_s), known, board)
    frame = replace(frame, texture=seen)
    share = float(changed.sum()) / region.area_px
    if share > MOST_SHARE and likeness(frame.texture.fine, board.fine, region.mask) >= SAME_SCENE:
        return _used_to(_see(state, GateStatus.LIGHT, frame.at_s), known, frame, SETTLED_S)
    if share > MOST_SHARE or frame.over.any():
        # This is checked while the rest is young, and not once the answer is known.
        young = _rested_s(state, frame) < SETTLED_S
        if state.sight is GateStatus.VIEW or (
            share > BUMPED_SHARE and young and _bumped(frame.texture, board, region)
        ):
            return _elsewhere(state, known, frame)
        return _covered(state, known, frame)
    if changed.any():
        changed = differences(frame.texture, board, region, known.scale)
    return _clear(state, known, board, frame, changed)


def _reaching_in(seen: Texture, board: Texture, changed: NDArray[np.bool_], region: Region) -> NDArray[np.bool_]:
    """Return the mask of changed places that belong to something that reaches in.

    Where towers lean out over the rim they touch it too. There it is an arm when farther out, where no tower can be
    seen, something has changed as well.
    """
    found = intruders(changed, region, region.rim)
    if region.leaning is None or not found.any():
        return found
    certain = intruders(changed, region, region.rim & ~region.leaned)
    if (found & ~certain).any():
        outside = differences(seen, board, region.leaning) & region.leaning.edge & ~region.mask
        if int(outside.sum()) < SPECK_FIELDS * region.field_px**2:
            return certain
    return found


def _moved(one: Texture, other: Texture, region: Region) -> bool:
    """Return whether anything moved between two frames."""
    return int(differences(one, other, region).sum()) > MOVED_FIELDS * region.field_px**2


def _is_change(changed: NDArray[np.bool_], region: Region, least: float = CHANGED_FIELDS) -> bool:
    """Return whether a changed area is large enough for a piece that stands elsewhere."""
    return largest(changed) > least * region.field_px**2


def _rest(state: GateState, region: Region, frame: RecentFrame, moved: bool) -> GateState:
    """Count a rest from the frame it began with, so that creeping is noticed.

    A rest keeps the mean of its frames: it has less noise, so a hand stands out from the board in dim light as well.
    """
    seen, rest, mean = frame.texture, state.rest, state.mean
    rested = state.rested + 1
    if not moved and mean is not None and rested > IDLE_AFTER and rested % IDLE_FRAMES:
        return replace(state, rested=rested)
    if moved or rest is None or mean is None or _moved(seen, rest.texture, region):
        return replace(state, rest=frame, rested=1, mean=seen)
    share = np.float32(1 / min(rested, MEAN_MOST))
    logs, fine = (a + share * (b - a) for a, b in ((mean.logs, seen.logs), (mean.fine, seen.fine)))
    return replace(state, rested=rested, mean=Texture(np.asarray(logs, np.float32), np.asarray(fine, np.float32)))


def _remember(state: GateState, frame: RecentFrame) -> GateState:
    """Put a frame with the recent ones."""
    recent = tuple(f for f in (*state.recent, frame) if frame.at_s - f.at_s <= _RECENT_S)[-2 * RUN_MOST :]
    return replace(state, recent=recent)


def _rested_s(state: GateState, frame: RecentFrame) -> float:
    return frame.at_s - state.rest.at_s if state.rest is not None else 0.0


def _see(state: GateState, sight: GateStatus, at_s: float) -> GateState:
    since_s = state.since_s if state.sight is sight else at_s
    kept = state.still if sight is state.sight else ()
    return replace(state, sight=sight, since_s=since_s, still=kept, resting=False)


def _run(state: GateState, known: KnownBoard, frame: RecentFrame) -> GateState:
    one = StillFrame(frame.number, frame.at_s, sharpness(frame.grey, known.region.mask))
    return replace(state, still=(*state.still, one)[-RUN_MOST:])


def _first(state: GateState, known: KnownBoard, frame: RecentFrame, moved: bool) -> GateState:
    """Return the gate while no board is known: the first thing that keeps still becomes the board."""
    state = _remember(_rest(state, known.region, frame, moved), frame)
    if moved:
        return _see(state, GateStatus.MOVING, frame.at_s)
    state = _run(_see(state, GateStatus.STILL, frame.at_s), known, frame)
    if _rested_s(state, frame) < STILL_S:
        return state
    return _taken(state, known, replace(frame, texture=state.mean or frame.texture), first=True)


def _taken(state: GateState, known: KnownBoard, frame: RecentFrame, first: bool = False) -> GateState:
    """Return the gate with a new quiet board; the sharpest frame of the rest shows it."""
    best = max(state.still, key=lambda one: one.sharpness)
    unseen = not (first or state.handled or state.moves >= SEEN_FRAMES)
    quiet = Quiet(best.number, frame.at_s - _rested_s(state, frame), first, unseen=unseen)
    if known.under is not None and known.covers is not None and known.board is not None:
        under, covers = put_under(frame.texture, known.board, known.under, known.covers, known.scale, known.region)
        known = replace(known, under=under, covers=covers)
    # A change by a hand that was there all along tells nothing about the first board.
    known = replace(known, board=frame.texture, first=first or known.first, come=known.come and not first)
    return replace(state, known=known, quiet=quiet)


def _clear(
    state: GateState, known: KnownBoard, board: Texture, frame: RecentFrame, changed: NDArray[np.bool_]
) -> GateState:
    """Return the gate while nothing moves and nothing reaches in."""
    if known.first and known.come:  # something came and went, and the rim is as it was: nothing lay over it
        known = replace(known, first=False, come=False)
        state = replace(state, known=known)
    state = _run(_see(state, GateStatus.STILL, frame.at_s), known, frame)
    if _rested_s(state, frame) < STILL_S:
        return state
    lit = changed.any() and float(light_change(frame.texture, board, known.region)[known.region.mask].max()) > LIT
    if _is_change(changed, known.region, LIT_FIELDS if lit else CHANGED_FIELDS):
        if state.ticking is not None and not state.ticking.touched and _rested_s(state, frame) < UNTOUCHED_S:
            return state  # nobody has been seen at the board
        joined = known.joined
        known = replace(known, joined=None)
        if joined is not None and not _is_change(
            differences(frame.texture, joined, known.region, known.scale), known.region
        ):
            return replace(state, known=replace(known, board=frame.texture))  # it was reported already
        return _taken(state, known, frame)
    if changed.any():
        return state
    if _rested_s(state, frame) >= SETTLED_S:
        state = replace(state, moves=0, handled=False)
    # The very same board: follow the slow drift of daylight.
    logs, fine = board.logs, board.fine
    logs = np.asarray(logs + _DRIFT * (frame.texture.logs - logs), np.float32)
    fine = np.asarray(fine + _DRIFT * (frame.texture.fine - fine), np.float32)
    return replace(state, known=replace(known, board=Texture(logs, fine)))


def _covered(state: GateState, known: KnownBoard, frame: RecentFrame) -> GateState:
    """Return the gate while nothing moves, but something reaches in."""
    rested_s = _rested_s(state, frame)
    if known.first and known.board is not None and rested_s >= LEFT_S and frame.over.any():
        lay = outlined(known.board, frame.texture, frame.over, known.region)
        # A soft outline decides nothing; then the way it went may.
        left = state.ticking is not None and withdrawn(state.ticking, frame.over, frame.at_s, known.region)
        if lay > DECIDED or (left and lay >= -DECIDED):  # a hand lay over what was taken for the first board
            return _taken(_run(_see(state, GateStatus.STILL, frame.at_s), known, frame), known, frame, first=True)
        if lay < -DECIDED and not known.come:
            known = replace(known, come=True)
            state = replace(state, known=known)
    state = _see(state, GateStatus.COVERED, frame.at_s)
    if rested_s >= REST_S:
        state = replace(_run(state, known, frame), resting=True)
    if rested_s >= ADOPT_S or (rested_s >= REST_S and _lain_s(state, frame) >= ADOPT_S):
        covers = filled(frame.over, known.region.field_px)
        state = replace(state, known=replace(known, board=frame.texture, under=known.board, covers=covers))
    return state


def _lain_s(state: GateState, frame: RecentFrame) -> float:
    """Return for how long what reaches in has not stirred, whatever moved elsewhere."""
    return lain_s(frame.over, state.ticking.moved_s, frame.at_s) if state.ticking and frame.over.any() else 0.0


def _bumped(seen: Texture, board: Texture, region: Region) -> bool:
    """Return whether the same board is seen from elsewhere. A hand may be over it all the same."""
    back = aligned(seen, board, region)
    if back is None:
        return False
    apart = 1 - likeness(back, board.fine, region.mask)
    return apart < min(1 - SAME_SCENE, LIKER * (1 - likeness(seen.fine, board.fine, region.mask)))


def _elsewhere(state: GateState, known: KnownBoard, frame: RecentFrame) -> GateState:
    """Return the gate after the camera or the table was bumped.

    For some time only a reader can tell whether something lies in the way.
    """
    state = _run(_see(state, GateStatus.VIEW, frame.at_s), known, frame)
    state = replace(state, resting=_rested_s(state, frame) >= SETTLED_S)
    return _used_to(state, known, frame, REST_S)


def _used_to(state: GateState, known: KnownBoard, frame: RecentFrame, after_s: float) -> GateState:
    """Take another light, or another view, for the table's own after a while."""
    if _rested_s(state, frame) < after_s:
        return state
    region = known.region
    scale = scale_of(frame.grey, region)
    frame = replace(frame, texture=texture(frame.grey, scale, region))
    known = KnownBoard(region, scale, frame.texture)
    return replace(_run(state, known, frame), known=known, recent=(frame,), rest=frame, rested=1, mean=frame.texture)


def _joined(state: GateState, known: KnownBoard, board: Texture) -> GateState:
    """Join two frames that together show the board, when one hand leaves while another comes.

    The late one is still but for the hand that came; what that hand hides is taken from an early one, in which only
    the hand that left was there. Some frame must show both hands side by side, or it may be one that moved fast.
    """
    region = known.region
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
        if _is_change(differences(early.texture, board, region) & hidden, region):
            continue  # the hand that comes was there already
        both = Texture(
            np.asarray(np.where(hidden, early.texture.logs, late.texture.logs), np.float32),
            np.asarray(np.where(hidden, early.texture.fine, late.texture.fine), np.float32),
        )
        new = differences(both, board, region, known.scale)
        if _is_change(new, region) and not intruders(new, region, region.rim).any():
            quiet = Quiet(late.number, early.at_s, joined=(early.number, hidden))
            kept = tuple(frame for frame in state.recent if frame.at_s >= late.at_s)
            return replace(state, known=replace(known, joined=both), quiet=quiet, recent=kept)
    return state


def _still_beside(recent: tuple[RecentFrame, ...], region: Region) -> tuple[RecentFrame, float]:
    """Return the frame since which nothing moved but what reaches in, and for how long that is, s."""
    newest = since = recent[-1]
    for before in reversed(recent[:-1]):
        over = grown(newest.over | since.over | before.over, region.field_px / 3)
        beside = differences(newest.texture, before.texture, region) & ~over
        if int(beside.sum()) > MOVED_FIELDS * region.field_px**2:
            break
        since = before
    return since, newest.at_s - since.at_s
