"""Read positions from their JSON form, and look at every key."""

from __future__ import annotations

from referee.games.contract import RequestError
from referee.games.jsonvalues import a_list, a_number, a_truth, an_object, one_of
from referee.games.turris import complaints
from referee.games.turris.bars import BARS_EACH, BY_WORD, COLOURS, BarColour, BarPlace, parse_place
from referee.games.turris.cells import parse_cell
from referee.games.turris.position import GAME_NAME, TurrisPosition
from referee.games.turris.ruleset import EDITION, OPTIONS, TurrisRules
from referee.games.turris.scoring import FACES
from referee.games.turris.tower import Tower, parse_tower

SIDES = FACES
"""The sides of the table players sit at."""

_REQUIRED = ("game", "edition", "seats", "first", "to_move")
_KEYS = (
    *_REQUIRED,
    *("variants", "options", "turn", "tower", "left", "last", "barred", "finished", "scores", "winners"),
)


def parse_position(data: object) -> TurrisPosition:
    """Read a position. Raises RequestError, its code the key to correct."""
    data = an_object(data, "position")
    for key in data:
        if key not in _KEYS:
            raise RequestError("position", complaints.unknown_key(key, _KEYS))
    for key in _REQUIRED:
        if key not in data:
            raise RequestError("position", complaints.missing(key))
    for key, value in (("game", GAME_NAME), ("edition", EDITION)):
        one_of(data[key], (value,), key)
    if data.get("variants", []) != []:
        raise RequestError("variants", complaints.no_variants())
    tower = parse_tower(data.get("tower", ""))
    return TurrisPosition(
        rules=parse_options(data.get("options", {})),
        seats=parse_seats(data["seats"]),
        first=parse_colour(data["first"], "first"),
        to_move=parse_colour(data["to_move"], "to_move"),
        turn=a_number(data.get("turn", 1), "turn", 1),
        tower=tower,
        left=_left(data.get("left", {}), tower),
        last=_last(data.get("last", {})),
        barred=tuple(parse_cell(name) for name in a_list(data.get("barred", []), "barred")),
        winners=tuple(parse_colour(word, "winners") for word in a_list(data.get("winners", []), "winners")),
        finished=a_truth(data.get("finished", False), "finished"),
    )


def parse_options(data: object) -> TurrisRules:
    """Read the options of a table. Raises RequestError with code ``options``."""
    given = an_object(data, "options", OPTIONS)
    return TurrisRules({key: one_of(value, OPTIONS[key], f"options: {key}") for key, value in given.items()})


def parse_colour(word: object, key: str) -> BarColour:
    """Read a player. Raises RequestError with the key as its code."""
    return BY_WORD[one_of(word, BY_WORD, key)]


def parse_seats(data: object) -> dict[str, BarColour]:
    """Read who sits where; sides may be named at which nobody sits. Raises RequestError with code ``seats``."""
    seats = {side: player for side, player in an_object(data, "seats").items() if player is not None}
    players = list(seats.values())
    if not set(seats) <= set(SIDES) or players not in (list(BY_WORD), list(reversed(BY_WORD))):
        raise RequestError("seats", complaints.seats())
    return {side: BY_WORD[str(player)] for side, player in seats.items()}


def _by_colour(data: object, key: str) -> dict[BarColour, object]:
    return {parse_colour(word, key): value for word, value in an_object(data, key).items()}


def _left(data: object, tower: Tower) -> dict[BarColour, int]:
    given = _by_colour(data, "left")
    left = {colour: a_number(given.get(colour, BARS_EACH), "left") for colour in COLOURS}
    for colour, count in left.items():
        if tower.count(colour) + count != BARS_EACH:
            words = complaints.supply(colour, tower.count(colour), count, BARS_EACH)
            raise RequestError("left", words)
    return left


def _last(data: object) -> dict[BarColour, tuple[BarPlace, ...]]:
    given = _by_colour(data, "last")
    return {colour: tuple(map(parse_place, a_list(given.get(colour, []), "last"))) for colour in COLOURS}
