"""Begin a new game: say what can be chosen, and return the position that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from referee.games.contract import RequestError, Violation
from referee.games.jsonvalues import a_number, an_object, show
from referee.games.terrabilis.copy.files import EXAMPLE, example
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.position.reading import parse_whole_position
from referee.games.terrabilis.ruleset import EDITIONS, GAME_NAME, SETUP_COUNTRY, TARGET
from referee.games.terrabilis.text.options import options
from referee.values.choices import Choice, Choices, Edition, SetupQuestion
from referee.values.words import say

TITLE = "Terrabilis"
PLACES = ("first", "second", "third", "fourth")
"""Seats clockwise from the youngest, who begins."""
KEYS = ("game", "edition", "variants", "options", "seats", "players", "first", "copy", "target")
"""What a choice may say. copy: the data of the copy played with, an object."""
MOST_TARGET = 30
"""More infrastructures than this are not offered as a goal on the page; a position may ask for any number."""


@cache
def choices() -> Choices:
    """Return what can be chosen for a new game. The copy is asked for beside."""
    explains = say("Seats go round clockwise; the youngest begins.")
    names = (say("The youngest"), say("Second, clockwise"), say("Third, clockwise"), say("Fourth, clockwise"))
    edition = Choice(
        EDITIONS[0],
        say("Terrabilis (French sheet)"),
        say("Twelve infrastructures, membership of the Alliance and no open loan win."),
    )
    return Choices(
        game=GAME_NAME,
        title=TITLE,
        places=tuple(Choice(place, name, explains) for place, name in zip(PLACES, names, strict=True)),
        colours=tuple(Country),
        editions=(Edition(edition, tuple((count, ((),)) for count in (2, 3, 4))),),
        variants=(),
        options=options(),
        asks=(SetupQuestion("target", "number", say("Infrastructures to win"), MOST_TARGET, 1, TARGET),),
    )


def new_game(choice: Mapping[str, object]) -> TerrabilisPosition:
    """Return the position before the first turn. Raises RequestError with what to do.

    Without a copy the invented one that comes along is played with, which is good for trying things out only.
    """
    said = an_object(choice, "choice", KEYS)
    copy = said.get("copy")
    players = _players(said)
    data: dict[str, object] = {
        "game": said.get("game", GAME_NAME),
        "edition": said.get("edition", EDITIONS[0]),
        "variants": said.get("variants", []),
        "options": said.get("options", {}),
        "copy": copy_json(example()) if copy in (None, EXAMPLE.stem) else copy,
        "players": players,
        "first": said.get("first", players[0]),
        "target": a_number(said.get("target", TARGET), "target", 1),
    }
    return parse_whole_position(data | {"to_move": data["first"]})


def _players(said: Mapping[str, object]) -> list[object]:
    if "players" in said:
        players = said["players"]
        if not isinstance(players, list) or not players:
            raise RequestError("players", f"players is {show(players)}: give a list of colours clockwise")
        return players
    seats = an_object(said.get("seats", {}), "seats", PLACES)
    found = [seats[place] for place in PLACES if seats.get(place) is not None]
    if not found:
        raise RequestError("seats", "seats: say who sits where")
    return found


def infer_setup(said: Mapping[str, object], observed: LedgerSeen) -> TerrabilisPosition:
    """Return the position a game is set up from; who plays is seen by the pawns where it is not said."""
    if "players" in said or "seats" in said:
        return new_game(said)
    seen = [country.word for country in Country if country in observed.pawns]
    if len(seen) < 2:
        raise RequestError("players", "players: fewer than two pawns are seen, say who plays")
    return new_game({**said, "players": seen})


def differences(position: TerrabilisPosition, observed: LedgerSeen) -> tuple[Violation, ...]:
    """Return how what is seen differs from the set-up: pawns on Start, the Zone empty, nothing laid out."""
    found = [
        say("The pawn of {who} belongs on Start.", who=player)
        for player in position.players
        if observed.pawns.get(player, 0) != 0
    ]
    found += [
        say("{who} does not play: take the pawn away.", who=c) for c in observed.pawns if c not in position.players
    ]
    if any(observed.zone.values()):
        found.append(say("The Zone is empty before the first turn."))
    found += [
        say("No infrastructure lies before {who} yet.", who=player)
        for player in position.players
        if observed.installed.get(player, 0) not in (0, ())
    ]
    return tuple(Violation(SETUP_COUNTRY, (), words) for words in found)


def seat_place(position: TerrabilisPosition, player: Country) -> str:
    """Return the seat of a player."""
    return PLACES[position.clockwise(position.first).index(player)]
