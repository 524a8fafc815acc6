"""Showing a recording: look after look, at a pace a person can follow."""

from __future__ import annotations

from collections.abc import Callable

from referee.daemon import Referee
from referee.demo.recording import Recording
from referee.table import Phase

ENDED = "The recording has ended."

READING_SHARE = 0.3
"""Part of the pace for which "reading the board" stands at least, so that a person sees it come and go."""
DWELL = {Phase.VIOLATION: 1.8, Phase.UNSURE: 1.5, Phase.BLIND: 1.5}
"""How many paces an outcome stays that takes longer to read than "legal"."""


def show(
    referee: Referee,
    recording: Recording,
    pace_s: float,
    pause: Callable[[float], bool],
    tell: Callable[[str], None] = lambda words: None,
) -> bool:
    """Referee the looks that the referee has not seen yet. ``pause`` waits and answers whether to stop.

    Returns whether the recording was shown to its end.
    """
    while (number := _next_look(referee)) <= len(recording.looks):
        if referee.state.phase is Phase.FINISHED:
            break
        look = recording.looks[number - 1]
        referee.open_look(look.setup)
        if pause(pace_s * READING_SHARE):
            return False
        referee.take_look(look.load())
        tell(_told(referee, number))
        if pause(pace_s * DWELL.get(referee.state.phase, 1.0)):
            return False
    referee.end(ENDED)
    return True


def _next_look(referee: Referee) -> int:
    return referee.state.look + (0 if referee.state.awaiting else 1)


def _told(referee: Referee, number: int) -> str:
    said = referee.banner.to_json()
    rules = f" [{', '.join(referee.banner.rules)}]" if referee.banner.rules else ""
    return f"look {number}: {said['headline']}. {said['detail']}{rules}"
