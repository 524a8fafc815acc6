"""What the desk's pages show of a hall: tiles, what needs somebody, and each table as its own page has it. Pure."""

from __future__ import annotations

from collections.abc import Container, Mapping
from urllib.parse import urlsplit

from referee.addons.hall.desk.hall import DeskNeed, HeardHall
from referee.addons.hall.desk.seen import HeardTable
from referee.addons.hall.messages import About, HallClock, HallDispute, HallRuling, Said
from referee.addons.hall.spoken import spoken
from referee.addons.hall.topics import Leaf
from referee.match.state import EntryStatus
from referee.view.room import Room, room_view

View = dict[str, object]

MOST_LINE = 30
"""Rulings that are shown of a game, the newest."""
_COUNTING = frozenset({EntryStatus.OPEN, EntryStatus.STANDS, EntryStatus.ACCEPTED, EntryStatus.FOUND_LATE})
_NO_PAGE: View = {
    "board": None,
    "kit": {"pieces": []},
    "seats": [],
    "players": {},
    "palette": {},
    "acts": [],
    "acts_by": None,
}


def hall_view(
    hall: HeardHall, now_ms: int, language: str, trusting: Container[str], broker: str, flooding: Container[str]
) -> View:
    """Return the hall as the desk's page shows it. broker: why it can't be reached, empty where it can.

    Each table is a member of its own (``t:ID``), so that a change of one is all that is told of it.
    """
    needs, alike = hall.needs(now_ms), hall.alike()
    told: View = {
        "language": language,
        "order": hall.order(needs),
        "needs": [_need(hall.tables[need.table], need, language) for need in needs],
        "broker": broker,
        "full": hall.full,
    }
    for table in hall.tables.values():
        mine = [need for need in needs if need.table == table.id]
        told[f"t:{table.id}"] = tile(table, mine, now_ms, language) | {
            "alike": table.id in alike,
            "trusts": table.id in trusting,
            "floods": table.id in flooding,
        }
    return told


def tile(table: HeardTable, needs: list[DeskNeed], now_ms: int, language: str) -> View:
    """Return what a table's tile shows."""
    state, health = table.state, table.health
    told: View = {
        "id": table.id,
        "name": table.name,
        "online": table.online,
        "silent": table.silent(now_ms),
        "page": page_of(table),
        "needs": [need.what for need in needs],
        "missing": table.game.missing(),
        "problem": health is not None and health.problem,
        "cameras": [{"name": camera.name, "ok": camera.ok} for camera in (health.cameras if health else ())],
        "game": None,
    }
    if state is None:
        return told
    return told | {
        "game": state.game.id,
        "title": state.game.title,
        "recorded": state.game.recorded,
        "event": state.event,
        "turn": state.turn,
        "to_move": state.to_move,
        "players": [{"colour": colour, "name": name.text(language)} for colour, name in state.players.items()],
        "tone": state.banner.tone,
        "headline": state.banner.headline.text(language),
        "waits": state.waits.text(language) if state.waits is not None else "",
        "result": state.result.words.text(language) if state.result is not None else "",
        "clock": clock_view(table.clock, language),
    }


def table_view_of(table: HeardTable, needs: list[DeskNeed], now_ms: int, language: str) -> View:
    """Return everything that the arbiter sees of one table."""
    state, health = table.state, table.health
    told = tile(table, needs, now_ms, language) | {"needs": [_need(table, need, language) for need in needs]}
    if state is None:
        return told
    return told | {
        "head": state.head,
        "shown": page_view(table, language),
        "actions": list(state.actions),
        "disputes": [_dispute(one) | {"counts": _counts(table, one.entry)} for one in state.disputes],
        "ruling": None
        if table.ruling is None
        else _ruling(table.ruling, language) | {"counts": _counts(table, table.ruling.entry)},
        "line": [_ruling(ruling, language) for ruling in table.game.line()[-MOST_LINE:]],
        "health": None
        if health is None
        else {
            "disk_free_bytes": health.disk_free_bytes,
            "keeping": health.keeping,
            "journal": health.journal,
            "undelivered": health.undelivered,
            "version": health.version,
            "cameras": [
                {
                    "name": one.name,
                    "ok": one.ok,
                    "words": one.words.text(language),
                    "age_s": one.age_s,
                    "markers": one.markers,
                    "sharpness": one.sharpness,
                }
                for one in health.cameras
            ],
            "notices": [notice.text(language) for notice in health.notices],
            "reliability": [line.text(language) for line in health.reliability],
        },
    }


def page_view(table: HeardTable, language: str) -> View:
    """Return a table as its own page has it, as far as a hall is told: what draws it, and what the referee says."""
    state = table.state
    if state is None:
        return dict(_NO_PAGE)
    drawn = spoken(state.view, language)
    banner = state.banner
    return {
        **_NO_PAGE,
        "legend": [],
        "winners": [],
        "account": None,
        "violation": None,
        **(drawn if isinstance(drawn, dict) else {}),
        "language": language,
        "game": state.game.name,
        "title": state.game.title,
        "recorded": state.game.recorded,
        "phase": {"id": state.phase.id, "words": state.phase.words.text(language)},
        "turn": state.turn,
        "to_move": state.to_move,
        "banner": {
            "tone": banner.tone,
            "headline": banner.headline.text(language),
            "detail": banner.detail.text(language),
            "advice": banner.advice.text(language),
            "rules": list(banner.rules),
            "fields": list(banner.fields),
        },
        "finished": state.result is not None,
        "ended": "",
        "result": None if state.result is None else {"words": state.result.words.text(language)},
        "cameras": [],
        "clock": clock_view(table.clock, language),
    }


def room_view_of(table: HeardTable, language: str) -> View:
    """Return a table as everybody may see it: what the players have switched off is left out."""
    state = table.state
    if state is None:
        return {"language": language, "title": "", **room_view({}, Room(shown=False), language)}
    switches = state.room
    room = Room(switches.shown, switches.names, False, switches.breaches)
    view = page_view(table, language)
    if not switches.names:
        view |= _nameless(view, state.phase.words, language)
    return room_view(view, room, language)


def clock_view(clock: HallClock | None, language: str) -> View | None:
    """Return the game clock as the page has it, ``None`` for none."""
    if clock is None:
        return None
    return {
        "words": clock.words.text(language),
        "left_ms": dict(clock.left_ms),
        "turn_left_ms": clock.turn_left_ms if clock.turn_left_ms >= 0 else None,
        "player": clock.player,
        "running": clock.running,
        "since_ms": clock.since,
        "fallen": clock.fallen,
        "aside": clock.aside,
        "stands": clock.stands.text(language),
    }


def page_of(table: HeardTable) -> str:
    """Return the address of a table's own page, empty for none that a browser should open."""
    about = table.newest.get(Leaf.ABOUT)
    if not isinstance(about, About):
        return ""
    try:
        parts = urlsplit(about.page)
    except ValueError:
        return ""
    return about.page if parts.scheme in ("http", "https") and parts.hostname else ""


def _nameless(view: Mapping[str, object], phase: Said, language: str) -> View:
    """Return what takes the place of all that may hold a name: of players only their colours are told."""
    players, seats, palette = view["players"], view["seats"], view["palette"]
    banner = view["banner"]
    tone = banner["tone"] if isinstance(banner, dict) else "busy"

    def called(colour: object) -> object:
        paint = palette.get(colour) if isinstance(palette, dict) else None
        return paint.get("name", colour) if isinstance(paint, dict) else colour

    return {
        "players": {
            colour: player | {"name": called(colour)}
            for colour, player in (players.items() if isinstance(players, dict) else ())
            if isinstance(player, dict)
        },
        "seats": [
            seat | {"name": called(seat.get("colour"))}
            for seat in (seats if isinstance(seats, list) else [])
            if isinstance(seat, dict)
        ],
        "banner": {
            "tone": tone,
            "headline": phase.text(language),
            "detail": "",
            "advice": "",
            "rules": [],
            "fields": [],
        },
        "violation": None,
        "account": None,
        "result": None,
    }


def _need(table: HeardTable, need: DeskNeed, language: str) -> View:
    disputes = table.state.disputes if table.state is not None and need.dispute else ()
    dispute = next((one for one in disputes if one.dispute == need.dispute), None)
    return {
        "table": need.table,
        "what": need.what,
        "words": need.words.text(language),
        "by": dispute.by if dispute is not None else "",
        "said": dispute.words if dispute is not None else "",
        "since": need.since,
        "event": need.event,
        "entry": need.entry,
        "turn": need.turn,
        "dispute": need.dispute,
    }


def _dispute(dispute: HallDispute) -> View:
    return dispute.model_dump(mode="json")


def _counts(table: HeardTable, entry: int) -> bool:
    """Return whether an entry can be set aside: what is undone or was replaced can't, as far as that was heard."""
    known = any(one.entry == entry for one in table.game.rulings.values())
    return not known or any(one.entry == entry and one.fate in _COUNTING for one in table.game.line())


def _ruling(ruling: HallRuling, language: str) -> View:
    return {
        "event": ruling.event,
        "entry": ruling.entry,
        "turn": ruling.turn,
        "player": ruling.player,
        "verdict": ruling.verdict,
        "words": ruling.words.text(language),
        "fate": ruling.fate,
        "by_hand": ruling.by_hand,
        "text": ruling.text,
        "violations": [
            {"rule": one.rule, "words": one.words.text(language), "fields": list(one.fields)}
            for one in ruling.violations
        ],
    }
