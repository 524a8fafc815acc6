"""The turn loop's times as one frozen value: when to look, and how long to wait. Its caller tells it the time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

LOOK_AGAIN_S = 1.0
"""Interval between tries while the board can't be read."""


@dataclass(frozen=True, slots=True)
class LookPatience:
    """A session's waiting times. hand_s: for a hand in the way, until the table counts as covered.

    still_s: a table that has changed and stood still for so long ends the turn by itself; 0: never.
    """

    hand_s: float = 0.0
    still_s: float = 0.0


@dataclass(frozen=True, slots=True)
class LookTiming:
    """Times of looks, all in seconds of one monotonic clock.

    asked_s: pictures must be newer than this. doubt_s: since when a look that was asked for can't be taken, ``None``
    while it can. again_s: a blind table is tried again from then on. changed_s: the board changed last.
    """

    asked_s: float
    changed_s: float
    doubt_s: float | None = None
    again_s: float = 0.0

    @classmethod
    def starting(cls, now_s: float) -> Self:
        """Return the times of a game that is taken up now."""
        return cls(now_s, now_s)

    def asked(self, now_s: float) -> Self:
        """Return the times after somebody asked for a look now."""
        return replace(self, asked_s=now_s, doubt_s=None)

    def taken(self) -> Self:
        """Return the times after the look was taken."""
        return replace(self, doubt_s=None)

    def passed_over(self, seen_s: float) -> Self:
        """Return the times after pictures from ``seen_s`` were no use: newer ones are waited for."""
        return replace(self, asked_s=max(self.asked_s, seen_s))

    def doubted(self, now_s: float) -> Self:
        """Return the times after a look can't be taken, since now or since earlier."""
        return self if self.doubt_s is not None else replace(self, doubt_s=now_s)

    def out_of_patience(self, now_s: float, patience_s: float) -> bool:
        """Return whether a look has been impossible for so long that it is taken as it is."""
        return self.doubt_s is not None and now_s - self.doubt_s >= patience_s

    def changed(self, now_s: float) -> Self:
        """Return the times while the board moves, or has just moved."""
        return replace(self, changed_s=now_s)

    def still_for_s(self, now_s: float) -> float:
        """Return how long the board has stood still, s."""
        return now_s - self.changed_s

    def asked_again(self, seen_s: float) -> Self:
        """Return the times after pictures from ``seen_s`` could not be read: newer ones are waited for."""
        return replace(self, asked_s=seen_s)

    def tried(self, now_s: float) -> Self:
        """Return the times after a look at a blind table."""
        return replace(self, again_s=now_s + LOOK_AGAIN_S)

    def may_try(self, now_s: float) -> bool:
        """Return whether a blind table is tried again."""
        return now_s >= self.again_s
