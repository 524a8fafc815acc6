"""What a record's headers mean here, and recorded turns ruled on act by act.

The starting position is made from the headers ``edition``, ``players`` and ``board``, and where they differ from the
start of a plain game from the other keys of a position. Lists are words, objects are ``key=value`` words: ``players
"blue orange"``, ``options "doors=path"``, ``stacks "blue=3+3+2 orange=none"``, ``held "blue=1"``, ``played
"blue=door+leap"``, ``score "blue=4"``. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.games.contract import RequestError, RuleId, Ruling, Violation
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING, KnightColour
from referee.games.torres.geometry import FIELDS
from referee.games.torres.judgement import judge
from referee.games.torres.position.parsing import MASTER_MIN, parse_declared, parse_position
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.ruleset import TURN_ORDER, in_order
from referee.games.torres.search.given import GivenTurn, ImpossibleError
from referee.games.torres.search.task import Act, Plan
from referee.games.torres.terrain import changed
from referee.games.torres.text.messages import TorresBreach, violation_words
from referee.games.torres.text.notation import TorresNotationError, page_acts, parse_turn
from referee.games.torres.text.report import turn_json

REQUIRED = ("game", "edition", "players", "board")


class TorresRecords:
    """The records of this game."""

    def start(self, record: Record) -> TorresPosition:
        """The position before the first turn. Raises RecordError, saying which header to correct."""
        headers = record.headers
        for key in REQUIRED:
            if key not in headers:
                raise RecordError(f"header {key} is missing: give it")
        data: dict[str, object] = {}
        for key, value in headers.items():
            if key in _READ:
                try:
                    data[key] = _READ[key](value)
                except ValueError:
                    raise RecordError(f"header {key}: {value[:40]!r} can't be read: {_HOW[_READ[key]]}") from None
        _join_cards(data)
        if "first" not in data:
            if not record.turns:
                raise RecordError("header first is missing: say who began")
            data["first"] = record.turns[0].player
        data.setdefault("to_move", data["first"])
        try:
            return parse_position(data)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: TorresPosition) -> dict[str, str]:
        """The headers from which ``start`` makes the position again, those of a plain start left out."""
        data = position.to_json()
        for key in [key for key in data if key not in (*REQUIRED, "first")]:
            shorter = {k: v for k, v in data.items() if k != key}
            try:
                if parse_position({"to_move": position.first.word} | shorter) == position:
                    data = shorter
            except RequestError:
                continue
        if "cards" in data:
            del data["cards"]
            data["held"] = {player: hand.held for player, hand in position.cards.items()}
            data["played"] = {player: list(hand.played) for player, hand in position.cards.items()}
        return {key: _written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Mapping[str, object]:
        """What a recorded turn says was declared of it. Raises RecordError when it can't be read."""
        try:
            return parse_turn(entry.acts).declared
        except TorresNotationError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error

    def play(self, position: TorresPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""
        player = next((player for player in position.players if player.word == entry.player), None)
        if player is None:
            words = ", ".join(player.word for player in position.players)
            raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play: use {words}", entry.line)
        try:
            turn = parse_turn(entry.acts)
            declared = parse_declared(dict(turn.declared), position)
            return rule_on_acts(position, player, turn.acts, declared)
        except (TorresNotationError, RequestError) as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def rule_on_acts(position: TorresPosition, player: KnightColour, acts: tuple[Act, ...], declared: Declared) -> Ruling:
    """Rule on a turn in which the player did just these acts. Raises RequestError for a leftover that can't be."""
    if position.finished or (player != position.to_move and position.stage != "play"):
        return _broken(position, player, acts, declared, {TURN_ORDER: []})
    if position.stage != "play":
        return judge(position, _staged(position, acts), declared)
    given = GivenTurn(position, player, declared)
    try:
        for act in acts:
            given.do(act)
    except ImpossibleError as error:
        return _broken(position, player, acts, declared, {error.rule: [error.at]})
    given.end()
    if given.broken:
        return _broken(position, player, acts, declared, given.broken, given.cost)
    ruling = judge(position, given.board(), declared)
    turn = turn_json(Plan(acts, given.cost), player)
    return replace(ruling, acts=page_acts(acts, declared), turn=turn) if ruling.legal else ruling


def _staged(position: TorresPosition, acts: tuple[Act, ...]) -> TorresBoard:
    """The board after the acts of a stage outside turns, as they are written."""
    board = position.board
    for kind, at, _ in acts:
        heights, pieces = board.heights, list(board.pieces)
        if kind == "castle":
            heights = changed(heights, at, 1)
        elif kind == "king":
            pieces = ["" if piece == KING else piece for piece in pieces]
            pieces[at] = KING
        elif kind == "place":
            pieces[at] = position.to_move.letter
        else:
            raise RequestError("acts", "outside turns only *D8, @C6 and kD8 are acts: leave out the others")
        board = TorresBoard(heights, tuple(pieces))
    return board


def _broken(
    position: TorresPosition,
    player: KnightColour,
    acts: tuple[Act, ...],
    declared: Declared,
    broken: Mapping[RuleId, list[int]],
    cost: int = 0,
) -> Ruling:
    facts = {
        "built": sum(1 for kind, _, _ in acts if kind in ("build", "card.under")),
        "limit": declared.stack or max(position.stacks[player], default=0),
        "cost": cost + declared.spent,
        "has": 5 if declared.card not in ("ap6", "ap7") else int(declared.card[-1]),
        "bought": declared.bought,
        "held": position.cards[player].held,
    }
    violations = []
    for rule in in_order(frozenset(broken)):
        at = tuple(broken[rule])
        breach = TorresBreach(rule, position.rules, player, position.to_move, at, declared.card, facts)
        violations.append(Violation(rule, tuple(FIELDS[i] for i in at), violation_words(breach)))
    return Ruling(False, tuple(violations), (), page_acts(acts, declared), None, None, position.winners)


def _join_cards(data: dict[str, object]) -> None:
    """Make the cards of a position out of the headers ``held`` and ``played``."""
    held, played = data.pop("held", None), data.pop("played", None)
    hands: dict[str, dict[str, object]] = {}
    for key, values in (("held", held), ("played", played)):
        if isinstance(values, dict):
            for player, value in values.items():
                hands.setdefault(player, {})[key] = value
    if hands:
        data["cards"] = hands


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_word(item)}" for key, item in value.items())
    if isinstance(value, list):
        return " ".join(_word(item) for item in value)
    return _word(value)


def _word(value: object) -> str:
    if isinstance(value, list):
        return "+".join(_word(item) for item in value) or "none"
    return "none" if value is None else str(value)


def _words(value: str) -> list[object]:
    return list(value.replace(",", " ").split())


def _pairs(value: str) -> dict[str, str]:
    pairs = [str(word).partition("=") for word in _words(value)]
    found = {key: item for key, _, item in pairs if key and item}
    if len(found) != len(pairs):
        raise ValueError(value)
    return found


def _options(value: str) -> dict[str, object]:
    return {key: _number(item) if key == MASTER_MIN else item for key, item in _pairs(value).items()}


def _number(value: str) -> int:
    if len(value) > 10 or not value.isascii() or not value.isdecimal():
        raise ValueError(value)
    return int(value)


def _counts(value: str) -> dict[str, int]:
    return {word: _number(count) for word, count in _pairs(value).items()}


def _stacks(value: str) -> dict[str, list[int]]:
    return {
        word: [] if sizes == "none" else [_number(n) for n in sizes.split("+")]
        for word, sizes in _pairs(value).items()
    }


def _lists(value: str) -> dict[str, list[str]]:
    return {word: [] if kinds == "none" else kinds.split("+") for word, kinds in _pairs(value).items()}


_READ: Mapping[str, Callable[[str], object]] = {
    "game": str,
    "edition": str,
    "variants": _words,
    "options": _options,
    "players": _words,
    "first": str,
    "to_move": str,
    "stage": str,
    "phase": _number,
    "round": _number,
    "turn": _number,
    "board": str,
    "start_fields": _words,
    "stacks": _stacks,
    "reserve": _number,
    "held": _counts,
    "played": _lists,
    "score": _counts,
    "master": str,
    "winners": _words,
}
_HOW: Mapping[Callable[[str], object], str] = {
    _options: "write key=value words, such as doors=path",
    _number: "write a whole number",
    _counts: "write blue=1 orange=0",
    _stacks: "write blue=3+3+2 orange=none",
    _lists: "write blue=door+leap orange=none",
}

RECORDS = TorresRecords()
"""The records, which have no state."""
