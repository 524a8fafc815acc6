"""Validate a position's JSON form: check every key, and name in every message the key and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.jsonvalues import (
    MOST,
    a_list,
    a_number,
    a_text,
    a_truth,
    an_object,
    code_of,
    keys_checked,
    one_of,
    show,
)
from referee.games.terrabilis import ruleset
from referee.games.terrabilis.copy.data import GameCopy
from referee.games.terrabilis.copy.reading import parse_copy
from referee.games.terrabilis.jsonvalues import a_colour, a_player
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import LedgerLine, Loan, TerrabilisPosition
from referee.values.words import say

REQUIRED = ("game", "edition", "copy", "players", "first", "to_move")
KNOWN = (
    *REQUIRED,
    "variants",
    "options",
    "turn",
    "lap",
    "target",
    "zone",
    "lost",
    "ledger",
    "discard",
    "finished",
    "winners",
)
_LINE_KEYS = (*ruleset.ACCOUNTS, "pawn", "hand", "installed", "member", "loans", "poured", "out")


def parse_position(data: object, copy: GameCopy) -> TerrabilisPosition:
    """Validate a position's JSON form; what it leaves out has the start's values. Raises RequestError."""
    return _position(keys_checked(data, KNOWN, REQUIRED, ruleset.GAME_NAME), copy, embedded=False)


def parse_whole_position(data: object) -> TerrabilisPosition:
    """Validate a position that carries the data of its copy. Raises RequestError."""
    given = keys_checked(data, KNOWN, REQUIRED, ruleset.GAME_NAME)
    copy = given["copy"]
    if not isinstance(copy, Mapping):
        raise RequestError("copy", f"copy is {show(copy)}: give the data of the copy, an object")
    found = parse_copy(copy)
    return _position({**given, "copy": found.name}, found, embedded=True)


def _position(given: Mapping[str, object], copy: GameCopy, *, embedded: bool) -> TerrabilisPosition:
    name = a_text(given["copy"], "copy")
    if name != copy.name:
        raise RequestError("copy", f"copy is {show(name)}, but the data given is that of {show(copy.name)}")
    if len(copy.track) < 2:
        raise RequestError("copy", say("The copy’s track has no space but Start yet: enter its spaces."))
    if a_list(given.get("variants", []), "variants"):
        raise RequestError("variants", "variants: the game has none, leave the list empty")
    players = _players(given["players"])
    finished = a_truth(given.get("finished", False), "finished")
    ledger = _ledger(given.get("ledger", {}), players, copy)
    to_move = a_player(given["to_move"], players, "to_move")
    if ledger[to_move].out and not finished:
        raise RequestError("to_move", f"to_move: {to_move.word} is out, give the player whose turn it is")
    winners = a_list(given.get("winners", []), "winners")
    return TerrabilisPosition(
        edition=one_of(given["edition"], ruleset.EDITIONS, "edition"),
        options=_options(given.get("options", {})),
        copy=name,
        players=players,
        first=a_player(given["first"], players, "first"),
        to_move=to_move,
        ledger=ledger,
        data=copy,
        embedded=embedded,
        turn=a_number(given.get("turn", 1), "turn", 1),
        lap=a_number(given.get("lap", 1), "lap", 1),
        target=a_number(given.get("target", ruleset.TARGET), "target", 1),
        zone=_zone(given.get("zone", {})),
        lost=_counters(given.get("lost", {}), "lost"),
        discard=_cards(given.get("discard", []), "discard", copy),
        finished=finished,
        winners=tuple(dict.fromkeys(a_player(word, players, "winners") for word in winners)),
    )


def _players(value: object) -> tuple[Country, ...]:
    players = tuple(a_colour(word, "players") for word in a_list(value, "players"))
    if not 2 <= len(players) <= 4 or len(set(players)) != len(players):
        raise RequestError("players", "players: give two to four colours clockwise, each once")
    return players


def _options(value: object) -> Mapping[str, str]:
    given = an_object(value, "options", ruleset.OPTIONS)
    return {name: one_of(choice, ruleset.OPTIONS[name], f"options: {name}") for name, choice in given.items()}


def _counters(value: object, key: str) -> tuple[int, int]:
    given = an_object(value, key, ruleset.COUNTERS)
    return (
        a_number(given.get(ruleset.GREEN, 0), f"{key}: {ruleset.GREEN}"),
        a_number(given.get(ruleset.YELLOW, 0), f"{key}: {ruleset.YELLOW}"),
    )


def _zone(value: object) -> tuple[int, int]:
    zone = _counters(value, "zone")
    if sum(zone) > ruleset.ZONE_PLACES:
        raise RequestError("zone", f"zone: {sum(zone)} counters lie there, but it has {ruleset.ZONE_PLACES} places")
    return zone


def _ledger(value: object, players: tuple[Country, ...], copy: GameCopy) -> Mapping[Country, LedgerLine]:
    given = an_object(value, "ledger")
    lines = {a_player(word, players, "ledger"): line for word, line in given.items()}
    return {player: _line(lines.get(player, {}), player, copy) for player in players}


def _line(value: object, player: Country, copy: GameCopy) -> LedgerLine:
    key = f"ledger: {player.word}"
    given = an_object(value, key, _LINE_KEYS)
    money, energy, green, yellow = (
        a_number(given[name], f"{key} {name}") if name in given else copy.start(player, name)
        for name in ruleset.ACCOUNTS
    )
    return LedgerLine(
        money=money,
        energy=energy,
        green=green,
        yellow=yellow,
        pawn=a_number(given.get("pawn", 0), f"{key} pawn", 0, len(copy.track) - 1),
        hand=a_number(given.get("hand", ruleset.HAND), f"{key} hand"),
        installed=_cards(given.get("installed", []), f"{key} installed", copy),
        member=a_truth(given.get("member", False), f"{key} member"),
        loans=tuple(_loan(loan, f"{key} loans") for loan in a_list(given.get("loans", []), f"{key} loans")),
        poured=a_number(given.get("poured", 0), f"{key} poured", -MOST),
        out=a_truth(given.get("out", False), f"{key} out"),
    )


def _loan(value: object, key: str) -> Loan:
    given = an_object(value, key, ("lap", "repaid"))
    repaid = given.get("repaid")
    return Loan(
        a_number(given.get("lap"), f"{key} lap", 1), None if repaid is None else a_number(repaid, f"{key} repaid", 1)
    )


def _cards(value: object, key: str, copy: GameCopy) -> tuple[str, ...]:
    return tuple(a_card(card, key, copy) for card in a_list(value, key))


def a_card(value: object, key: str, copy: GameCopy) -> str:
    """Return the id of an infrastructure of the copy. Raises RequestError."""
    if not isinstance(value, str) or value not in copy.cards:
        raise RequestError(code_of(key), f"{key}: the copy has no infrastructure {show(value)}, enter it first")
    return value
