"""Decodes a belief into a board: what is told, how surely, and what is left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.values.belief import BoardBelief, Prior, conserving, log_probabilities, posterior
from referee.values.partial import UNKNOWN, PartialBoard
from vision.heights.pieces import FLAGS, Pieces

TOLD = 0.9
"""A field's height is told from this probability on; below it is ``?``."""
TOLD_ALONE = 0.98
"""The same where no board before has a say, for the weights of flags: they err alike on fields that look alike, and
the number of cubes mends little of it. The weights for all pieces are underconfident as it is."""
TOLD_FLAG = 0.8
"""The same for its flag: colours are five and far apart, so what is left open is mostly whether one stands there."""
_ON_BARE_BOARD_NATS = -3.0
"""Flags stand on stacks; one on the bare board is told only when it is plain to see. Other figures stand anywhere."""

_NOT_SET_UP_NATS = -3.0
"""Odds that a piece of which there is one is not on the board: in one look of twenty."""
_SUREST_NATS = -1e-6


def decode(
    belief: BoardBelief,
    expect: Prior | None,
    pieces: Pieces = FLAGS,
    each: Mapping[str, BoardBelief] | None = None,
) -> tuple[PartialBoard, NDArray[np.float64]]:
    """Decode a belief to what is told of the board and the probability that each field as given is right.

    pieces: what the belief's codes stand for. each: what every picture says by itself; without it
    empty fields are told by their sum alone.
    Returns: the board as far as it is told, and confidence (rows, cols), row 0 being row "1".
    """
    if expect is not None:
        belief = posterior(belief, expect)
        before = expect.previous
        totals = expect.cubes or (frozenset() if before is None else frozenset({int(before.heights.sum())}))
        belief = replace(belief, heights=conserving(belief.heights, totals))
    heights = np.exp(log_probabilities(belief.heights))
    height, height_p = heights.argmax(axis=2), heights.max(axis=2)
    on_stacks = belief.flags.copy()
    for code in set(range(1, on_stacks.shape[2])) - pieces.grounded:
        on_stacks[..., code] += _ON_BARE_BOARD_NATS * heights[..., 0]
    flags = np.exp(log_probabilities(_rationed(single(on_stacks, pieces), expect, pieces)))
    flag, flag_p = flags.argmax(axis=2), flags.max(axis=2)
    alone = pieces.weights == "flags" and (expect is None or expect.previous is None)
    height_told, flag_told = height_p >= (TOLD_ALONE if alone else TOLD), flag_p >= TOLD_FLAG
    if each and pieces.weights == "flags":
        known = expect.previous if expect is not None else None
        height_told &= (height > 0) | surely_empty(each) | (known is not None and known.heights == 0)
    confidence = np.where(height_told, height_p, 1.0) * np.where(flag_told, flag_p, 1.0)
    told = PartialBoard(
        np.where(height_told, height, UNKNOWN).astype(np.int8),
        np.where(flag_told, flag, UNKNOWN).astype(np.int8),
        belief.letters,
    )
    return told, np.where(height_told | flag_told, confidence, 1.0)


def surely_empty(each: Mapping[str, BoardBelief]) -> NDArray[np.bool_]:
    """Return where (rows, cols) some picture is TOLD sure by itself that nothing stands.

    A stack far off its field's middle fits no height well, in any picture. All then lean to none, and their sum is
    surer than an error that they share allows.
    """
    chances = np.exp(np.stack([log_probabilities(one.heights)[..., 0] for one in each.values()]))
    return np.asarray((chances >= TOLD).any(axis=0), np.bool_)


def single(scores: NDArray[np.float64], pieces: Pieces) -> NDArray[np.float64]:
    """Weigh the places of a piece of which there is only one against each other.

    scores: (rows, cols, classes) log-likelihoods. One king stands on one field, or none does as long as he has not
    been set up; his fields' odds therefore share one, as those of a classifier over fields would. What the others
    are is weighed as before.
    """
    out = np.array(log_probabilities(scores))
    for code in (code for code, most in enumerate(pieces.most or (), 1) if most == 1):
        others = np.logaddexp.reduce(np.delete(out, code, axis=2), axis=2)
        odds = out[..., code] - others
        here = odds - np.logaddexp(np.logaddexp.reduce(odds, axis=None), _NOT_SET_UP_NATS)
        here = np.minimum(here, _SUREST_NATS)
        out += (np.log1p(-np.exp(here)) - others)[..., None]
        out[..., code] = here
    return out


def _rationed(scores: NDArray[np.float64], expect: Prior | None, pieces: Pieces) -> NDArray[np.float64]:
    """Weigh down the least sure pieces of a kind that shows more than there are."""
    if expect is None:
        return scores
    out = scores.copy()
    best = out.argmax(axis=2)
    for code in range(1, out.shape[2]):
        most = pieces.most[code - 1] if pieces.most else expect.flags_each
        places = np.argwhere(best == code)
        if len(places) > most:
            lead = [out[r, c, code] - np.delete(out[r, c], code).max() for r, c in places]
            for k in np.argsort(lead)[: len(places) - most]:
                out[places[k][0], places[k][1], code] -= 4.0
    return out
