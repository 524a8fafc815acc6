"""The game clock as the page shows it."""

from __future__ import annotations

from referee.match.clock import TimeControl
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.words import Words, say
from referee.view.banner import ViewState


def clock_view(state: TableState, live: Live, language: str) -> ViewState | None:
    """Return the view of the clock; ``None`` where none is used.

    since_ms: Unix time since when it runs, 0 while it stands; what is left is as it was then.
    """
    clock = state.clock
    if clock is None:
        return None
    limit = clock.control.turn_s
    why = _why_it_stands(state)
    return {
        "control": clock.control.to_json(),
        "words": " ".join(words.text(language) for words in control_words(clock.control)),
        "left_ms": dict(clock.left_ms),
        "turn_left_ms": max(0, limit * 1000 - clock.used_ms) if limit and clock.player else None,
        "player": clock.player,
        "running": clock.running,
        "since_ms": live.clock_since_ms if clock.running else 0,
        "fallen": clock.fallen,
        "aside": clock.aside,
        "stands": why.text(language) if why is not None else "",
    }


def control_words(control: TimeControl) -> tuple[Words, ...]:
    """Return how much time there is, for people."""
    told = []
    if control.total_s:
        told.append(say("{time} for each player.", time=_time(control.total_s)))
    if control.turn_s:
        told.append(say("{time} for each turn.", time=_time(control.turn_s)))
    if control.increment_s:
        told.append(say("{time} are added after each turn.", time=_time(control.increment_s)))
    if control.delay_s:
        told.append(say("The first {time} of each turn cost nothing (Bronstein).", time=_time(control.delay_s)))
    return tuple(told)


def _time(seconds: int) -> str:
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _why_it_stands(state: TableState) -> Words | None:
    """Return why no time passes; ``None`` while it does, and where the page says so anyway."""
    clock = state.clock
    if clock is None or clock.running or clock.aside or state.phase is Phase.FINISHED:
        return None
    if clock.fallen:
        return None
    if not clock.player:
        return say("The clock starts when the first turn is ended.")
    if any(dispute.outcome is None for dispute in state.disputes):
        return say("The clock stands: a dispute is open.")
    if state.phase is Phase.PLAYING:
        return say("The clock stands: the referee can’t see or write.")
    return say("The clock stands while the referee rules.")
