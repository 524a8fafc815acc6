"""Weigh what the pictures say: correct known misreadings, bound each field's likelihoods, add what players told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Position
from referee.kinds.grid.judging.context import Context, TurnEvidence
from referee.match.standing import board_of
from referee.values.belief import BoardBelief, Misreadings, ReferenceLook, corrected, log_probabilities
from referee.values.board import Field

MISTAKEN_SHARE = 3e-6
"""Share of fields that a reading shows wrongly, however sure it is. On photographed tables errors were half as
frequent with every nat, one field in 20,000 off by 6 nats and none by more than 8."""
WITNESS_NATS = 40.0
"""Weight of a witness's word on a field: it replaces what the pictures tell, and outweighs all other evidence."""
ALONE_NATS = 5.0
"""A field that no hand was seen near has changed all the same once in e^5 = 150 times: a hand may look like the
board, and a stone may roll. That is as sure as one must be to accuse, and no surer."""


def evidence(seen: TurnEvidence, context: Context, start: Position) -> BoardBelief:
    """Return natural-log likelihoods of every field, for a turn that began in a position.

    A field can speak against a value by as much only as the eyes deserve; that two looks show the same is counted
    besides, on what stood there then, and so is that no hand came near. What a witness says takes the place of all.
    """
    belief, before = seen.belief, board_of(start)
    reference = None if context.reference is None else as_it_stood(context.reference, context, start)
    if reference is not None:
        belief = corrected(belief, replace(reference, unchanged=None), misread_before(seen, context, start))
    heights, flags = bounded(belief.heights), bounded(belief.flags)
    if reference is not None and seen.unchanged is not None:
        row, col = np.nonzero(reference.settled)
        heights[row, col, _index(reference.board.heights, heights)[row, col]] += seen.unchanged.stacks[row, col]
        flags[row, col, _index(reference.board.flags, flags)[row, col]] += seen.unchanged.flags[row, col]
    if seen.untouched is not None:
        rows, cols = np.nonzero(seen.untouched)
        heights[rows, cols, _index(before.heights, heights)[rows, cols]] += ALONE_NATS
        flags[rows, cols, _index(before.flags, flags)[rows, cols]] += ALONE_NATS
    return BoardBelief(*_with_witnesses(heights, flags, seen.known), belief.letters)


def misread_before(seen: TurnEvidence, context: Context, start: Position) -> Misreadings | None:
    """Return what earlier looks got wrong of where a turn began, ``None`` where that says nothing of this look.

    A camera in a hand stands elsewhere each time. Of a position that was not kept as much is known as it has in
    common with the likeliest.
    """
    if seen.by_hand is not None or not context.misread:
        return None
    for (position, _), wrong in zip(context.hypotheses.positions, context.misread, strict=True):
        if position is start:
            return wrong
    one, other = board_of(context.hypotheses.likeliest), board_of(start)
    return context.misread[0].on((one.heights == other.heights) & (one.flags == other.flags))


def bounded(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bound log-likelihoods (rows, cols, n): the best is 0, none is less than a mistake of the reader."""
    chances = np.exp(log_probabilities(scores))
    mixed = np.log((1 - MISTAKEN_SHARE) * chances + MISTAKEN_SHARE / scores.shape[2])
    return np.asarray(mixed - mixed.max(axis=2, keepdims=True), np.float64)


def as_it_stood(reference: ReferenceLook, context: Context, start: Position) -> ReferenceLook:
    """Return the reference as seen from one of several positions.

    After a turn that stood, the board before this turn is the board it shows. It shows none to which a turn led since
    that nobody settled.
    """
    likeliest = context.hypotheses.likeliest
    if reference.board != likeliest.observed or start.turn != likeliest.turn:
        return reference
    return replace(reference, board=board_of(start))


def _with_witnesses(
    heights: NDArray[np.float64], flags: NDArray[np.float64], known: Mapping[Field, tuple[int, int]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    for place, (height, flag) in known.items():
        for scores, value in ((heights, height), (flags, flag)):
            scores[place.row, place.col] = -WITNESS_NATS
            scores[place.row, place.col, min(value, scores.shape[2] - 1)] = 0.0
    return heights, flags


def _index(values: NDArray[np.int8], scores: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.clip(values.astype(np.intp), 0, scores.shape[2] - 1)


def unseen_fields(seen: TurnEvidence) -> NDArray[np.bool_]:
    """Return the fields (rows, columns) of which neither pictures nor words say anything.

    No height there leads the next by a nat.
    """
    ranked = np.sort(seen.belief.heights, axis=2)
    dark = ranked[..., -1] - ranked[..., -2] < 1.0
    for place in seen.known:
        dark[place.row, place.col] = False
    return np.asarray(dark, np.bool_)
