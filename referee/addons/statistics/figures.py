"""Figures over a player's games: turns, their time, captures, heights and what each game counts itself. Pure.

Everything is computed from games as their journals hold them (referee/report/session.py); no figure is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from referee.report.kind import report_kind
from referee.report.session import GameStep, RecordedGame, captures_of
from referee.values.words import Words, decimal, say

MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class GameFigures:
    """One player in one game.

    won: ``None`` while it is not over. times_s: of turns that count, as far as they are known. highest: stack that
    one of the player's turns built or climbed, or levels of the tower it left; 0 where nothing is told. counters:
    what the game counts for the player at its end, by the game's own words; empty while it is not over.
    """

    game: str
    title: str
    counted_as: Words
    won: bool | None
    turns: int
    times_s: tuple[float, ...]
    captures: int
    highest: int
    counters: tuple[tuple[Words, int], ...]


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """Several games of one kind by one player. lines: what is told of them, each with its value."""

    title: str
    lines: tuple[tuple[Words, Words | str], ...]


def figures_of(session: RecordedGame, word: str) -> GameFigures:
    """Return a player's figures in a game. word: of the player's colour."""
    own = [one for one in session.counting if one.entry.player.word == word]
    state = session.state
    winners = state.result.winners if state.result is not None else state.position.winners
    over = state.result is not None or state.position.finished
    seat = next((one for one in session.game.seats(state.position) if one.colour.word == word), None)
    counted = seat.counters if over and seat is not None else ()
    return GameFigures(
        str(state.position.to_json().get("game", session.game.title)),
        session.game.title,
        report_kind(session.game.kit).HIGHEST,
        word in [who.word for who in winners] if over else None,
        len(own),
        tuple(one.took_s for one in own if one.took_s is not None),
        sum(map(captures_of, own)),
        max((_highest(session, one) for one in own), default=0),
        tuple((counter.words, counter.value) for counter in counted),
    )


def _highest(session: RecordedGame, one: GameStep) -> int:
    like, kit = one.entry.before.observed, session.game.kit
    return report_kind(kit).highest(like.text, one.text, like, kit)


def summaries(games: Iterable[GameFigures]) -> tuple[PlayerSummary, ...]:
    """Sum up some games of one player, game by game, the most played first."""
    by_game: dict[str, list[GameFigures]] = {}
    for one in games:
        by_game.setdefault(one.game, []).append(one)
    most_first = sorted(by_game.values(), key=lambda some: (-len(some), some[0].title))
    return tuple(PlayerSummary(some[0].title, tuple(_lines(some))) for some in most_first)


def _lines(games: Sequence[GameFigures]) -> Iterable[tuple[Words, Words | str]]:
    over = [one for one in games if one.won is not None]
    yield say("games"), str(len(games))
    if over:
        yield say("won"), say("{n} of {all}", n=sum(bool(one.won) for one in over), all=len(over))
    yield say("turns"), str(sum(one.turns for one in games))
    times_s = [time for one in games for time in one.times_s]
    if times_s:
        usual, longest = told_time(median(times_s)), told_time(max(times_s))
        yield say("time a turn"), say("{usual} usually, {longest} at most", usual=usual, longest=longest)
    if captures := sum(one.captures for one in games):
        yield say("captures"), say("{n}, {mean} a game", n=captures, mean=decimal(captures / len(games)))
    if highest := max(one.highest for one in games):
        yield games[0].counted_as, str(highest)
    yield from _counted(over)


def _counted(over: Sequence[GameFigures]) -> Iterable[tuple[Words, Words]]:
    """Yield the mean and the maximum of each counter, at the end of the games that are over."""
    values: dict[Words, list[int]] = {}
    for one in over:
        for words, value in one.counters:
            values.setdefault(words, []).append(value)
    for words, some in values.items():
        if any(some):
            yield words, say("{mean} at the end, {most} at most", mean=decimal(fmean(some)), most=max(some))


def told_time(seconds: float) -> str:
    """Return a time as people write it: 38 s, 2:05 min."""
    whole = round(seconds)
    return f"{whole // MINUTE_S}:{whole % MINUTE_S:02} min" if whole >= MINUTE_S else f"{whole} s"


def summary_json(summary: PlayerSummary, language: str) -> Mapping[str, object]:
    """Return a summary in one language, for the page."""
    lines = [
        [name.text(language), value if isinstance(value, str) else value.text(language)]
        for name, value in summary.lines
    ]
    return {"title": summary.title, "lines": lines}
