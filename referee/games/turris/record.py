"""What a record's headers mean here, and recorded turns ruled on act by act.

The starting position is made from the headers ``edition`` and ``seats``, and where they differ from the start of a
game ``options``, ``first`` (else who plays the first turn), ``to_move``, ``turn``, ``tower`` and the other keys of a
position. Lists are words, objects are ``key=value`` words: ``seats "south=light north=dark"``, ``options
"pass=free"``, ``left "light=19 dark=20"``, ``last "light=b1b2.3+c3.2^"``, ``barred "a1.1 a1.2"``. Any other header,
such as date, table and result, is free text. Acts are ``+b1b2.3`` and ``-a1.1^``; a turn without any was passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.contract import RequestError, Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.turris.bars import BY_WORD, Bar, BarColour
from referee.games.turris.completions import parse_reading
from referee.games.turris.declaring import DeclaredAct, parse_act
from referee.games.turris.engine import ruling_of
from referee.games.turris.parsing import parse_position
from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower
from referee.games.turris.verdict import judge
from referee.values.declaring import Declared

REQUIRED = ("game", "edition", "seats")


class TurrisRecords:
    """The records of this game."""

    def start(self, record: Record) -> TurrisPosition:
        """The position before the first turn. Raises RecordError, saying which header to correct."""
        headers = record.headers
        for key in REQUIRED:
            if key not in headers:
                raise RecordError(f"header {key} is missing: give it")
        data: dict[str, object] = {}
        for key in headers.keys() & _READ.keys():
            read, how = _READ[key]
            try:
                data[key] = read(headers[key])
            except ValueError:
                raise RecordError(f"header {key}: {headers[key][:40]!r} can't be read: {how}") from None
        if "first" not in data:
            if not record.turns:
                raise RecordError("header first is missing: say who began")
            data["first"] = record.turns[0].player
        data.setdefault("to_move", data["first"])
        try:
            return parse_position(data)
        except RequestError as error:
            raise RecordError(f"headers: {error}") from error

    def headers(self, position: TurrisPosition) -> dict[str, str]:
        """The headers from which ``start`` makes the position again, those of a plain start left out."""
        data = position.to_json()
        data.pop("scores", None)  # they follow from the tower
        for key in [key for key in data if key not in (*REQUIRED, "first")]:
            shorter = {k: v for k, v in data.items() if k != key}
            try:
                if parse_position({"to_move": position.first.word} | shorter) == position:
                    data = shorter
            except RequestError:
                continue
        return {key: _written(value) for key, value in data.items()}

    def declared(self, entry: RecordEntry) -> Declared:
        """The bars of a recorded turn, all in their order."""
        return {"bars": [act.text for act in acts_of(entry)]}

    def play(self, position: TurrisPosition, entry: RecordEntry) -> Ruling:
        """Rule on a recorded turn act by act. Raises RecordError when the acts can't be read or made."""
        player = BY_WORD.get(entry.player)
        if player is None:
            words = " or ".join(BY_WORD)
            raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play: use {words}", entry.line)
        acts = acts_of(entry)
        tower = position.tower
        for act in acts:
            tower = after_act(tower, act, player, entry)
        try:
            return ruling_of(position, judge(position, parse_reading(tower.text), acts))
        except RequestError as error:
            raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def acts_of(entry: RecordEntry) -> tuple[DeclaredAct, ...]:
    """The acts of a recorded turn. Raises RecordError where they can't be read."""
    try:
        return tuple(map(parse_act, entry.acts.split()))
    except RequestError as error:
        raise RecordError(f"turn {entry.number}: {error}", entry.line) from error


def after_act(tower: Tower, act: DeclaredAct, player: BarColour, entry: RecordEntry) -> Tower:
    """Return the tower after an act. Raises RecordError where it can't be made."""
    if act.lay:
        if tower.filled & act.place.mask:
            raise RecordError(f"turn {entry.number}: {act.text}: there is no room: correct the act", entry.line)
        return tower.turned(Bar(player, act.place))
    for colour in (player.other, player):
        if tower.has(Bar(colour, act.place)):
            return tower.turned(Bar(colour, act.place))
    raise RecordError(f"turn {entry.number}: {act.text}: no bar lies there: correct the act", entry.line)


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_word(item)}" for key, item in value.items() if item != [])
    return " ".join(map(_word, value)) if isinstance(value, list) else _word(value)


def _word(value: object) -> str:
    if isinstance(value, list):
        return "+".join(map(_word, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _words(value: str) -> list[str]:
    return value.replace(",", " ").split()


def _pairs(value: str) -> dict[str, str]:
    pairs = [word.partition("=") for word in _words(value)]
    found = {key: item for key, _, item in pairs if key and item}
    if len(found) != len(pairs):
        raise ValueError(value)
    return found


def _counts(value: str) -> dict[str, int]:
    return {word: _number(count) for word, count in _pairs(value).items()}


def _number(value: str) -> int:
    if len(value) > 10 or not value.isascii() or not value.isdecimal():
        raise ValueError(value)
    return int(value)


def _lists(value: str) -> dict[str, list[str]]:
    return {word: names.split("+") for word, names in _pairs(value).items()}


def _yes(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError(value)
    return value == "yes"


_READ: Mapping[str, tuple[Callable[[str], object], str]] = {
    "game": (str, ""),
    "edition": (str, ""),
    "variants": (_words, ""),
    "options": (_pairs, "write key=value words, such as pass=free"),
    "seats": (_pairs, "write south=light north=dark"),
    "first": (str, ""),
    "to_move": (str, ""),
    "turn": (_number, "write a whole number"),
    "tower": (str, ""),
    "left": (_counts, "write light=19 dark=20"),
    "last": (_lists, "write light=b1b2.3+c3.2^"),
    "barred": (_words, ""),
    "winners": (_words, ""),
    "finished": (_yes, "write yes or no"),
}

RECORDS = TurrisRecords()
