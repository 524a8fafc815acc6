"""A disputed turn as one HTML file that needs nothing else: made to be read by two who disagree and one who decides.

Whatever people or files said is escaped; the page's own policy forbids scripts and anything from elsewhere.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape

from referee.archive.boarddrawing import CHANGED, DOUBTED, SIGNS, WRONG, board_svg, style
from referee.archive.dispute import DisputedTurn, FieldRead, fields_read
from referee.archive.disputestyle import DARK, SHEET
from referee.archive.disputewords import (
    ACTS,
    BY_HAND,
    CAPTURED,
    DISPUTE_OPEN,
    FATES,
    FRAMES,
    NOT_ANEW,
    NOT_KEPT,
    NOTHING_CHANGED,
    OUTCOMES,
    PICTURES,
    THE_RULE,
    VERDICTS,
    WHAT_WAS_READ,
    WHATS,
    WHY_ILLEGAL,
    WHY_NONE,
)
from referee.games.contract import Act, RuleId, Ruling, Violation
from referee.match.events import TurnRuled
from referee.match.state import Entry
from referee.values.board import Board
from referee.values.words import Words, player_name, say, say_n

Picture = tuple[str, bytes]
"""Media type, such as image/jpeg, and content."""


def dispute_page(turn: DisputedTurn, picture: Callable[[str], Picture | None], language: str = "en") -> str:
    """The whole page. picture: what a picture's name stands for, ``None`` where it is no longer kept."""
    t = _translator(language)
    light, dark = style(turn.game.kit)
    title = t(say("Turn {turn} of a game of {game}", turn=turn.turn, game=turn.game.title))
    names = ", ".join(f"{t(Words(word.capitalize()))}: {escape(name)}" for word, name in turn.players.items())
    head = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<style>{SHEET}{light}@media screen and (prefers-color-scheme:dark){{{DARK}{dark}}}</style></head>"
        "<body><main>"
    )
    begun = t(say("Begun {at} (UTC)", at=_time(turn.begun_at)))
    parts = [head, f"<h1>{title}</h1><p class=soft>{begun}{'. ' + names if names else ''}</p>"]
    parts += [_entry(turn, number, entry, picture, t) for number, entry in enumerate(turn.looks, 1)]
    parts.append(_decided(turn, t))
    head_told = t(say("Hash of its newest event: {head}", head=turn.head))
    parts.append(f"<footer><p>{t(NOT_ANEW)} {head_told}</p></footer></main></body></html>\n")
    return "".join(parts)


def _translator(language: str) -> Callable[[Words], str]:
    """Sentences in a language, escaped."""
    return lambda words: escape(words.text(language))


T = Callable[[Words], str]


def _entry(turn: DisputedTurn, number: int, entry: Entry, picture: Callable[[str], Picture | None], t: T) -> str:
    """One ruling on the turn: verdict, boards, what was read, why, the pictures."""
    ruled = entry.ruled
    who = turn.players.get(entry.player.word) or player_name(entry.player)
    told = VERDICTS[ruled.verdict] if ruled is not None else WHATS[entry.what]
    fate = t(FATES[entry.fate]) + (f" ({escape(entry.by)})" if entry.by else "")
    word = ruled.verdict.value if ruled is not None else "unsure"
    count = t(say("Ruling {n} of {all}", n=number, all=len(turn.looks))) if len(turn.looks) > 1 else ""
    title = t(say("The turn of {who}: {told}", who=who, told=told))
    parts = [f'<section class="{word}"><p class=soft>{count}</p><h2>{title}</h2><p class=fate>{fate}</p>']
    if ruled is None:
        return "".join(parts) + "</section>"
    if ruled.ruling is not None and ruled.ruling.violations:
        parts.append(_rules(turn, entry, ruled.ruling.violations, t))
    read = fields_read(entry.before, ruled, entry.reading)
    parts.append(_boards(turn, entry, ruled, read, t))
    parts += [_explained(turn, entry, ruled, t), _sureness(entry, ruled, read, t), _pictures(entry, picture, t)]
    return "".join(parts) + "</section>"


def _rules(turn: DisputedTurn, entry: Entry, violations: tuple[Violation, ...], t: T) -> str:
    items = [f"<li><strong>{t(one.words)}</strong><br>{_cited(turn, entry, one.rule)}</li>" for one in violations]
    return f"<h3>{t(THE_RULE)}</h3><ul class=rules>{''.join(items)}</ul>"


def _cited(turn: DisputedTurn, entry: Entry, rule: RuleId) -> str:
    """Where a rule is written, and the id it has for good."""
    cited = turn.game.citation(entry.before, rule)
    place = f"<cite>{escape(cited.sheet)}, {escape(cited.paragraph)}</cite> " if cited.paragraph else ""
    return f"{place}<code>{escape(rule)}</code>"


def _boards(turn: DisputedTurn, entry: Entry, ruled: TurnRuled, read: tuple[FieldRead, ...], t: T) -> str:
    like, kit = entry.before.observed, turn.game.kit
    before, after = t(say("Before")), t(say("After"))
    if not isinstance(like, Board):
        boards = [f"<figure><figcaption>{name}</figcaption><pre>{escape(text)}</pre></figure>"
                  for name, text in ((before, like.text), (after, ruled.observed))]  # fmt: skip
        return f"<div class=pair>{''.join(boards)}</div>"
    ruling = ruled.ruling
    changed = {one.name: CHANGED for one in read}
    doubts = {place.name: DOUBTED for place in ruled.doubts}
    wrong = {place.name: WRONG for one in (ruling.violations if ruling else ()) for place in one.fields}
    now = changed | doubts | wrong
    keys = "".join(
        f'<span><span class="key k{frame}">{SIGNS.get(frame, "")}</span> {t(words)}</span>'
        for frame, words in FRAMES.items()
        if frame in {*changed.values(), *now.values()}
    )
    drawn = [
        f"<figure><figcaption>{name}</figcaption>{board_svg(text, like, kit, frames, name)}</figure>"
        for name, text, frames in ((before, like.text, changed), (after, ruled.observed, now))
    ]
    pieces = "; ".join(f"{escape(piece.letter)} = {t(piece.name)}" for piece in kit.pieces)
    legend = t(say("The number on a field is the height of its stack."))
    return f"<div class=pair>{''.join(drawn)}</div><p class=keys>{keys}</p><p class=soft>{legend} {pieces}</p>"


def _explained(turn: DisputedTurn, entry: Entry, ruled: TurnRuled, t: T) -> str:
    """The turn act by act, or why there is no explanation."""
    ruling = ruled.ruling
    if ruling is None:
        fields = tuple(ruled.doubts)
        told = (
            say("The pictures allow several boards that differ in the ruling. Look at {at}.", at=fields)
            if fields
            else say("The pictures do not tell what happened, so the referee rules nothing.")
        )
        return f"<h3>{t(WHY_NONE)}</h3><p>{t(told)}</p>"
    parts = []
    if ruling.acts:
        heading = say("The turn, act by act") if ruling.legal else say("The turn that comes nearest, act by act")
        parts.append(f"<h3>{t(heading)}</h3><ol>{''.join(_act(act, t) for act in ruling.acts)}</ol>")
    if not ruling.legal:
        parts.append(_no_explanation(turn, entry, ruling, t))
    parts += [f"<p>{t(one.words)}</p>" for one in ruled.assumed]
    if ruled.late is not None:
        parts.append(f"<p>{t(ruled.late.words)}</p>")
    return "".join(parts)


def _no_explanation(turn: DisputedTurn, entry: Entry, ruling: Ruling, t: T) -> str:
    why = say("No sequence of acts leads from the board before to the board after without breaking a rule.")
    if not ruling.complete:
        why = say("The search was cut short: the rules named here are broken for certain, others may be.")
    parts = [f"<h3>{t(WHY_ILLEGAL)}</h3><p>{t(why)}</p>"]
    others = [rules for rules in ruling.alternatives if set(rules) != {one.rule for one in ruling.violations}]
    if others:
        items = "".join(f"<li>{'; '.join(_cited(turn, entry, rule) for rule in rules)}</li>" for rules in others)
        told = say("The board could just as well come from a turn that breaks these instead:")
        parts.append(f"<p>{t(told)}</p><ul>{items}</ul>")
    return "".join(parts)


def _act(act: Act, t: T) -> str:
    kind = t(ACTS[act.kind]) if act.kind in ACTS else escape(act.kind)
    path = " → ".join(place.name for place in act.fields)
    hits = f", {t(CAPTURED)}: {', '.join(place.name for place in act.captures)}" if act.captures else ""
    notation = f" <code>{escape(act.text)}</code>" if act.text else ""
    return f"<li>{kind}{': ' if path else ''}{path}{hits}{notation}</li>"


def _sureness(entry: Entry, ruled: TurnRuled, read: tuple[FieldRead, ...], t: T) -> str:
    """What was read on the fields that changed, and how surely; by hand where people said it."""
    heading = f"<h3>{t(WHAT_WAS_READ)}</h3>"
    if entry.by_hand or entry.reading is None:
        return f"{heading}<p>{t(BY_HAND)}</p>"
    if not isinstance(entry.before.observed, Board):
        return ""
    if not read:
        return f"{heading}<p>{t(NOTHING_CHANGED)}</p>"
    rows = "".join(
        f"<tr><th scope=row>{one.name}</th><td>{one.before}</td><td>{one.after}</td>"
        f"<td>{_percent(one.sure)}</td></tr>"
        for one in read
    )
    columns = (say("field"), say("before"), say("after"), say("sure"))
    head = "".join(f"<th scope=col>{t(column)}</th>" for column in columns)
    least = min((p for row in entry.reading.confidence for p in row), default=None)
    more = t(say("Of the whole board, the least sure field: {share}", share=_percent(least)))
    told = t(say_n("{n} field changed.", "{n} fields changed.", len(read)))
    return f"{heading}<p>{told} {more}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _percent(sure: float | None) -> str:
    """A probability so that nothing below 100 % looks like it."""
    if sure is None:
        return "–"
    return "100 %" if sure >= 1 else "> 99.9 %" if sure > 0.999 else f"{sure * 100:.1f} %"


def _pictures(entry: Entry, picture: Callable[[str], Picture | None], t: T) -> str:
    if entry.reading is None or not entry.reading.pictures:
        return ""
    figures = []
    for camera, content in entry.reading.pictures:
        found = picture(content)
        if found is None:
            figures.append(f"<figure><figcaption>{escape(camera)}: {t(NOT_KEPT)}</figcaption></figure>")
            continue
        data = base64.b64encode(found[1]).decode()
        caption = f"{escape(camera)} <small>{escape(content[:16])}…</small>"
        image = f'<img alt="{escape(camera)}" src="data:{escape(found[0])};base64,{data}">'
        figures.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    return f"<h3>{t(PICTURES)}</h3><div class=pair>{''.join(figures)}</div>"


def _decided(turn: DisputedTurn, t: T) -> str:
    """Who decided what and when, event by event."""
    rows = []
    for one in turn.happened:
        by = escape(one.by) if one.by else t(say("the referee"))
        said = f"<br>“{escape(one.said)}”" if one.said else ""
        cells = (str(one.number), _time(one.at, turn.begun_at), t(one.words) + said, by)
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    columns = (say("event"), say("time (UTC)"), say("what"), say("who"))
    head = "".join(f"<th scope=col>{t(column)}</th>" for column in columns)
    settled = "".join(
        f"<p>{escape(one.by)}: {t(OUTCOMES[one.outcome]) if one.outcome else t(DISPUTE_OPEN)}</p>"
        for one in turn.disputes
    )
    heading = t(say("Who decided what, and when"))
    return (
        f"<section><h2>{heading}</h2>{settled}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


def _time(at: str, begun_at: str = "") -> str:
    """A time as people read it: to the second, its day only where that is not the day the game began."""
    return escape(at[11:19] if at[:10] == begun_at[:10] else at[:19].replace("T", " "))
