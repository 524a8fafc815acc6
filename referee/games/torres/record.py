"""Read and write a record's headers, and rule on recorded turns act by act.

The starting position is made from the headers ``edition``, ``players`` and ``board``, and where they differ from the
start of a plain game from the other keys of a position. Lists are words, objects are ``key=value`` words: ``players
"blue orange"``, ``options "doors=path"``, ``stacks "blue=3+3+2 orange=none"``, ``held "blue=1"``, ``played
"blue=door+leap"``, ``score "blue=4"``. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games import headers
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
        """Return the position before the first turn. Raises RecordError, saying which header to correct."""
        data = headers.values_of(record, _FORMS, REQUIRED)
        _join_cards(data)
        return headers.position_of(data, parse_position)

    def headers(self, position: TorresPosition) -> dict[str, str]:
        """Return the headers from which ``start`` makes the position again, those of a plain start left out."""
        data = headers.shortest(position, parse_position, (*REQUIRED, "first"))
        if "cards" in data:
            del data["cards"]
            data["held"] = {player: hand.held for player, hand in position.cards.items()}
            data["played"] = {player: list(hand.played) for player, hand in position.cards.items()}
        return {key: headers.written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Mapping[str, object]:
        """Return what a recorded turn says was declared of it. Raises RecordError when it can't be read."""
        try:
            return parse_turn(entry.acts).declared
        except TorresNotationError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error

    def play(self, position: TorresPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""
        player = headers.player_of(entry, position.players)
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
    """Return the board after the acts of a stage outside turns, as they are written."""
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


def _options(text: str) -> dict[str, object]:
    return {key: headers.whole(item) if key == MASTER_MIN else item for key, item in headers.pairs(text).items()}


def _stacks(text: str) -> dict[str, list[int]]:
    return {word: [headers.whole(size) for size in sizes] for word, sizes in headers.lists(text).items()}


_COUNTS = headers.HeaderForm(headers.counts, "write blue=1 orange=0")
_FORMS: Mapping[str, headers.HeaderForm] = {
    "game": headers.WORD,
    "edition": headers.WORD,
    "variants": headers.WORDS,
    "options": headers.HeaderForm(_options, "write key=value words, such as doors=path"),
    "players": headers.WORDS,
    "first": headers.WORD,
    "to_move": headers.WORD,
    "stage": headers.WORD,
    "phase": headers.NUMBER,
    "round": headers.NUMBER,
    "turn": headers.NUMBER,
    "board": headers.WORD,
    "start_fields": headers.WORDS,
    "stacks": headers.HeaderForm(_stacks, "write blue=3+3+2 orange=none"),
    "reserve": headers.NUMBER,
    "held": _COUNTS,
    "played": headers.HeaderForm(headers.lists, "write blue=door+leap orange=none"),
    "score": _COUNTS,
    "master": headers.WORD,
    "winners": headers.WORDS,
}

RECORDS = TorresRecords()
"""The records, which have no state."""
