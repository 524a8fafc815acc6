"""Validate the JSON form of positions and declarations: every message names the key and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.contract import RequestError
from referee.games.jsonvalues import a_list, a_number, an_object, code_of, keys_checked, one_of, show
from referee.games.torres import ruleset
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import NAMES
from referee.games.torres.position.position import Declared, Hand, Stack, TorresPosition
from referee.values.board import BoardError
from referee.values.words import board_words, say

REQUIRED = ("game", "edition", "players", "first", "to_move", "board")
KNOWN = (
    *REQUIRED,
    "variants",
    "options",
    "stage",
    "phase",
    "round",
    "turn",
    "start_fields",
    "stacks",
    "reserve",
    "cards",
    "score",
    "master",
    "winners",
)
DECLARED = ("card", "bought", "points", "stack", "leftover", "start")
MASTER_MIN = "master_min"
MOST = 10**6
OWN_CARDS = len(ruleset.KINDS)
"""Cards of one colour, all of which are held from the start of a master game."""


def parse_position(data: object) -> TorresPosition:
    """Validate a position's JSON form. Raises RequestError whose message names the key and what to do."""
    data = keys_checked(data, KNOWN, REQUIRED, ruleset.GAME_NAME)
    edition = one_of(data["edition"], ruleset.EDITIONS, "edition")
    variants = _variants(data.get("variants", []))
    options = parse_options(data.get("options", {}))
    players = parse_players(data["players"])
    rules = rule_set(len(players), variants, options)
    position = _assemble(data, rules, edition, variants, options, players)
    _check_order(position)
    check_pieces(position.board, players, "board")
    _check_position_pieces(position)
    return position


def rule_set(players: int, variants: Sequence[str], options: Mapping[str, str | int]) -> ruleset.TorresRules:
    """Return what variants and options come to."""
    chosen = {name: str(options.get(name, values[0])) for name, values in ruleset.OPTIONS.items()}
    least = options.get(MASTER_MIN, 1)
    return ruleset.TorresRules(
        players=players,
        deck_each=bool(variants),
        master="master" in variants,
        master_min=least if isinstance(least, int) else 1,
        **chosen,
    )


def _assemble(
    data: Mapping[str, object],
    rules: ruleset.TorresRules,
    edition: str,
    variants: tuple[str, ...],
    options: Mapping[str, str | int],
    players: tuple[KnightColour, ...],
) -> TorresPosition:
    stage = one_of(data.get("stage", "play"), ruleset.STAGES, "stage")
    phase = a_number(data.get("phase", 1), "phase", 1, ruleset.PHASES)
    return TorresPosition(
        rules=rules,
        edition=edition,
        variants=variants,
        options=options,
        players=players,
        first=_player(data["first"], players, "first"),
        to_move=_player(data["to_move"], players, "to_move"),
        stage=stage,
        phase=phase,
        round=a_number(data.get("round", 1), "round", 1, rules.rounds[phase - 1]),
        play_turn=a_number(data.get("turn", 1), "turn", 1, MOST),
        board=parse_board(data["board"], "board"),
        start_fields=_start_fields(data.get("start_fields"), rules),
        stacks=_stacks(data.get("stacks", {}), players, rules.stacks(phase)),
        reserve=a_number(data.get("reserve", rules.opening_reserve), "reserve", 0, MOST),
        cards=_cards(data.get("cards", {}), players, OWN_CARDS if rules.master else 0),
        score=_scores(data.get("score", {}), players),
        master=_master(data.get("master"), rules),
        sole_winner=_sole_winner(data.get("winners"), players, stage),
    )


def parse_board(text: object, key: str) -> TorresBoard:
    """Parse board text. Raises RequestError naming the key."""
    try:
        return TorresBoard.parse(text)
    except BoardError as error:
        raise RequestError("board", board_words(error, key)) from error


def _variants(value: object) -> tuple[str, ...]:
    names = tuple(
        one_of(name, ruleset.VARIANTS, "variants") for name in a_list(value, "variants", what="a list of names")
    )
    if len(set(names)) != len(names):
        raise RequestError("variants", f"variants names one twice: {', '.join(names)[:60]}; name each once")
    if len(names) > 1:
        raise RequestError("variants", f"{' and '.join(names)} are not played together: choose one of them")
    return names


def parse_options(value: object) -> dict[str, str | int]:
    """Validate the options chosen. Raises RequestError with what to do."""
    options: dict[str, str | int] = {}
    for name, choice in an_object(value, "options", what="an object of names and choices").items():
        if name == MASTER_MIN:
            options[name] = a_number(choice, "options: master_min", 0, ruleset.KNIGHTS_EACH)
        elif name in ruleset.OPTIONS:
            options[name] = one_of(choice, ruleset.OPTIONS[name], f"options: {name}")
        else:
            raise RequestError(
                "options", f"options: {show(name)} is unknown, use {', '.join((*ruleset.OPTIONS, MASTER_MIN))}"
            )
    return options


def parse_players(value: object) -> tuple[KnightColour, ...]:
    """Validate who plays, clockwise. Raises RequestError with what to do."""
    players = tuple(colour(word, "players") for word in a_list(value, "players", what="a list of colours"))
    if len(players) not in ruleset.ROUNDS or len(set(players)) != len(players):
        raise RequestError("players", "players: give two to four different colours, clockwise")
    return players


def _player(value: object, players: tuple[KnightColour, ...], key: str) -> KnightColour:
    return KnightColour(one_of(value, players, key))


def colour(value: object, key: str) -> KnightColour:
    """Return the colour a word names. Raises RequestError naming the key."""
    return KnightColour(one_of(value, tuple(KnightColour), key))


def _start_fields(value: object, rules: ruleset.TorresRules) -> tuple[str, ...]:
    if value is None:
        return () if rules.master else ruleset.START_FIELDS
    fields = tuple(one_of(name, NAMES, "start_fields") for name in a_list(value, "start_fields"))
    if len(fields) > ruleset.CASTLES or len(set(fields)) != len(fields):
        raise RequestError("start_fields", f"start_fields: give at most {ruleset.CASTLES} different fields")
    return fields


def parse_stack(value: object, key: str) -> Stack:
    """Validate a list of stacks. Raises RequestError naming the key."""
    sizes = [a_number(n, key, 0, ruleset.BLOCKS) for n in a_list(value, key, what="a list of numbers of blocks")]
    if len(sizes) > ruleset.BLOCKS:
        raise RequestError(code_of(key), f"{key}: {len(sizes)} stacks are too many: give at most {ruleset.BLOCKS}")
    return tuple(n for n in sizes if n)


def _stacks(value: object, players: tuple[KnightColour, ...], start: Stack) -> dict[KnightColour, Stack]:
    given = an_object(value, "stacks", what="an object of colours and lists of numbers")
    for word in given:
        _player(word, players, "stacks")
    return {p: parse_stack(given[p], f"stacks: {p}") if p in given else start for p in players}


def _cards(value: object, players: tuple[KnightColour, ...], held: int) -> dict[KnightColour, Hand]:
    given = an_object(value, "cards", what="an object of colours and cards")
    for word in given:
        _player(word, players, "cards")
    return {p: _hand(given[p], p, held) if p in given else Hand(held) for p in players}


def _hand(value: object, player: KnightColour, held: int) -> Hand:
    key = f"cards: {player}"
    data = an_object(value, key, what="an object with held and played")
    for name in data:
        if name not in ("held", "played"):
            raise RequestError("cards", f"{key}: unknown key {show(name)}, use held and played")
    played = a_list(data.get("played", []), f"{key}: played", what="a list of kinds of card")
    return Hand(
        a_number(data.get("held", held), f"{key}: held", 0, MOST),
        tuple(one_of(kind, ruleset.KINDS, f"{key}: played") for kind in played),
    )


def _scores(value: object, players: tuple[KnightColour, ...]) -> dict[KnightColour, int]:
    given = an_object(value, "score", what="an object of colours and points")
    for word in given:
        _player(word, players, "score")
    return {p: a_number(given.get(p, 0), f"score: {p}", 0, MOST) for p in players}


def _master(value: object, rules: ruleset.TorresRules) -> str | None:
    if value is None:
        return None
    card = one_of(value, ruleset.MASTERS, "master")
    if not rules.master:
        raise RequestError("master", "master belongs to the variant master: leave it out or add the variant")
    return card


def _sole_winner(value: object, players: tuple[KnightColour, ...], stage: str) -> KnightColour | None:
    if value is None:
        return None
    winners = a_list(value, "winners", what="a list of one colour")
    if stage != "finished" or len(winners) != 1:
        raise RequestError("winners", "winners says who is left once all others gave up: leave it out of other games")
    return _player(winners[0], players, "winners")


def _check_order(position: TorresPosition) -> None:
    if position.stage != "play":
        return
    place = position.place(position.to_move)
    expected = position.rules.turn_number(position.phase, position.round, place)
    if position.play_turn != expected:
        raise RequestError(
            "turn",
            f"turn, phase, round, first and to_move disagree: {position.to_move} in round {position.round} of phase "
            f"{position.phase} has turn {expected}, not {position.play_turn}; correct one of them",
        )


def check_pieces(board: TorresBoard, players: tuple[KnightColour, ...], key: str) -> None:
    """Raise RequestError for a knight of a colour that does not play, or a second king."""
    for each in KnightColour:
        fields = board.knights(each)
        if fields and each not in players:
            where = NAMES[(fields & -fields).bit_length() - 1]
            words = say(
                "{key}: a knight of {who} stands on {where}, but {who} does not play", key=key, who=each, where=where
            )
            raise RequestError("pieces", words)
    if board.king.bit_count() > 1:
        words = say("{key}: {n} kings stand on the board: there is one", key=key, n=board.king.bit_count())
        raise RequestError("pieces", words)


def _check_position_pieces(position: TorresPosition) -> None:
    for player in position.players:
        count = position.board.knights(player).bit_count()
        if count > ruleset.KNIGHTS_EACH:
            words = say(
                "board: {who} has {count} knights, but owns {most}; correct the board",
                who=player, count=count, most=ruleset.KNIGHTS_EACH,
            )  # fmt: skip
            raise RequestError("pieces", words)


def _size(value: object) -> object:
    """Return the size of a stack; a form gives it as the word of an answer."""
    number = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 4
    return int(str(value)) if number else value


def parse_declared(data: object, position: TorresPosition) -> Declared:
    """Validate what was declared for a turn. Raises RequestError with what to do."""
    given = {} if data is None else an_object(data, "declared", DECLARED)
    said = {key: value for key, value in given.items() if value is not None}
    stacks = position.stacks[position.to_move]
    stack = a_number(_size(said["stack"]), "declared: stack", 0, MOST) if "stack" in said else None
    if stack is not None and stack not in stacks:
        sizes = ", ".join(map(str, stacks)) or "none"
        raise RequestError("declared", f"declared: stack is {stack}, but {position.to_move} has {sizes}; choose one")
    return Declared(
        card=one_of(said["card"], ruleset.KINDS, "declared: card") if "card" in said else None,
        bought=a_number(said.get("bought", 0), "declared: bought", 0, MOST),
        points=a_number(said.get("points", 0), "declared: points", 0, MOST),
        stack=stack,
        leftover=parse_stack(said["leftover"], "declared: leftover") if "leftover" in said else None,
        start=_player(said["start"], position.players, "declared: start") if "start" in said else None,
    )
