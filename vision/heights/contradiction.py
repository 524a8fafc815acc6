"""Whether pictures that one camera took one after another from the hand show the same board.

Two explanations are weighed: all pictures show one board, or some of them show it before a stone or piece was moved
and the others after. Fields count only for what is in plain sight in both; towers hide and networks guess.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief
from referee.values.board import Field
from vision.geometry.visibility import seen_share, tops_seen
from vision.heights.change import Look
from vision.heights.scorer import LEVELS

PLAIN = 0.9
"""Share of a top face in view from which on a picture is believed about it here."""
MOST_NATS = 12.0
"""No field speaks for a change by more: the eyes take one for something else now and then, however sure they are."""
CHANGE_NATS = float(np.log(20 * 10))
"""What a change costs in each field: a turn touches one in twenty, and may make of it any of ten things."""
CHANGED_NATS = float(np.log(100 * 150))
"""The board was changed once in a hundred looks, and a look ends only where that is 150 times likelier than not."""
MOST_PICTURES = 10
"""Of more pictures the newest are weighed: the ways to part them double with each."""


def contradicting(
    look: Look, each: Mapping[str, BoardBelief], board: NDArray[np.integer], table: TableSetup
) -> tuple[Field, ...]:
    """Return the fields in which pictures of a look plainly show different boards, the plainest first; else none.

    each: what each picture says by itself. board: (rows, cols) the stacks as all of them together have them.
    """
    names = list(look)[-MOST_PICTURES:]
    if len(names) < 2:
        return ()
    standing = board.astype(np.int8)
    ways = np.array(
        [[way >> k & 1 for k in range(len(names))] for way in range(1, 2 ** (len(names) - 1))], np.float64
    )
    totals = np.zeros(len(ways))
    shares: dict[tuple[int, int], NDArray[np.float64]] = {}
    for scores, seen in (
        (np.stack([each[name].heights for name in names]), _tops(look, names, standing, table)),
        (np.stack([each[name].flags for name in names]), _heads(look, names, standing, table)),
    ):
        for place, nats in _apart(np.where(seen, scores, np.nan), ways).items():
            before = shares.get(place, np.zeros(len(ways)))
            shares[place] = np.maximum(before, nats)
    for nats in shares.values():
        totals += np.maximum(np.minimum(nats, MOST_NATS) - CHANGE_NATS, 0.0)
    if not shares or totals.max() < CHANGED_NATS + np.log(len(ways)):
        return ()
    best = totals > totals.max() - 1e-9  # a picture that sees nothing of it may stand on either side
    most = {place: float(nats[best].max()) for place, nats in shares.items()}
    changed = sorted((place for place in most if most[place] > CHANGE_NATS), key=lambda place: (-most[place], place))
    return tuple(Field(*place) for place in changed)


def _apart(scores: NDArray[np.float64], ways: NDArray[np.float64]) -> dict[tuple[int, int], NDArray[np.float64]]:
    """Return, for each field that may differ, the nats (ways,) by which a change explains it better than none.

    Before a change one value stands there, and another after it; without one it is any value that some picture would
    show plainly. Pictures that don't show two values plainly say nothing between them: where some see plainly what
    stands there, what the others make of its hidden top is no change.

    scores: (pictures, rows, cols, values) log-likelihoods, nan where not in plain sight. ways: (ways, pictures) of 0
    and 1, how the pictures are parted.
    """
    values = scores.shape[3]
    first, second = (
        np.array(one) for one in zip(*((a, b) for a in range(values) for b in range(values) if a != b), strict=True)
    )
    lead = np.nan_to_num(scores[..., first] - scores[..., second])
    either = np.minimum(np.maximum(lead, 0).sum(axis=0), np.maximum(-lead, 0).sum(axis=0))
    found = {}
    for row, col in np.argwhere(either.max(axis=2) > CHANGE_NATS):
        at = scores[:, row, col]
        shown = at[:, ~np.isnan(at).all(axis=0)]
        over = np.nan_to_num(at[:, :, None] - shown[:, None, :])  # (pictures, values, values shown)
        pairs = either[row, col] > CHANGE_NATS
        before, after = (np.tensordot(part, over, 1) for part in (ways, 1 - ways))
        found[int(row), int(col)] = (before[:, first[pairs]] + after[:, second[pairs]]).min(axis=2).max(axis=1)
    return found


def _tops(look: Look, names: list[str], standing: NDArray[np.int8], table: TableSetup) -> NDArray[np.bool_]:
    """Return which heights of which stacks each picture would show plainly, (pictures, rows, cols, LEVELS)."""
    lifts_mm = np.arange(LEVELS, dtype=np.float64) * table.cube_mm[2]
    return np.stack([seen_share(look[name].centre_mm, standing, lifts_mm, table) >= PLAIN for name in names])


def _heads(look: Look, names: list[str], standing: NDArray[np.int8], table: TableSetup) -> NDArray[np.bool_]:
    """Return on which stacks each picture would plainly show a piece, (pictures, rows, cols, 1)."""
    above_mm = 0.6 * table.flag.height_mm
    seen = [tops_seen(look[name].centre_mm, standing, table, above_mm) >= PLAIN for name in names]
    return np.stack(seen)[..., None]
