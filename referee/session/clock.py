"""The game clock at the table: it tells the record's clock how much time has passed, and when to write that down.

Nothing counts here that is not in the journal. After a restart a clock goes on from where it was written down last,
which is never long ago, so nobody loses time to a power cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.match.clock import Clock
from referee.match.events import ClockMoved
from referee.match.phases import Phase
from referee.match.state import TableState

NOTED_MS = 20_000
"""Interval at which a running clock is written down: a power cut can give back no more than this."""
LOW_MS = 10_000
"""Time left at which the clock is written down once more."""


@dataclass(frozen=True, slots=True)
class GameClock:
    """Knows since when the clock runs, in seconds of a monotonic clock, ``None`` while it stands.

    since_ms: the same as Unix time for whoever shows the clock, 0 while it stands.
    """

    wall: Callable[[], float] = time.time
    since_s: float | None = None
    since_ms: int = 0

    def due(self, state: TableState, now_s: float, held: bool) -> tuple[ClockMoved | None, GameClock]:
        """Return the event to write down now, ``None`` for nothing, and the clock then.

        held: something stops the clock that the record does not know of. The event must be written and shown before
        that clock is asked.
        """
        clock, since = state.clock, self
        if clock is None:
            return None, self
        if not clock.running:
            since = replace(self, since_s=None)
        elif self.since_s is None:  # the game was taken up after a restart
            since = self._begun(now_s)
        gone_ms = 0 if since.since_s is None else max(0, int((now_s - since.since_s) * 1000))
        now = clock.passed(gone_ms)
        position = state.position
        if state.phase is not Phase.FINISHED:
            now = now.turned(position.turn, position.to_move.word)
        now = now.going(_goes(state) and not held)
        if not _told(clock, now, gone_ms):
            return None, since
        return ClockMoved(now), self._begun(now_s) if now.running else GameClock(self.wall)

    def _begun(self, now_s: float) -> GameClock:
        return replace(self, since_s=now_s, since_ms=int(self.wall() * 1000))


def _goes(state: TableState) -> bool:
    """Return whether time passes: a turn is under way, a button was pressed once, and nothing is disputed."""
    begun = any(entry.ruled is not None for entry in state.history)
    return state.phase is Phase.PLAYING and begun and all(dispute.outcome for dispute in state.disputes)


def _told(clock: Clock, now: Clock, gone_ms: int) -> bool:
    """Return whether the change of the clock is worth an event."""
    if (clock.running, clock.fallen) != (now.running, now.fallen):
        return True
    if (clock.turn, clock.player) != (now.turn, now.player):
        return bool(clock.player) or now.running
    if not now.running:
        return False
    before, after = clock.falls_in_ms, now.falls_in_ms
    low = before is not None and after is not None and after <= LOW_MS < before
    return gone_ms >= NOTED_MS or low
