"""A disputed turn as one HTML file that needs nothing else: made to be read by two who disagree and one who decides.

Whatever people or files said is escaped; the page's own policy forbids scripts and anything from elsewhere.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from html import escape

from referee.archive.boarddrawing import board_svg, style
from referee.archive.dispute import DisputedTurn, FieldRead, fields_read
from referee.archive.disputestyle import DARK, SHEET
from referee.games.contract import Act, Ruling, Violation
from referee.match.events import Resolution, TurnRuled, Verdict
from referee.match.state import Entry, EntryStatus, What
from referee.values.board import Board
from referee.values.words import Words, player_name, say, say_n

Picture = tuple[str, bytes]
"""Media type, such as image/jpeg, and content."""

_VERDICTS: Mapping[Verdict, Words] = {
    Verdict.LEGAL: say("legal"),
    Verdict.ILLEGAL: say("not legal"),
    Verdict.UNSURE: say("can’t tell"),
}
_FATES: Mapping[EntryStatus, Words] = {
    EntryStatus.OPEN: say("not decided yet"),
    EntryStatus.STANDS: say("the turn stands"),
    EntryStatus.ACCEPTED: say("accepted by agreement"),
    EntryStatus.TAKEN_BACK: say("taken back"),
    EntryStatus.REPLACED: say("looked at again"),
    EntryStatus.WITHDRAWN: say("withdrawn: read wrongly"),
    EntryStatus.UNDONE: say("undone"),
}
_WHATS: Mapping[What, Words] = {
    What.TURN: say("turn"),
    What.CORRECTION: say("position corrected by hand"),
    What.PASSED: say("passed over"),
    What.RESIGNED: say("gave up"),
    What.ENDED: say("game ended by agreement"),
}
_OUTCOMES: Mapping[Resolution, Words] = {
    Resolution.STANDS: say("the ruling stands"),
    Resolution.CHANGED: say("the turn was changed"),
    Resolution.WITHDRAWN: say("the dispute was withdrawn"),
}
_ACTS: Mapping[str, Words] = {
    "take": say("taken"),
    "build": say("built"),
    "move": say("moved"),
    "enter": say("came back"),
}


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
    parts.append(
        f"<footer><p>{t(say('The referee does not judge anew here: this is what the journal holds.'))} "
        f"{t(say('Hash of its newest event: {head}', head=turn.head))}</p></footer></main></body></html>\n"
    )
    return "".join(parts)


def _translator(language: str) -> Callable[[Words], str]:
    """Sentences in a language, escaped."""
    return lambda words: escape(words.text(language))


T = Callable[[Words], str]


def _entry(turn: DisputedTurn, number: int, entry: Entry, picture: Callable[[str], Picture | None], t: T) -> str:
    """One ruling on the turn: verdict, boards, what was read, why, the pictures."""
    ruled = entry.ruled
    who = turn.players.get(entry.player.word) or player_name(entry.player)
    verdict = t(_VERDICTS[ruled.verdict] if ruled is not None else _WHATS[entry.what])
    fate = t(_FATES[entry.fate]) + (f" ({escape(entry.by)})" if entry.by else "")
    word = ruled.verdict.value if ruled is not None else "unsure"
    count = t(say("Ruling {n} of {all}", n=number, all=len(turn.looks))) if len(turn.looks) > 1 else ""
    parts = [
        f'<section class="{word}"><p class=soft>{count}</p><h2>{t(say("{who}: {told}", who=who, told=verdict))}</h2>'
        f"<p class=fate>{fate}</p>"
    ]
    if ruled is None:
        return "".join(parts) + "</section>"
    if ruled.ruling is not None and ruled.ruling.violations:
        parts.append(_rules(turn, entry, ruled.ruling.violations, t))
    read = fields_read(entry.before, ruled, entry.reading)
    parts.append(_boards(turn, entry, ruled, read, t))
    parts += [_explained(ruled, t), _sureness(entry, ruled, read, t), _pictures(entry, picture, t)]
    return "".join(parts) + "</section>"


def _rules(turn: DisputedTurn, entry: Entry, violations: tuple[Violation, ...], t: T) -> str:
    items = []
    for violation in violations:
        cited = turn.game.citation(entry.before, violation.rule)
        place = ", ".join(part for part in (cited.sheet, cited.paragraph) if part) if cited.paragraph else ""
        items.append(
            f"<li><strong>{t(violation.words)}</strong><br><cite>{escape(place)}</cite> "
            f"<code>{escape(violation.rule)}</code></li>"
        )
    return f"<h3>{t(say('The rule'))}</h3><ul class=rules>{''.join(items)}</ul>"


def _boards(turn: DisputedTurn, entry: Entry, ruled: TurnRuled, read: tuple[FieldRead, ...], t: T) -> str:
    like, kit = entry.before.observed, turn.game.kit
    before, after = t(say("Before")), t(say("After"))
    if not isinstance(like, Board):
        boards = [f"<figure><figcaption>{name}</figcaption><pre>{escape(text)}</pre></figure>"
                  for name, text in ((before, like.text), (after, ruled.observed))]  # fmt: skip
        return f"<div class=pair>{''.join(boards)}</div>"
    ruling = ruled.ruling
    wrong = {place.name for one in (ruling.violations if ruling else ()) for place in one.fields}
    changed = {one.name for one in read}
    doubts = {place.name for place in ruled.doubts}
    key = [f'<span class="key kc"></span> {t(say("changed"))}'] if changed | doubts else []
    key += [f'<span class="key kw">!</span> {t(say("here the rule was broken"))}'] if wrong else []
    drawn = [
        f"<figure><figcaption>{name}</figcaption>{board_svg(text, like, kit, changed | doubts, marks, name)}</figure>"
        for name, text, marks in ((before, like.text, set()), (after, ruled.observed, wrong))
    ]
    pieces = "; ".join(f"{escape(piece.letter)} = {t(piece.name)}" for piece in kit.pieces)
    legend = t(say("The number on a field is the height of its stack."))
    return f"<div class=pair>{''.join(drawn)}</div><p class=soft>{' '.join(key)} {legend} {pieces}</p>"


def _explained(ruled: TurnRuled, t: T) -> str:
    """The turn act by act, or why there is no explanation."""
    ruling = ruled.ruling
    if ruling is None:
        fields = tuple(ruled.doubts)
        told = (
            say("The pictures allow several boards that differ in the ruling. Look at {at}.", at=fields)
            if fields
            else say("The pictures do not tell what happened, so the referee rules nothing.")
        )
        return f"<h3>{t(say('Why there is no ruling'))}</h3><p>{t(told)}</p>"
    parts = []
    if ruling.acts:
        heading = say("The turn, act by act") if ruling.legal else say("The turn that comes nearest, act by act")
        parts.append(f"<h3>{t(heading)}</h3><ol>{''.join(_act(act, t) for act in ruling.acts)}</ol>")
    if not ruling.legal:
        parts.append(_no_explanation(ruling, t))
    parts += [f"<p>{t(one.words)}</p>" for one in ruled.assumed]
    if ruled.late is not None:
        parts.append(f"<p>{t(ruled.late.words)}</p>")
    return "".join(parts)


def _no_explanation(ruling: Ruling, t: T) -> str:
    why = say("No sequence of acts leads from the board before to the board after without breaking a rule.")
    if not ruling.complete:
        why = say("The search was cut short: the rules named here are broken for certain, others may be.")
    parts = [f"<h3>{t(say('Why no legal turn explains it'))}</h3><p>{t(why)}</p>"]
    others = [rules for rules in ruling.alternatives if set(rules) != {one.rule for one in ruling.violations}]
    if others:
        items = "".join(f"<li><code>{escape(', '.join(rules))}</code></li>" for rules in others)
        told = say("The board could just as well come from a turn that breaks these instead:")
        parts.append(f"<p>{t(told)}</p><ul>{items}</ul>")
    return "".join(parts)


def _act(act: Act, t: T) -> str:
    kind = t(_ACTS[act.kind]) if act.kind in _ACTS else escape(act.kind)
    path = " → ".join(place.name for place in act.fields)
    hits = f", {t(say('captured'))}: {', '.join(place.name for place in act.captures)}" if act.captures else ""
    notation = f" <code>{escape(act.text)}</code>" if act.text else ""
    return f"<li>{kind}{': ' if path else ''}{path}{hits}{notation}</li>"


def _sureness(entry: Entry, ruled: TurnRuled, read: tuple[FieldRead, ...], t: T) -> str:
    """What was read on the fields that changed, and how surely; by hand where people said it."""
    heading = f"<h3>{t(say('What was read, and how surely'))}</h3>"
    if entry.by_hand or entry.reading is None:
        return f"{heading}<p>{t(say('The board ruled on was given by the players, not read from pictures.'))}</p>"
    if not isinstance(entry.before.observed, Board):
        return ""
    if not read:
        return f"{heading}<p>{t(say('Nothing changed on the board.'))}</p>"
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
            figures.append(f"<figure><figcaption>{escape(camera)}: {t(say('no longer kept'))}</figcaption></figure>")
            continue
        data = base64.b64encode(found[1]).decode()
        caption = f"{escape(camera)} <small>{escape(content[:16])}…</small>"
        image = f'<img alt="{escape(camera)}" src="data:{escape(found[0])};base64,{data}">'
        figures.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    return f"<h3>{t(say('What the cameras saw'))}</h3><div class=pair>{''.join(figures)}</div>"


def _decided(turn: DisputedTurn, t: T) -> str:
    """Who decided what and when, event by event."""
    rows = []
    for one in turn.happened:
        by = escape(one.by) if one.by else t(say("the referee"))
        said = f"<br>“{escape(one.said)}”" if one.said else ""
        rows.append(
            f"<tr><td>{one.number}</td><td>{_time(one.at)}</td><td>{t(one.words)}{said}</td><td>{by}</td></tr>"
        )
    columns = (say("event"), say("time (UTC)"), say("what"), say("who"))
    head = "".join(f"<th scope=col>{t(column)}</th>" for column in columns)
    settled = "".join(
        f"<p>{escape(one.by)}: {t(_OUTCOMES[one.outcome]) if one.outcome else t(say('this dispute is open'))}</p>"
        for one in turn.disputes
    )
    heading = t(say("Who decided what, and when"))
    return (
        f"<section><h2>{heading}</h2>{settled}"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


def _time(at: str) -> str:
    """A time as people read it: to the second."""
    return escape(at[:19].replace("T", " "))
