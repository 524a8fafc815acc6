"""Validate a position's JSON form: check every key, and name in every message the key and what to do."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.jsonvalues import a_list, a_number, a_truth, an_object, keys_checked, one_of, show
from referee.games.terra_turrium.colours import Colour, parse_board
from referee.games.terra_turrium.geometry import INDEX, NAMES, TERRITORIES, bits, mask_of
from referee.games.terra_turrium.position.position import Counts, Holding, TerraPosition
from referee.games.terra_turrium.ruleset import (
    ATTACKS,
    EDITIONS,
    FLAGS_EACH,
    OPTIONS,
    VARIANTS,
    RuleSet,
    rule_set,
)
from referee.values.board import BoardError
from referee.values.words import board_words, say

GAME_NAME = "terra-turrium"
REQUIRED = ("game", "edition", "seats", "first", "to_move", "board")
KNOWN = (
    *REQUIRED,
    "variants",
    "options",
    "turn",
    "in_hand",
    "attacks",
    "teams",
    "reserve",
    "captures_open",
    "captures_left",
    "holding",
    "winners",
    "final_round",
    "finished",
)
MAX_TURN = 10**9

Seats = tuple[Colour | None, Colour | None, Colour | None, Colour | None]


def parse_position(data: object) -> TerraPosition:
    """Validate a position's JSON form. Raises RequestError whose message names the key and what to do."""
    data = keys_checked(data, KNOWN, REQUIRED, GAME_NAME)
    edition = one_of(data["edition"], EDITIONS, "edition")
    variants = _variants(data.get("variants", []))
    options = _options(data.get("options", {}))
    seats = parse_seats(data["seats"])
    players = tuple(dict.fromkeys(colour for colour in seats if colour is not None))
    rules = rule_set(
        edition,
        len(players),
        frozenset(variants),
        options.get("exterior", OPTIONS["exterior"][0]),
        options.get("returned_cubes", OPTIONS["returned_cubes"][0]),
    )
    position = _assemble(data, rules, variants, options, seats, players)
    _check_order(position)
    _check_pieces(position)
    return position


def _assemble(
    data: Mapping[str, object],
    rules: RuleSet,
    variants: tuple[str, ...],
    options: Mapping[str, str],
    seats: Seats,
    players: tuple[Colour, ...],
) -> TerraPosition:
    try:
        board = parse_board(data["board"])
    except BoardError as error:
        raise RequestError("board", board_words(error, "board")) from error
    winners = a_list(data.get("winners", []), "winners", what="a list of colours")
    return TerraPosition(
        rules=rules,
        variants=variants,
        options=options,
        seats=seats,
        first=_player(data["first"], players, "first"),
        to_move=_player(data["to_move"], players, "to_move"),
        turn=a_number(data.get("turn", 1), "turn", 1, MAX_TURN),
        board=board,
        in_hand=_counts(data, "in_hand", players, 0, FLAGS_EACH),
        attacks=_counts(data, "attacks", players, 0, ATTACKS),
        reserve=_counts(data, "reserve", players, 0, rules.cubes),
        captures_left=_counts(data, "captures_left", players, rules.quota, rules.quota),
        captures_open=a_truth(data.get("captures_open", False), "captures_open"),
        teams=_teams(data.get("teams", []), rules, seats, players),
        holding=_holding(data.get("holding", {}), rules, players),
        winners=tuple(dict.fromkeys(_player(word, players, "winners") for word in winners)),
        final_round=a_truth(data.get("final_round", False), "final_round"),
        finished=a_truth(data.get("finished", False), "finished"),
    )


def _variants(value: object) -> tuple[str, ...]:
    given = a_list(value, "variants", what='a list such as [] or ["pro"]')
    names = tuple(one_of(name, VARIANTS, "variants") for name in given)
    if len(set(names)) != len(names):
        raise RequestError("variants", f"variants names one twice: {', '.join(names)[:60]}; name each once")
    return names


def _options(value: object) -> Mapping[str, str]:
    given = an_object(value, "options")
    for name in given:
        if name not in OPTIONS:
            raise RequestError("options", f"options: {show(name)} is unknown, use {', '.join(OPTIONS)}")
    return {name: one_of(choice, OPTIONS[name], f"options: {name}") for name, choice in given.items()}


def parse_seats(value: object) -> Seats:
    """Validate who sits where. Raises RequestError with what to do."""
    if not isinstance(value, dict) or set(value) != set(TERRITORIES):
        raise RequestError("seats", f"seats is an object with the keys {', '.join(TERRITORIES)}: give all four")
    nw, ne, se, sw = (None if value[t] is None else _colour(value[t], "seats") for t in TERRITORIES)
    owners = [colour for colour in (nw, ne, se, sw) if colour is not None]
    counts = sorted(owners.count(colour) for colour in set(owners))
    if counts not in ([2, 2], [1, 1, 1], [1, 1, 1, 1]):
        raise RequestError(
            "seats", "seats: give four colours, three and a null, or two colours with two territories each"
        )
    return (nw, ne, se, sw)


def _colour(value: object, key: str) -> Colour:
    try:
        return Colour.from_word(value)
    except BoardError:
        words = ", ".join(colour.word for colour in Colour)
        raise RequestError(key, f"{key}: {show(value)} is not a colour, use one of {words}") from None


def _player(value: object, players: tuple[Colour, ...], key: str) -> Colour:
    colour = _colour(value, key)
    if colour not in players:
        words = ", ".join(player.word for player in players)
        raise RequestError(key, f"{key}: {colour.word} has no seat, use one of {words}")
    return colour


def _counts(data: Mapping[str, object], key: str, players: tuple[Colour, ...], start: int, most: int) -> Counts:
    value = an_object(data.get(key, {}), key, what="an object of colours and numbers")
    given = {_player(word, players, key): a_number(n, f"{key}: {word}", 0, most) for word, n in value.items()}
    return {player: given.get(player, start) for player in players}


def _teams(
    value: object, rules: RuleSet, seats: Seats, players: tuple[Colour, ...]
) -> tuple[tuple[Colour, ...], ...]:
    if not isinstance(value, list) or not all(isinstance(team, list) for team in value):
        raise RequestError("teams", f"teams is a list of two lists of colours, not {show(value)}")
    teams = tuple(tuple(_player(word, players, "teams") for word in team) for team in value)
    if not rules.teams:
        if teams:
            raise RequestError("teams", "teams belongs to the variant team: leave it out or add the variant")
        return ()
    if [len(team) for team in teams] != [2, 2] or {c for team in teams for c in team} != set(players):
        raise RequestError("teams", "teams: give two teams of two players, each player once")
    for a, b in teams:
        if abs(seats.index(a) - seats.index(b)) == 2:
            raise RequestError("teams", f"teams: the territories of {a.word} and {b.word} must be neighbours")
    return teams


def _holding(value: object, rules: RuleSet, players: tuple[Colour, ...]) -> Holding:
    given = an_object(value, "holding", what="an object of colours and lists of fields")
    if given and rules.hold_from is None:
        raise RequestError("holding", "holding belongs to the variant pro: leave it out or add the variant")
    holding: dict[Colour, tuple[int, ...]] = {}
    for word, fields in given.items():
        player = _player(word, players, "holding")
        if not isinstance(fields, list) or not 1 <= len(fields) <= FLAGS_EACH:
            raise RequestError(
                "holding", f"holding: {word} is a list of 1 to {FLAGS_EACH} fields, not {show(fields)}"
            )
        for name in fields:
            if not isinstance(name, str) or name not in INDEX:
                raise RequestError("holding", f"holding: {show(name)} is no field of the board, such as D4")
        holding[player] = tuple(INDEX[name] for name in fields)
    return holding


def _check_order(position: TerraPosition) -> None:
    players = position.players
    expected = players[(players.index(position.first) + position.turn - 1) % len(players)]
    if expected != position.to_move:
        raise RequestError(
            "turn",
            f"turn, first and to_move disagree: {position.first.word} began, so turn {position.turn} is "
            f"{expected.word}'s, not {position.to_move.word}'s; correct one of them",
        )
    if any(position.reserve.values()) and not position.rules.reserves:
        raise RequestError("reserve", "reserve belongs to the variant handicap: leave it out or add the variant")
    if position.captures_open and position.rules.opening is None:
        raise RequestError("captures_open", "captures_open belongs to the variant burgenland: leave it out")


def check_colours(board_masks: tuple[int, ...], players: tuple[Colour, ...], key: str) -> None:
    """Raise RequestError when a flag of a colour that does not play stands on the board."""
    for colour in Colour:
        if colour not in players and board_masks[colour]:
            where = NAMES[bits(board_masks[colour])[0]]
            words = say(
                "{key}: a flag of {who} stands on {where}, but {who} has no seat", key=key, who=colour, where=where
            )
            raise RequestError("flags", words)


def _check_pieces(position: TerraPosition) -> None:
    heights, _ = position.grids
    masks = position.flag_masks
    check_colours(masks, position.players, "board")
    for player in position.players:
        count = masks[player].bit_count() + position.in_hand[player]
        if count != FLAGS_EACH:
            words = say(
                "board and in_hand: {who} has {count} flags in all, not {wanted}; correct one",
                who=player, count=count, wanted=FLAGS_EACH,
            )  # fmt: skip
            raise RequestError("flags", words)
    stacks = mask_of(i for i, h in enumerate(heights) if h)
    if outside := stacks & position.rules.outside:
        where = NAMES[bits(outside)[0]]
        raise RequestError("board", say("board: cubes lie out of play on {where}; correct the board", where=where))
    if afloat := masks[0] & ~stacks:
        where = NAMES[bits(afloat)[0]]
        raise RequestError("board", say("board: a flag stands on no cube on {where}; correct the board", where=where))
    cubes = sum(heights) + sum(position.reserve.values())
    if cubes != position.rules.cubes:
        words = say(
            "board and reserve hold {cubes} cubes, but this game has {wanted}; correct the board",
            cubes=cubes, wanted=position.rules.cubes,
        )  # fmt: skip
        raise RequestError("board", words)
