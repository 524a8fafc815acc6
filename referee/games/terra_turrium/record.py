"""What a record's headers mean here, and recorded turns ruled on act by act.

The starting position is made from the headers ``edition``, ``seats`` and ``board``, and where they differ from the
start of a plain game ``variants``, ``options``, ``first`` (else who plays the first turn), ``to_move``, ``turn`` and
the other keys of a position. Lists are words, objects are ``key=value`` words: ``seats "nw=red ne=yellow se=green
sw=none"``, ``options "exterior=line"``, ``teams "red+yellow green+blue"``, ``reserve "red=2"``, ``holding
"red=D4+D5"``, ``captures_open "yes"``. Any other header, such as date, table and result, is free text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.games.contract import RequestError, Ruling
from referee.games.record import UNSEEN, Record, RecordEntry, RecordError
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.parsing import parse_position
from referee.games.terra_turrium.position.position import TerraPosition
from referee.games.terra_turrium.search.acts import rule_on_acts
from referee.games.terra_turrium.text.notation import NotationError, parse_turn
from referee.values.declaring import NOTHING_DECLARED, Declared

REQUIRED = ("game", "edition", "seats", "board")
_YES = {"yes": True, "no": False}


class TerraRecords:
    """The records of this game."""

    def start(self, record: Record) -> TerraPosition:
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
        if "first" not in data:
            if not record.turns:
                raise RecordError("header first is missing: say who began")
            data["first"] = record.turns[0].player
        data.setdefault("to_move", data["first"])
        try:
            return parse_position(data)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: TerraPosition) -> dict[str, str]:
        """The headers from which ``start`` makes the position again, those of a plain start left out."""
        data = position.to_json()
        for key in [key for key in data if key not in (*REQUIRED, "first")]:
            shorter = {k: v for k, v in data.items() if k != key}
            try:
                if parse_position({"to_move": position.first.word} | shorter) == position:
                    data = shorter
            except RequestError:
                continue
        return {key: _written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Declared:
        """Nothing is declared in this game."""
        return NOTHING_DECLARED

    def play(self, position: TerraPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read."""
        try:
            acts = parse_turn(entry.acts)
        except NotationError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error
        player = next((player for player in position.players if player.word == entry.player), None)
        if player is None:
            words = ", ".join(player.word for player in position.players)
            raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play: use {words}", entry.line)
        if not acts and player == position.to_move and entry.ruling == UNSEEN:
            ruling = GAME.check(position, position.board)
            return replace(ruling, acts=()) if ruling.legal else ruling
        return rule_on_acts(position, player, acts)


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_word(item)}" for key, item in value.items())
    if isinstance(value, list):
        return " ".join(_word(item) for item in value)
    return _word(value)


def _word(value: object) -> str:
    if isinstance(value, list):
        return "+".join(_word(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _words(value: str) -> list[object]:
    return list(value.replace(",", " ").split())


def _pairs(value: str) -> dict[str, str]:
    pairs = [str(word).partition("=") for word in _words(value)]
    found = {key: item for key, _, item in pairs if key and item}
    if len(found) != len(pairs):
        raise ValueError(value)
    return found


def _seats(value: str) -> dict[str, str | None]:
    return {place: None if word == "none" else word for place, word in _pairs(value).items()}


def _counts(value: str) -> dict[str, int]:
    return {word: _number(count) for word, count in _pairs(value).items()}


def _number(value: str) -> int:
    if len(value) > 10 or not value.isascii() or not value.isdecimal():
        raise ValueError(value)
    return int(value)


def _lists(value: str) -> dict[str, list[str]]:
    return {word: fields.split("+") for word, fields in _pairs(value).items()}


def _teams(value: str) -> list[list[str]]:
    return [str(word).split("+") for word in _words(value)]


def _yes(value: str) -> bool:
    if value not in _YES:
        raise ValueError(value)
    return _YES[value]


_READ: Mapping[str, Callable[[str], object]] = {
    "game": str,
    "edition": str,
    "variants": _words,
    "options": _pairs,
    "seats": _seats,
    "first": str,
    "to_move": str,
    "turn": _number,
    "board": str,
    "in_hand": _counts,
    "attacks": _counts,
    "teams": _teams,
    "reserve": _counts,
    "captures_open": _yes,
    "captures_left": _counts,
    "holding": _lists,
    "winners": _words,
    "final_round": _yes,
    "finished": _yes,
}
_HOW: Mapping[Callable[[str], object], str] = {
    _pairs: "write key=value words, such as exterior=line",
    _seats: "write nw=red ne=yellow se=green sw=none",
    _number: "write a whole number",
    _counts: "write red=1 yellow=0",
    _lists: "write red=D4+D5",
    _yes: "write yes or no",
}

RECORDS = TerraRecords()
