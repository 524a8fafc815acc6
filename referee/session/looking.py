"""How far a session's looks have come, as one frozen value, and how long they may take. Its caller tells the time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from referee.match.live import Waiting
from referee.session.capture import Capture
from referee.session.openlook import OpenLook


@dataclass(frozen=True, slots=True)
class LookPatience:
    """A session's waiting times. hand_s: for a hand in the way, until the table counts as covered.

    still_s: a table that has changed and stood still for so long ends the turn by itself; 0: never.
    """

    hand_s: float = 0.0
    still_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Looking:
    """How far the looks have come; all times are seconds of one monotonic clock.

    asked_s: pictures must be newer than this. changed_s: the board changed last. unseen: the table has not been
    looked at since it was set up or put back. doubt_s: since when a look that was asked for can't be taken, ``None``
    while it can. again_s: a blind table is tried again from then on. waiting: what a look waits for. open: the look
    by a camera in a hand that is under way. newest: the number of the newest look, and its pictures. agreed: the turn
    and the board from which hands are followed, ``None`` before one was agreed on.
    """

    asked_s: float
    changed_s: float
    unseen: bool
    doubt_s: float | None = None
    again_s: float = 0.0
    waiting: Waiting | None = None
    open: OpenLook | None = None
    newest: tuple[int, Capture] | None = None
    agreed: tuple[int, str] | None = None

    def asked(self, now_s: float) -> Self:
        """Ask for pictures that come after now: what happened before does not show the table as it was left."""
        return replace(self, asked_s=now_s, doubt_s=None, waiting=None)

    def passed_over(self, seen_s: float) -> Self:
        """Wait for pictures newer than those from ``seen_s``, which were no use."""
        return replace(self, asked_s=max(self.asked_s, seen_s))

    def doubted(self, now_s: float) -> Self:
        """Note that a look can't be taken, since now or since earlier."""
        return self if self.doubt_s is not None else replace(self, doubt_s=now_s)

    def out_of_patience(self, now_s: float, patience_s: float) -> bool:
        """Return whether a look has been impossible for so long that it is taken as it is."""
        return self.doubt_s is not None and now_s - self.doubt_s >= patience_s
