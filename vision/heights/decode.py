"""From a belief to a board: what is told, how surely, and what is left open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.values.belief import BoardBelief, Prior, conserving, log_probabilities, posterior
from referee.values.board import DIGITS, Colour
from referee.values.kit import Kit

TOLD = 0.9
"""A field's height is told from this probability on; below it is ``?``."""
TOLD_FLAG = 0.8
"""The same for its flag: colours are five and far apart, so what is left open is mostly whether one stands there."""
_ON_BARE_BOARD_NATS = -3.0
"""Flags stand on stacks; one on the bare board is told only when it is plain to see. Other pieces stand anywhere."""


def decode(belief: BoardBelief, expect: Prior | None, kit: Kit | None = None) -> tuple[str, NDArray[np.float64]]:
    """Decode a belief to board text with ``?`` and the probability that each field as given is right.

    kit: what the belief's pieces are; without one they are the flags of the four colours.
    Returns: the text (formats.md, docs/decisions), and confidence (rows, cols), row 0 being row "1".
    """
    if expect is not None:
        belief = posterior(belief, expect)
        before = expect.previous
        totals = expect.cubes or (frozenset() if before is None else frozenset({int(before.heights.sum())}))
        belief = replace(belief, heights=conserving(belief.heights, totals))
    heights = np.exp(log_probabilities(belief.heights))
    height, height_p = heights.argmax(axis=2), heights.max(axis=2)
    on_stacks = belief.flags.copy()
    on_stacks[..., 1:] += _on_bare_board(kit, belief.flags.shape[2] - 1) * heights[..., :1]
    flags = np.exp(log_probabilities(_rationed(on_stacks, expect, kit)))
    flag, flag_p = flags.argmax(axis=2), flags.max(axis=2)
    height_told, flag_told = height_p >= TOLD, flag_p >= TOLD_FLAG
    confidence = np.where(height_told, height_p, 1.0) * np.where(flag_told, flag_p, 1.0)
    rows = range(height.shape[0])[::-1]
    letters = "".join(colour.letter for colour in Colour) if kit is None else kit.letters
    text = "/".join(_row(height[row], height_told[row], flag[row], flag_told[row], letters) for row in rows)
    return text, np.where(height_told | flag_told, confidence, 1.0)


def _on_bare_board(kit: Kit | None, kinds: int) -> NDArray[np.float64]:
    """What is held against each kind of piece (kinds,) standing on the bare board, nats."""
    if kit is None:
        return np.full(kinds, _ON_BARE_BOARD_NATS)
    return np.array([_ON_BARE_BOARD_NATS if piece.shape == "flag" else 0.0 for piece in kit.pieces])


def _row(
    heights: NDArray[np.intp],
    height_told: NDArray[np.bool_],
    flags: NDArray[np.intp],
    flag_told: NDArray[np.bool_],
    letters: str,
) -> str:
    """One row of board text: height or ``?``, then the piece's letter, ``~`` or, for no piece, nothing."""
    text = ""
    for height, h_told, flag, f_told in zip(heights.tolist(), height_told, flags.tolist(), flag_told, strict=True):
        text += DIGITS[height] if h_told else "?"
        text += (letters[flag - 1] if flag else "") if f_told else "~"
    return text


def _rationed(scores: NDArray[np.float64], expect: Prior | None, kit: Kit | None) -> NDArray[np.float64]:
    """Weigh down the least sure pieces of a kind that shows more than there are."""
    if expect is None:
        return scores
    out = scores.copy()
    best = out.argmax(axis=2)
    for kind in range(1, out.shape[2]):
        most = expect.flags_each if kit is None else kit.pieces[kind - 1].most
        places = np.argwhere(best == kind)
        if len(places) > most:
            lead = [out[r, c, kind] - np.delete(out[r, c], kind).max() for r, c in places]
            for k in np.argsort(lead)[: len(places) - most]:
                out[places[k][0], places[k][1], kind] -= 4.0
    return out
