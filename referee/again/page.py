"""Write an audit of a recorded game as a report: how every ruling came out, and each difference with its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.again.comparison import Cause, JudgedAgain, explained, places_between, rules_of, tally
from referee.match.events import AnyGame, ReadingMade, TurnRuled
from referee.report.blocks import (
    Block,
    Figure,
    Figures,
    Heading,
    Inline,
    Keys,
    Para,
    Part,
    Report,
    Run,
    Table,
    colon,
)
from referee.report.disputepage import Evidence, percent
from referee.report.disputewords import VERDICTS, sureness_words
from referee.report.drawing import figure_of
from referee.report.framing import CHANGED, SIGNS, style
from referee.report.kind import report_kind
from referee.report.pieceletters import standing
from referee.values.kit import Kit
from referee.values.words import Words, player_name, say

_CAUSES: dict[Cause, Words] = {
    Cause.SAME: say("the same"),
    Cause.READING: say("the reading"),
    Cause.RULE: say("the rules"),
    Cause.BOTH: say("the reading and the rules"),
    Cause.UNREAD: say("not read"),
}
_THEN, _TODAY = say("Then"), say("Today")
_READ_OTHERWISE = say("read otherwise")


def audit_report(game: AnyGame, judged: Sequence[JudgedAgain], evidence: Evidence) -> Report:
    """Return the whole report."""
    title = say("A game of {game}, audited again", game=game.title)
    told = tally(tuple(judged))
    rows = tuple(_row(one) for one in judged)
    columns = (say("turn"), say("player"), _THEN, _TODAY, say("why"))
    differing = [one for one in judged if one.cause is not Cause.SAME]
    blocks: list[Block] = [
        Heading(1, (title,)),
        Para((told.words,)),
        *(Part(tuple(_difference(game, one, evidence)), _tone(one)) for one in differing),
        Heading(2, (say("Every ruling"),)),
        Table(columns, rows, row_heads=True),
    ]
    return Report(title, tuple(blocks), style(game.kit))


def _row(one: JudgedAgain) -> tuple[Inline, ...]:
    who = player_name(one.past.entry.player)
    return (str(one.past.turn),), (who,), _word(one.past.then), _word(one.now), (_CAUSES[one.cause],)


def _tone(one: JudgedAgain) -> str:
    return one.now.verdict.value if one.now is not None else "unsure"


def _word(ruled: TurnRuled | None) -> Inline:
    if ruled is None:
        return ("–",)
    rules = ", ".join(rules_of(ruled))
    return (VERDICTS[ruled.verdict], " " if rules else "", Run(rules, "code"))


def _difference(game: AnyGame, one: JudgedAgain, evidence: Evidence) -> Iterator[Block]:
    """Yield what was ruled then and now, why they differ, both boards, and the pictures with both readings."""
    entry = one.past.entry
    yield Heading(2, (say("Turn {turn} of {who}", turn=one.past.turn, who=player_name(entry.player)),))
    yield Para((_THEN, colon, *_word(one.past.then), ". ", _TODAY, colon, *_word(one.now), "."), "fate")
    yield Para((explained(one, game.kit),))
    if one.cause in (Cause.RULE, Cause.BOTH):
        yield Para((say("What was read then, ruled on today"), colon, *_word(one.ruled), "."))
    places = places_between(one, game.kit)
    if places:
        yield from _boards(game, one, {name: CHANGED for name, _, _ in places})
        yield _sureness(one, places, game.kit)
    yield from _pictures(one, evidence, game.kit)


def _boards(game: AnyGame, one: JudgedAgain, frames: dict[str, str]) -> Iterator[Block]:
    like, now = one.past.state.position.observed, one.now.observed if one.now is not None else ""
    figures = []
    for caption, text in ((_THEN, one.past.then.observed), (_TODAY, now)):
        figures.append(figure_of(text, like, game.kit, frames, caption))
    yield Figures(tuple(figures))
    yield Keys(((CHANGED, SIGNS.get(CHANGED, ""), _READ_OTHERWISE),))


def _sureness(one: JudgedAgain, places: Sequence[tuple[str, str, str]], kit: Kit) -> Table:
    like = one.past.state.position.observed
    then, now = (
        report_kind(kit).sureness(made, like) if made is not None else {}
        for made in (one.past.state.reading, one.reading)
    )
    rows: list[tuple[Inline, ...]] = [
        ((name,), (standing(old, kit),), percent(then.get(name)), (standing(new, kit),), percent(now.get(name)))
        for name, old, new in places
    ]
    return Table((say("field"), _THEN, say("sure"), _TODAY, say("sure")), tuple(rows), row_heads=True)


def _pictures(one: JudgedAgain, evidence: Evidence, kit: Kit) -> Iterator[Block]:
    then = one.past.state.reading
    if then is None:
        return
    shown: list[Figure] = []
    for caption, reading in ((_THEN, then), (_TODAY, one.reading)):
        for camera, content in _drawn(one, reading, evidence).items():
            shown.append(Figure((camera, ", ", caption), picture=("image/jpeg", content)))
    if shown:
        yield Figures(tuple(shown))
        yield Para((sureness_words(kit),), "soft")
        return
    kept = [(camera, evidence.picture(content)) for camera, content in then.pictures]
    plain = [Figure((camera,), picture=("image/jpeg", content)) for camera, content in kept if content is not None]
    if plain:
        yield Figures(tuple(plain))


def _drawn(one: JudgedAgain, reading: ReadingMade | None, evidence: Evidence) -> dict[str, bytes]:
    if evidence.draws is None or reading is None:
        return {}
    kept = {camera: evidence.picture(content) for camera, content in reading.pictures}
    there = {camera: content for camera, content in kept.items() if content is not None}
    return evidence.draws.drawn(one.past.state.position, reading, there)[0]
