"""Tells what earlier looks got wrong of what still stands, for every position from which the turn may begin.

Cameras that stand still err alike as long as a stack and what hides it stay as they are; a tower that comes in the
way, goes and comes again makes them err anew in the same way. So what they got wrong of a field counts once while the
field stays as it is, by the worst of the looks, and not look by look. A look between that plainly shows what stands
there ends this: whoever saw a piece come, go and come again made three mistakes, or none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Position
from referee.match.events import Verdict
from referee.match.standing import board_of
from referee.match.state import Entry, TableState
from referee.values.belief import Misreadings, misreadings_of

PLAIN_NATS = 10.0
"""A height or piece that leads by so much is plain: what speaks so is nowhere taken for misread."""
MOST_LOOKS = 20
"""Looks that are gone back to at most, so that a ruling takes no longer in a long game."""


def misreadings(state: TableState, positions: Sequence[Position]) -> tuple[Misreadings, ...]:
    """Return for each position what cameras that stand still got wrong of it before the turn under way.

    positions: those from which the turn may begin, in the order in which the turn before left them open. Each is
    followed back on its likeliest way. Empty where no look is known.
    """
    boards = [board_of(position) for position in positions]
    stays = [np.ones(board.heights.shape, np.bool_) for board in boards]
    found: list[Misreadings] = []
    at = list(range(len(positions)))
    entry = state.entry(state.turn.since) or state.last_moved
    for _ in range(MOST_LOOKS):
        if entry is None or not _shows_what_stood(entry) or not any(mask.any() for mask in stays):
            break
        assert entry.ruled is not None
        assert entry.after is not None
        ends = [board_of(position) for position, _ in entry.ruled.left_open.track] or [board_of(entry.after)]
        for mask, board, number in zip(stays, boards, at, strict=True):
            stood = ends[number] if number < len(ends) else ends[0]
            mask &= (stood.heights == board.heights) & (stood.flags == board.flags)
        if entry.reading is not None and entry.reading.belief and all(one.of_stand for one in entry.reading.cameras):
            belief = entry.reading.unpacked_belief(boards[0].letters)
            wrong = [misreadings_of(belief, board).on(mask) for board, mask in zip(boards, stays, strict=True)]
            found = [one.or_worse(other) for one, other in zip(found, wrong, strict=True)] if found else wrong
            for mask, board in zip(stays, boards, strict=True):
                mask &= ~(_plain(belief.heights, board.heights) & _plain(belief.flags, board.flags))
        links = entry.ruled.left_open.links
        if entry.since and not links:
            break  # it began where players went on from a turn that nobody settled
        at = [max(links[one], key=lambda link: link[1])[0] if one < len(links) else 0 for one in at]
        entry = state.entry(entry.since) or _before(state, entry)
    return tuple(found)


def _plain(scores: NDArray[np.float64], truth: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return where what stands there leads by ``PLAIN_NATS``. scores: (rows, cols, values)."""
    true = np.arange(scores.shape[2]) == truth[..., None]
    lead = np.where(true, scores, -np.inf).max(axis=2) - np.where(true, -np.inf, scores).max(axis=2)
    return np.asarray(lead >= PLAIN_NATS, np.bool_)


def _shows_what_stood(entry: Entry) -> bool:
    """Return whether an entry is of a turn ruled legal, so that its look was at the position after it."""
    legal = entry.ruled is not None and entry.ruled.verdict is Verdict.LEGAL
    return legal and entry.counts and not entry.by_hand and entry.after is not None


def _before(state: TableState, entry: Entry) -> Entry | None:
    return next((one for one in reversed(state.history[: entry.id - 1]) if one.counts), None)
