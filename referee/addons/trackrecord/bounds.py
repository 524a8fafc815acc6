"""Bound a rate of errors from a count that people look at whenever they like.

An interval for a fixed number of trials fails more often than it says if it is looked at after every game. A
confidence sequence holds at every moment at once: the rates p for which the mixture likelihood ratio of Robbins
(1970), here with Jeffreys' prior Beta(1/2, 1/2), stays below 1 / error.
"""

from __future__ import annotations

from math import inf, lgamma, log, log1p

PRIOR = 0.5
ERROR = 0.05
"""Chance that the true rate is ever above the bound."""
_STEPS = 60


def highest_rate(wrong: int, trials: int, error: float = ERROR) -> float:
    """Return the rate of errors below which the true one lies, whenever one looks, but for a chance of ``error``."""
    if not trials:
        return 1.0
    mixture = _log_beta(PRIOR + wrong, PRIOR + trials - wrong) - _log_beta(PRIOR, PRIOR)
    low, high = wrong / trials, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        inside = mixture - _log_likelihood(middle, wrong, trials) < log(1 / error)
        low, high = (middle, high) if inside else (low, middle)
    return high


def one_in(rate: float) -> int:
    """Return N where a rate is at most one in N."""
    return int(1 / rate)


def _log_likelihood(rate: float, wrong: int, trials: int) -> float:
    right = trials - wrong
    hit = wrong * log(rate) if wrong else 0.0
    return hit + (right * log1p(-rate) if rate < 1 else (-inf if right else 0.0))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
