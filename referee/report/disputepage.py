"""A disputed turn as a report, for two who disagree and one who decides (see ``html`` and ``pdf``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from referee.games.contract import Act, Position, RuleId, Ruling, Seat, Violation
from referee.match.events import ReadingMade, TurnRuled
from referee.match.state import Entry
from referee.report.blocks import (
    Block,
    Figure,
    Figures,
    Heading,
    Inline,
    Items,
    Keys,
    Para,
    Part,
    Picture,
    Report,
    Run,
    Said,
    Table,
    Translator,
    colon,
    quoted,
)
from referee.report.dispute import DisputedTurn, PlaceRead, places_read
from referee.report.disputewords import (
    ACTS,
    BY_HAND,
    CAPTURED,
    DISPUTE_OPEN,
    FRAMES,
    NOT_ANEW,
    NOT_KEPT,
    NOTHING_CHANGED,
    OUTCOMES,
    PICTURES,
    PICTURES_PLAIN,
    THE_RULE,
    VERDICTS,
    WHAT_WAS_READ,
    WHATS,
    WHY_ILLEGAL,
    WHY_NONE,
    fate_words,
    sureness_words,
)
from referee.report.drawing import figure_of
from referee.report.framing import CHANGED, DOUBTED, OPEN, SIGNS, WRONG, style
from referee.report.gamefile import PictureOf, media_of
from referee.report.kind import report_kind
from referee.report.nearest import NearTurn, nearest_turns
from referee.report.pieceletters import field_shown, piece_letters, standing
from referee.values.kit import Kit, PieceKind
from referee.values.words import UNBROKEN, Value, Words, decimal, player_name, say, say_n


class Draws(Protocol):
    """Draws on pictures what was read in them (referee/report/overlays.py)."""

    def drawn(
        self, before: Position, reading: ReadingMade, pictures: Mapping[str, bytes]
    ) -> tuple[dict[str, bytes], str]:
        """Return camera to a JPEG, and what was wrong where there is none."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for a turn, and how far the table is to be believed.

    picture: by content id; draws: ``None`` where the table's measures are unknown. reliability: by the table.
    """

    picture: PictureOf = lambda content: None
    draws: Draws | None = None
    reliability: tuple[Words, ...] = ()


def dispute_report(turn: DisputedTurn, evidence: Evidence) -> Report:
    """Return the whole report."""
    title = say("Turn {turn} of a game of {game}", turn=turn.turn, game=turn.game.title)
    called = [
        say("{name}: {value}", name=Words(word.capitalize()), value=name) for word, name in turn.players.items()
    ]
    names: Inline = tuple(piece for one in called for piece in (", ", one))[1:]
    begun: Inline = (say("Begun {at} (UTC)", at=_time(turn.begun_at)), *((". ", *names) if names else ()))
    blocks: list[Block] = [Heading(1, (title,)), Para(begun, "soft"), *_disputed(turn)]
    blocks += [
        Part(tuple(_entry(turn, number, entry, evidence)), _tone(entry)) for number, entry in enumerate(turn.looks, 1)
    ]
    blocks.append(Part(tuple(_decided(turn))))
    head = say("Hash of its newest event: {head}", head=turn.head)
    blocks += [Para((line,), "soft") for line in evidence.reliability]
    blocks.append(Para((NOT_ANEW, " ", head), "soft"))
    return Report(title, tuple(blocks), style(turn.game.kit))


def _disputed(turn: DisputedTurn) -> Iterator[Block]:
    """Yield who disputes the turn, with what words, and how it was settled, before all else."""
    for dispute in turn.disputes:
        told = OUTCOMES[dispute.outcome] if dispute.outcome else DISPUTE_OPEN
        yield Para((dispute.by, colon, told, *(("\n", quoted(dispute.words)) if dispute.words else ())), "fate")


def _tone(entry: Entry) -> str:
    return entry.ruled.verdict.value if entry.ruled is not None else "unsure"


def _entry(turn: DisputedTurn, number: int, entry: Entry, evidence: Evidence) -> Iterator[Block]:
    """Yield one ruling on the turn: verdict, boards, what was read, why, the pictures."""
    ruled = entry.ruled
    who = turn.players.get(entry.player.word) or player_name(entry.player)
    told = VERDICTS[ruled.verdict] if ruled is not None else WHATS[entry.what]
    if len(turn.looks) > 1:
        yield Para((say("Ruling {n} of {all}", n=number, all=len(turn.looks)),), "soft")
    yield Heading(2, (say("The turn of {who}: {told}", who=who, told=told),))
    yield Para((fate_words(entry), f" ({entry.by})" if entry.by else ""), "fate")
    if ruled is None:
        return
    for words in entry.sightless:
        yield Para((Run(words, "strong"),))
    if ruled.ruling is not None and ruled.ruling.violations:
        yield from broken_rules(turn, entry, ruled.ruling.violations)
    read = places_read(entry.before, ruled, entry.reading, turn.game.kit)
    yield from boards_of(turn, entry, ruled, read)
    yield from counted(turn, entry)
    yield from _explained(turn, entry, ruled)
    yield from _sureness(entry, read, turn.game.kit)
    yield from _pictures(entry, evidence, turn.game.kit)


def broken_rules(turn: DisputedTurn, entry: Entry, violations: tuple[Violation, ...]) -> Iterator[Block]:
    """Yield the rules that were broken: in the referee's words, and where each is written."""
    yield Heading(3, (THE_RULE,))
    yield Items(tuple((Run(one.words, "strong"), "\n", *_cited(turn, entry, one.rule)) for one in violations))


def _cited(turn: DisputedTurn, entry: Entry, rule: RuleId) -> Inline:
    """Return where a rule is written, and the id it has for good."""
    cited = turn.game.citation(entry.before, rule)
    place: Inline = (Run(f"{cited.sheet}, {cited.paragraph}", "cite"), " ") if cited.paragraph else ()
    return (*place, Run(rule, "code"))


def frames_after(entry: Entry, ruled: TurnRuled, read: tuple[PlaceRead, ...]) -> dict[str, str]:
    """Return how places are framed on the board after a turn: changed, not told, wrong, not known yet."""
    changed = {one.name: CHANGED for one in read}
    doubts = {place.name: DOUBTED for place in ruled.doubts}
    wrong = {place.name: WRONG for one in (ruled.ruling.violations if ruled.ruling else ()) for place in one.fields}
    return changed | doubts | wrong | {place.name: OPEN for place in entry.open}


def boards_of(turn: DisputedTurn, entry: Entry, ruled: TurnRuled, read: tuple[PlaceRead, ...]) -> Iterator[Block]:
    """Yield the boards before and after a turn, with what frames and letters on them mean."""
    like, kit = entry.before.observed, turn.game.kit
    changed, now = {one.name: CHANGED for one in read}, frames_after(entry, ruled, read)
    figures = [figure_of(like.text, like, kit, changed, say("Before"))]
    after = _stood_after(entry, ruled, bool(figures[0].drawing))
    if after is not None:
        figures.append(figure_of(after, like, kit, now, say("After")))
    yield Figures(tuple(figures))
    if not figures[0].drawing:
        return
    used = {*changed.values(), *now.values()}
    yield Keys(tuple((frame, SIGNS.get(frame, ""), words) for frame, words in FRAMES.items() if frame in used))
    if entry.open:
        yield Para((say("Not known yet: {fields}", fields=tuple(sorted(entry.open))),), "soft")
    kind = report_kind(kit)
    there = kind.pieces((like.text, ruled.observed), kit)
    legend: Inline = (kind.LEGEND, " ") if kind.LEGEND is not None else ()
    if legend or there:
        yield Para((*legend, lambda t: _legend(there, piece_letters(kit, t), t)), "soft")


def _stood_after(entry: Entry, ruled: TurnRuled, drawn: bool) -> str | None:
    """Return what stood there after the turn, ``None`` where it is not known: nobody looked, and no position follows.

    Of what is told in lines the position of the game tells more than cameras, which may have seen nothing.
    """
    if drawn:
        return ruled.observed
    if ruled.ruling is not None and ruled.ruling.next is not None:
        followed: str = ruled.ruling.next.observed.text
        return followed
    looked = entry.reading is not None and entry.reading.cameras
    return ruled.observed if looked else None


def _legend(pieces: Iterable[PieceKind], shown: Mapping[str, str], t: Translator) -> str:
    """Return a legend of the pieces' letters."""
    return ", ".join(f"{shown[piece.letter]} = {t(piece.name)}" for piece in pieces)


def counted(turn: DisputedTurn, entry: Entry) -> Iterator[Block]:
    """Yield a table of what the game counts for each player before the turn and, where the game went on, after it."""
    seats = turn.game.seats(entry.before)
    columns = {counter.id: counter.words for seat in seats for counter in seat.counters}
    after = {seat.colour.word: _values(seat) for seat in turn.game.seats(entry.after)} if entry.after else {}
    rows: list[tuple[Inline, ...]] = []
    for seat in seats:
        old, new = _values(seat), after.get(seat.colour.word, {})
        name = turn.players.get(seat.colour.word) or player_name(seat.colour)
        rows.append(((name,), *((_change(old.get(one), new.get(one)),) for one in columns)))
    if columns:
        yield Heading(3, (say("What is counted"),))
        yield Table((say("player"), *columns.values()), tuple(rows), row_heads=True)


def _values(seat: Seat) -> dict[str, int]:
    return {counter.id: counter.value for counter in seat.counters}


def _change(old: int | None, new: int | None) -> str:
    was = "–" if old is None else str(old)
    return was if new is None or new == old else f"{was} → {new}"


def _explained(turn: DisputedTurn, entry: Entry, ruled: TurnRuled) -> Iterator[Block]:
    """Yield the turn act by act, or why there is no explanation."""
    ruling = ruled.ruling
    if ruling is None:
        fields = tuple(ruled.doubts)
        told = (
            say("The pictures allow several boards that differ in the ruling. Look at {at}.", at=fields)
            if fields
            else say("The pictures do not tell what happened, so the referee rules nothing.")
        )
        yield Heading(3, (WHY_NONE,))
        yield Para((told,))
        return
    if ruling.acts:
        told = say("The turn, act by act") if ruling.legal else say("The turn that comes nearest, act by act")
        yield Heading(3, (told,))
        yield Items(tuple(_act(act) for act in ruling.acts), ordered=True)
    if not ruling.legal:
        yield from _no_explanation(turn, entry, ruled, ruling)
    for one in ruled.assumed:
        yield Para((one.words,))
    if ruled.late is not None:
        yield Para((ruled.late.words,))


def _no_explanation(turn: DisputedTurn, entry: Entry, ruled: TurnRuled, ruling: Ruling) -> Iterator[Block]:
    why = say("No sequence of acts leads from the board before to the board after without breaking a rule.")
    if not ruling.complete:
        why = say("The search was cut short: the rules named here are broken for certain, others may be.")
    yield Heading(3, (WHY_ILLEGAL,))
    yield Para((why,))
    others = [rules for rules in ruling.alternatives if set(rules) != {one.rule for one in ruling.violations}]
    if others:
        yield Para((say("The board could just as well come from a turn that breaks these instead:"),))
        yield Items(
            tuple(tuple(piece for rule in rules for piece in (*_cited(turn, entry, rule), " ")) for rules in others)
        )
    near = nearest_turns(turn.game, entry.before, ruled.observed, ruling.acts, turn.declared.get(entry.id, {}))
    if near:
        yield Heading(3, (say("Legal turns that come nearest, and what each of them lacks"),))
        yield Items(tuple(_lacking(one, turn.game.kit) for one in near))


def _lacking(near: NearTurn, kit: Kit) -> Inline:
    acts = " ".join(act.text for act in near.acts)

    def lacks(t: Translator) -> str:
        shown = [
            (name, field_shown(wanted, kit, t), field_shown(found, kit, t)) for name, wanted, found in near.lacks
        ]
        return " · ".join(
            t(say("{field} would be {wanted}, it is {found}", field=name, wanted=wanted, found=found))
            for name, wanted, found in shown
        )

    return (Run(acts, "code"), "\n", lacks)


def _act(act: Act) -> Inline:
    if act.kind not in ACTS and act.text:
        return (Run(act.text, "code"),)
    path = " → ".join(place.name for place in act.fields)
    parts: list[Run | Said] = [ACTS.get(act.kind, act.kind), *((colon, path) if path else ())]
    if act.captures:
        parts += [", ", CAPTURED, colon, ", ".join(place.name for place in act.captures)]
    return (*parts, " ", Run(act.text, "code")) if act.text else tuple(parts)


def _sureness(entry: Entry, read: tuple[PlaceRead, ...], kit: Kit) -> Iterator[Block]:
    """Yield what was read on the fields that changed, and how surely; or that people gave the board by hand."""
    if entry.by_hand or entry.reading is None:
        yield Heading(3, (WHAT_WAS_READ,))
        yield Para((BY_HAND,))
        return
    if not entry.reading.confidence:
        return
    yield Heading(3, (WHAT_WAS_READ,))
    if not read:
        yield Para((NOTHING_CHANGED,))
        return
    least = min((p for row in entry.reading.confidence for p in row), default=None)
    told = say_n("{n} field changed.", "{n} fields changed.", len(read))
    share, unit = percent(least)
    yield Para((told, " ", say("Of the whole board, the least sure field: {share}", share=share), unit))
    rows: tuple[tuple[Inline, ...], ...] = tuple(
        ((one.name,), (standing(one.before, kit),), (standing(one.after, kit),), percent(one.sure)) for one in read
    )
    yield Table((say("field"), say("before"), say("after"), say("sure")), rows, row_heads=True)


def percent(sure: float | None) -> tuple[Words | str, str]:
    """Return a probability in percent and its sign; nothing below 100 % is rounded up to it."""
    if sure is None:
        return "–", ""
    return "100" if sure >= 1 else "> 99" if sure > 0.999 else decimal(sure * 100), f"{UNBROKEN}%"


def _pictures(entry: Entry, evidence: Evidence, kit: Kit) -> Iterator[Block]:
    reading = entry.reading
    if reading is None or not reading.pictures:
        return
    found = {camera: (content, evidence.picture(content)) for camera, content in reading.pictures}
    kept = {camera: content for camera, (_, content) in found.items() if content is not None}
    drawn, problem = evidence.draws.drawn(entry.before, reading, kept) if evidence.draws is not None else ({}, "")
    plain = tuple(_figure(camera, *found[camera]) for camera in found)
    yield Heading(3, (PICTURES,))
    if not drawn:
        yield Figures(plain)
        if kept and evidence.draws is None:
            yield Para(
                (say("The table’s measures are not known here, so nothing is drawn on the pictures."),), "soft"
            )
        elif problem:
            yield Para((say("Nothing could be drawn on the pictures: {problem}", problem=problem),), "soft")
        return
    notes = {note.name: note for note in reading.cameras}
    yield Figures(
        tuple(
            Figure(
                (camera, *_seen(notes[camera].markers, notes[camera].reprojection_px)),
                picture=("image/jpeg", content),
            )
            for camera, content in drawn.items()
            if camera in notes
        )
    )
    yield Para((sureness_words(kit),), "soft")
    yield Figures(plain, folded=PICTURES_PLAIN)


def _seen(markers: int, reprojection_px: float | None) -> Inline:
    if reprojection_px is None:
        return ()
    off: Value = f"{reprojection_px:.2f}"
    return (colon, say_n("{n} marker, off by {px} px", "{n} markers, off by {px} px", markers, px=off))


def _figure(camera: str, content: str, found: bytes | None) -> Figure:
    if found is None:
        return Figure((camera, colon, NOT_KEPT))
    picture: Picture = (media_of(found), found)
    return Figure((camera, " ", Run(f"{content[:16]}…", "soft")), picture=picture)


def _decided(turn: DisputedTurn) -> Iterator[Block]:
    """Yield who decided what and when, event by event."""
    yield Heading(2, (say("Who decided what, and when"),))
    rows: list[tuple[Inline, ...]] = []
    for one in turn.happened:
        by: Inline = (one.by,) if one.by else (say("the referee"),)
        said: Inline = (one.words, *(("\n", quoted(one.said)) if one.said else ()))
        rows.append(((str(one.number),), (_time(one.at, turn.begun_at),), said, by))
    yield Table((say("event"), say("time (UTC)"), say("what"), say("who")), tuple(rows))


def _time(at: str, begun_at: str = "") -> str:
    """Return a time to the second, with its day only where that is not the day the game began."""
    return at[11:19] if at[:10] == begun_at[:10] else at[:19].replace("T", " ")
