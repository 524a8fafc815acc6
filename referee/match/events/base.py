"""The base of all events: a trigger for the table's phases, and a form that goes to JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self, get_type_hints

from referee.games.contract import AnyGame, Position, RuleId, Violation
from referee.values.board import Field
from referee.values.players import Player
from referee.values.words import Words, verbatim

JsonObject = dict[str, object]
Data = Mapping[str, Any]


class EventError(ValueError):
    """An event that contradicts itself, or JSON that is no event."""


class Trigger(StrEnum):
    """Triggers that move a table from one phase to another."""

    SETUP_LOOK = "a look at the set-up"
    SETUP_RIGHT = "the set-up is right"
    SETUP_WRONG = "the set-up is not right"
    SETUP_ACCEPTED = "the players begin from the board as agreed"
    RESEATED = "the players take the seats that are seen"
    TURN_ENDED = "the end of a turn"
    TOLD = "what somebody says stands on a field"
    CONFIRMED = "a turn said to be over though nothing changed"
    CALLED_OFF = "the turn is not over after all"
    SEEN = "a clear view"
    COVERED = "a covered view"
    LOST = "a lost view"
    LEGAL = "a legal turn"
    WON = "a legal turn that ends the game"
    ILLEGAL = "an illegal turn"
    UNSURE = "a turn that can't be told"
    RETOLD = "earlier turns as later pictures show them"
    PUT_BACK = "the board is back as it was"
    ACCEPTED = "the players accept a turn"
    ACCEPTED_WON = "an accepted turn that ends the game"
    WITHDRAWN = "the reading is called wrong"
    READING_CORRECTED = "the board as the players say it stands"
    DECLARED = "what no camera sees"
    ENTERED = "what somebody fills in"
    DENIED = "no to what was asked before an accusation"
    CORRECTED = "a position corrected by hand"
    UNDONE = "turns undone"
    AGAIN = "an earlier turn put right"
    AGAIN_WON = "an earlier turn put right, which ends the game"
    PAUSED = "a pause"
    RESUMED = "the end of a pause"
    RESIGNED = "a resignation"
    RESIGNED_LAST = "a resignation that ends the game"
    PASSED = "a turn passed over"
    PASSED_WON = "a turn passed over that ends the game"
    ENDED = "the end of the game by agreement"
    DISPUTED = "a dispute"
    RESOLVED = "a dispute resolved"
    SOURCE_ENDED = "the end of the pictures"
    CHECKED = "a check of the table"
    CHANGED_UNSEEN = "a change that nobody was seen to make"
    CLOCK = "the game clock"
    CLOCK_SET = "time given or taken, or the clock laid aside"
    ORDERED = "an arbiter's order"


class Verdict(StrEnum):
    """The referee's verdict on a turn."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


class Event(Protocol):
    """The base of all events."""

    kind: ClassVar[str]

    @property
    def trigger(self) -> Trigger | None:
        """Return the trigger that moves the table's phases; ``None`` for the event that opens a table."""

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""


def names(places: Sequence[Field]) -> list[str]:
    """Return fields as formats write them."""
    return [place.name for place in places]


def fields(words: Sequence[str]) -> tuple[Field, ...]:
    """Return fields from their names."""
    return tuple(Field.from_name(word) for word in words)


def given(**said: object) -> JsonObject:
    """Return the values that say something.

    The others are left out as they were in journals of earlier versions.
    """
    return {key: value for key, value in said.items() if value}


def violation_json(violation: Violation) -> JsonObject:
    """Return a violation as formats write it, with its words, so that a journal can be shown in any language."""
    return violation.to_json() | {"words": violation.words.to_json()}


def violations(data: Sequence[Data]) -> tuple[Violation, ...]:
    """Return violations from what ``violation_json`` wrote."""
    return tuple(Violation(RuleId(text_of(item["rule"])), fields(item["fields"]), _words(item)) for item in data)


def _words(item: Data) -> Words:
    """Return the words of a violation; journals of the first version have nothing but the English sentence."""
    return Words.from_json(item["words"]) if "words" in item else verbatim(item["message"])


def _checked(kind: type[Any], says: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not isinstance(value, kind) or isinstance(value, bool):
            raise EventError(f"{value!r} stands where {says} belongs")
        return value

    return check


text_of = _checked(str, "a text")
number_of = _checked(int, "a number")


_FORMS: Mapping[object, tuple[Callable[[Any], object], Callable[[Any, AnyGame], object]]] = {
    str: (str, lambda value, game: text_of(value)),
    int: (int, lambda value, game: number_of(value)),
    Player: (lambda player: player.word, lambda word, game: game.player(word)),
    Position: (lambda position: position.to_json(), lambda data, game: game.position(data)),
    tuple[Player, ...]: (
        lambda players: [player.word for player in players],
        lambda words, game: tuple(game.player(word) for word in words),
    ),
}
"""Kinds of fields that a plain event may have beside enumerations of words: to JSON, and back."""


_known: dict[type[PlainEvent], dict[str, Any]] = {}


def _kinds(event: type[PlainEvent]) -> dict[str, Any]:
    """Return the type of each field of an event; working it out takes long."""
    if event not in _known:
        hints = get_type_hints(event)
        _known[event] = {one.name: hints[one.name] for one in dataclass_fields(event)}
    return _known[event]


def _written(kind: Any, value: Any) -> object:
    return _FORMS[kind][0](value) if kind in _FORMS else kind(value).value


def _read(kind: Any, value: Any, game: AnyGame) -> object:
    return _FORMS[kind][1](value, game) if kind in _FORMS else kind(value)


@dataclass(frozen=True, slots=True)
class PlainEvent:
    """An event of which the journal keeps every field under its name."""

    kind: ClassVar[str]

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {name: _written(kind, getattr(self, name)) for name, kind in _kinds(type(self)).items()}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(**{name: _read(kind, data[name], game) for name, kind in _kinds(cls).items()})
