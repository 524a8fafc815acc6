"""Write positions into the headers of records, one key each, and read them back.

Lists are words, objects are ``key=value`` words, a list in an object is joined by ``+``: ``seats "nw=red"``, ``stacks
"blue=3+3+2 orange=none"``, ``captures_open "yes"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from referee.games.contract import RequestError
from referee.games.record import Record, RecordEntry, RecordError
from referee.values.players import Player

NONE = "none"
"""How nothing and an empty list in an object are written."""
_YES = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class HeaderForm:
    """How a header's text is read; how: what to write instead of a text that can't be read.

    ``read`` raises ValueError for a text it can't read.
    """

    read: Callable[[str], object] = str
    how: str = ""


class WrittenPosition(Protocol):
    """A position that headers can hold."""

    @property
    def first(self) -> Player:
        """Return who began."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the position's JSON form."""
        ...


P = TypeVar("P")
WrittenP = TypeVar("WrittenP", bound=WrittenPosition)
PlayerP = TypeVar("PlayerP", bound=Player)


def values_of(record: Record, forms: Mapping[str, HeaderForm], required: Iterable[str]) -> dict[str, object]:
    """Return the values of a record's headers, with who began and who is to move.

    Without ``first`` whoever has the first turn began. Raises RecordError, saying which header to correct.
    """
    for key in required:
        if key not in record.headers:
            raise RecordError(f"header {key} is missing: give it")
    data: dict[str, object] = {}
    for key, text in record.headers.items():
        if key in forms:
            try:
                data[key] = forms[key].read(text)
            except ValueError:
                raise RecordError(f"header {key}: {text[:40]!r} can't be read: {forms[key].how}") from None
    if "first" not in data:
        if not record.turns:
            raise RecordError("header first is missing: say who began")
        data["first"] = record.turns[0].player
    data.setdefault("to_move", data["first"])
    return data


def position_of(data: Mapping[str, object], parse: Callable[[object], P]) -> P:
    """Return the position of some headers' values. Raises RecordError, saying what to correct."""
    try:
        return parse(data)
    except RequestError as error:
        raise RecordError(f"headers: {error}") from error


def shortest(
    position: WrittenP, parse: Callable[[object], WrittenP], kept: Iterable[str], implied: Iterable[str] = ()
) -> dict[str, object]:
    """Return a position's JSON form without the keys that a plain start has anyway.

    kept: keys that always stay; implied: keys that follow from the others.
    """
    data: dict[str, object] = {key: value for key, value in position.to_json().items() if key not in implied}
    for key in [key for key in data if key not in kept]:
        shorter = {k: v for k, v in data.items() if k != key}
        try:
            if parse({"to_move": position.first.word} | shorter) == position:
                data = shorter
        except RequestError:
            continue
    return data


def player_of(entry: RecordEntry, players: Sequence[PlayerP]) -> PlayerP:
    """Return who plays a recorded turn. Raises RecordError when nobody of that name plays."""
    for player in players:
        if player.word == entry.player:
            return player
    words = ", ".join(player.word for player in players)
    raise RecordError(f"turn {entry.number}: {entry.player[:40]!r} does not play: use {words}", entry.line)


def written(value: object) -> str:
    """Write a value of a position's JSON form as a header."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_word(item)}" for key, item in value.items())
    return " ".join(map(_word, value)) if isinstance(value, list) else _word(value)


def _word(value: object) -> str:
    if isinstance(value, list):
        return "+".join(map(_word, value)) or NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NONE if value is None else str(value)


def words(text: str) -> list[str]:
    """Read a list of words."""
    return text.replace(",", " ").split()


def pairs(text: str) -> dict[str, str]:
    """Read ``key=value`` words."""
    parts = [word.partition("=") for word in words(text)]
    found = {key: item for key, _, item in parts if key and item}
    if len(found) != len(parts):
        raise ValueError(text)
    return found


def whole(text: str) -> int:
    """Read a whole number."""
    if len(text) > 10 or not text.isascii() or not text.isdecimal():
        raise ValueError(text)
    return int(text)


def counts(text: str) -> dict[str, int]:
    """Read ``red=1 yellow=0``."""
    return {word: whole(count) for word, count in pairs(text).items()}


def lists(text: str) -> dict[str, list[str]]:
    """Read ``blue=door+leap orange=none``."""
    return {word: [] if names == NONE else names.split("+") for word, names in pairs(text).items()}


def yes(text: str) -> bool:
    """Read yes or no."""
    if text not in _YES:
        raise ValueError(text)
    return _YES[text]


WORD = HeaderForm()
WORDS = HeaderForm(words)
NUMBER = HeaderForm(whole, "write a whole number")
TRUTH = HeaderForm(yes, "write yes or no")
