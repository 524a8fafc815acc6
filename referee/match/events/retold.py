"""The event by which earlier turns are told anew, once later pictures show what they left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from referee.games.contract import AnyGame, Position, Ruling
from referee.match.events.base import Data, EventError, JsonObject, Trigger, fields, names, number_of
from referee.match.events.rulings import ruling_json, ruling_of
from referee.values.board import Field


@dataclass(frozen=True, slots=True)
class TurnRetold:
    """A legal turn as it is known now.

    entry: its number in the record. before: the position it began from. ruling: on it, with the position after it.
    open: fields on which something else may still stand, or of which the turn may have gone otherwise.
    """

    entry: int
    before: Position
    ruling: Ruling
    open: frozenset[Field] = frozenset()

    def __post_init__(self) -> None:
        if not self.ruling.legal or self.ruling.next is None:
            raise EventError("only a legal turn is told anew, with the position after it")

    def to_json(self) -> JsonObject:
        """Return the turn as the journal keeps it."""
        said: JsonObject = {"entry": self.entry, "before": self.before.to_json()}
        return said | ruling_json(self.ruling) | ({"open": names(sorted(self.open))} if self.open else {})

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        ruling = ruling_of(data["answer"], data["acts"], game)
        before = game.position(data["before"])
        return cls(number_of(data["entry"]), before, ruling, frozenset(fields(data.get("open", ()))))


@dataclass(frozen=True, slots=True)
class TurnsRetold:
    """Later pictures tell more of earlier turns. Their rulings stand; what the turns did is told anew."""

    kind: ClassVar[str] = "turns_retold"
    turns: tuple[TurnRetold, ...]
    trigger: ClassVar[Trigger] = Trigger.RETOLD

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"turns": [turn.to_json() for turn in self.turns]}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        turns = data["turns"]
        if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns):
            raise EventError("turns that are told anew stand in a list")
        return cls(tuple(TurnRetold.from_json(turn, game) for turn in turns))
