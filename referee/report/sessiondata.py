"""Data of a whole game's page: JSON-able values in one language, drawings as SVG. Pure.

Two boards of a game differ in a few fields: the page holds each piece of a drawing once, and of each step which
pieces its drawing is made of. A game of thousands of turns stays a small file that way.
"""

from __future__ import annotations

import re
from collections import Counter as Counts
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from referee.match.events import Verdict
from referee.match.state import Entry
from referee.report.blocks import Translator, plain, quoted, translator
from referee.report.dispute import Occurrence
from referee.report.disputewords import VERDICTS, WHATS, fate_words
from referee.report.drawing import changed_places, drawing_of, told_text
from referee.report.framing import CHANGED, DOUBTED, OPEN, WRONG
from referee.report.kind import report_kind
from referee.report.session import GameStep, RecordedGame, captures_of
from referee.report.sessionwords import PAGE_WORDS
from referee.values.paints import paint_of
from referee.values.players import PlayerName
from referee.values.words import Words, player_name, say

Data = dict[str, Any]
PIECE = re.compile("(?=<rect)")
"""Where a drawing is cut: a field, with what is written on it, begins with its rectangle."""


def session_data(session: RecordedGame, language: str) -> Data:
    """Return everything the page shows, except pictures. Players are numbered by their place in ``players``.

    ``board`` of a step: numbers of the pieces in ``drawn`` that its drawing is made of.
    """
    game, state = session.game, session.state
    places = {seat.colour.word: place for place, seat in enumerate(game.seats(session.start))}
    t = translator(language)
    steps = [_start(session, t), *(_step(session, one, places, t) for one in session.steps)]
    drawn = dict[str, int]()
    for one in steps:
        pieces = PIECE.split(one["board"]) if one["board"] else []
        one["board"] = [drawn.setdefault(piece, len(drawn)) for piece in pieces]
    return {
        "players": [_player(word, state.players, t) for word in places],
        "steps": steps,
        "drawn": list(drawn),
        "charts": charts(session, places, t),
        "asked": [
            {"step": step, "words": t(_by(one)), "said": plain(quoted(one.said), t), "at": one.at}
            for step, one in session.asked
        ],
        "words": {key: t(words) for key, words in PAGE_WORDS.items()},
        "tiles": [[t(words), value] for words, value in tiles(session)],
    }


def _by(one: Occurrence) -> Words:
    return say("{name}: {value}", name=one.by, value=one.words) if one.by else one.words


def _player(word: str, names: Mapping[str, str], t: Translator) -> Data:
    paint = paint_of(word)
    name = names.get(word) or t(player_name(PlayerName(word)))
    return {"word": word, "name": name, "light": paint.light, "dark": paint.dark}


def _start(session: RecordedGame, t: Translator) -> Data:
    like, kit = session.start.observed, session.game.kit
    title = t(say("The beginning"))
    drawn = drawing_of(like.text, like, kit, {}, title, t)
    return {"title": title, "board": drawn, "text": "" if drawn else told_text(like.text), "at": session.begun_at}


def _step(session: RecordedGame, one: GameStep, places: Mapping[str, int], t: Translator) -> Data:
    entry, ruled = one.entry, one.entry.ruled
    like, kit = entry.before.observed, session.game.kit
    told = VERDICTS[ruled.verdict] if ruled is not None else WHATS[entry.what]
    ruling = ruled.ruling if ruled is not None else None
    title = t(say("Turn {turn}", turn=entry.turn))
    drawn = drawing_of(one.text, like, kit, _frames(session, one), title, t)
    return {
        "title": title,
        "player": places.get(entry.player.word),
        "verdict": ruled.verdict.value if ruled is not None else "",
        "said": t(told),
        "fate": t(fate_words(entry)) + (f" ({entry.by})" if entry.by else ""),
        "counts": entry.counts,
        "acts": " ".join(act.text for act in ruling.acts) if ruling is not None else "",
        "rules": [
            _rule(session, entry, v.rule, t(v.words)) for v in (ruling.violations if ruling is not None else ())
        ],
        "board": drawn,
        "text": "" if drawn else told_text(one.text),
        "open": t(say("Not known yet: {fields}", fields=tuple(sorted(entry.open)))) if entry.open else "",
        "sightless": " ".join(t(words) for words in entry.sightless),
        "took": one.took_s,
        "at": one.at,
        "pictures": [list(pair) for pair in entry.reading.pictures] if entry.reading is not None else [],
    }


def _rule(session: RecordedGame, entry: Entry, rule: Any, words: str) -> list[str]:
    cited = session.game.citation(entry.before, rule)
    return [words, f"{cited.sheet}, {cited.paragraph}" if cited.paragraph else str(rule)]


def _frames(session: RecordedGame, one: GameStep) -> dict[str, str]:
    """Return the frames of a step's drawing: fields that changed, that are unknown, where a rule was broken."""
    ruled, like = one.entry.ruled, one.entry.before.observed
    frames = {name: CHANGED for name, _, _ in changed_places(like.text, one.text, like, session.game.kit)}
    if ruled is not None:
        frames |= {place.name: DOUBTED for place in ruled.doubts}
        violations = ruled.ruling.violations if ruled.ruling is not None else ()
        frames |= {place.name: WRONG for violation in violations for place in violation.fields}
    return frames | {place.name: OPEN for place in one.entry.open}


def tiles(session: RecordedGame) -> Iterable[tuple[Words, str]]:
    """Yield the few numbers at the top of the page."""
    counting = session.counting
    verdicts = Counts(one.entry.ruled.verdict for one in session.steps if one.entry.ruled is not None)
    yield say("turns"), str(len(counting))
    yield say("time"), _long(session.begun_at, session.ended_at)
    yield say("not legal"), str(verdicts[Verdict.ILLEGAL])
    yield say("could not be told"), str(verdicts[Verdict.UNSURE])
    if captures := sum(captures_of(one) for one in counting):
        yield say("captures"), str(captures)
    if disputes := len(session.state.disputes):
        yield say("disputes"), str(disputes)


def _long(begun_at: str, ended_at: str) -> str:
    minutes = int((datetime.fromisoformat(ended_at) - datetime.fromisoformat(begun_at)).total_seconds()) // 60
    return f"{minutes // 60}:{minutes % 60:02} h" if minutes >= 60 else f"{minutes} min"


def charts(session: RecordedGame, places: Mapping[str, int], t: Translator) -> list[Data]:
    """Return the charts over the turns that count.

    A line has its player's place or, without one, a name of its own.
    """
    counting = session.counting
    if not counting:
        return []
    made = [_times(counting, places, t), *_heights(session, counting, t)]
    captured = _running(
        [[captures_of(one) if one.entry.player.word == word else 0 for one in counting] for word in places]
    )
    if any(line[-1] for line in captured):
        made.append(
            _chart(t(say("Captures")), "steps", [[place, "", line] for place, line in enumerate(captured)], "")
        )
    return made + list(_counters(session, counting, places, t))


def _chart(title: str, kind: str, lines: list[list[Any]], unit: str) -> Data:
    return {"title": title, "kind": kind, "lines": lines, "unit": unit}


def _times(counting: tuple[GameStep, ...], places: Mapping[str, int], t: Translator) -> Data:
    lines = [
        [place, "", [_rounded(one.took_s) if one.entry.player.word == word else None for one in counting]]
        for word, place in places.items()
    ]
    return _chart(t(say("Time a turn")), "bars", lines, "s")


def _rounded(took_s: float | None) -> float | None:
    return None if took_s is None else round(took_s, 1)


def _heights(session: RecordedGame, counting: tuple[GameStep, ...], t: Translator) -> Iterable[Data]:
    lines = report_kind(session.game.kit).heights([one.text for one in counting], session.start.observed)
    if lines:
        yield _chart(t(say("Heights and towers")), "steps", [[None, t(name), line] for name, line in lines], "")


def _running(lines: list[list[int]]) -> list[list[int]]:
    """Return running totals of each line."""
    found = []
    for line in lines:
        total, sums = 0, []
        for value in line:
            total += value
            sums.append(total)
        found.append(sums)
    return found


def _counters(
    session: RecordedGame, counting: tuple[GameStep, ...], places: Mapping[str, int], t: Translator
) -> Iterable[Data]:
    """Yield a chart for each of the game's counters; a counter that never changes is left out."""
    after = [session.game.seats(one.entry.after) if one.entry.after is not None else () for one in counting]
    names = {counter.id: counter.words for seats in after for seat in seats for counter in seat.counters}
    for name, words in names.items():
        lines: dict[str, list[int | None]] = {word: [] for word in places}
        for seats in after:
            now = {seat.colour.word: {c.id: c.value for c in seat.counters}.get(name) for seat in seats}
            for word, line in lines.items():
                line.append(now.get(word))
        if any(len({value for value in line if value is not None}) > 1 for line in lines.values()):
            title = t(words)
            yield _chart(
                title[:1].upper() + title[1:], "steps", [[places[word], "", line] for word, line in lines.items()], ""
            )
