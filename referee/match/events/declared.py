"""Events of what players declare of the turn under way, and of what they have filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from referee.games.contract import AnyGame
from referee.match.events.base import Data, JsonObject, Trigger, text_of
from referee.values.declaring import Declared


@dataclass(frozen=True, slots=True)
class TurnDeclared:
    """Players declare what no camera sees of the turn under way, by the ids of the game's form.

    It takes the place of what was declared of the turn before. rule: a turn that waits for the players is ruled on
    again with it; not so while somebody is still filling the form in.
    """

    kind: ClassVar[str] = "declared"
    by: str
    declared: Declared
    rule: bool = True

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether the declaration asks for a ruling."""
        return Trigger.DECLARED if self.rule else Trigger.ENTERED

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"by": self.by, "declared": dict(self.declared)} | ({} if self.rule else {"rule": False})

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(text_of(data["by"]), dict(data["declared"]), bool(data.get("rule", True)))


@dataclass(frozen=True, slots=True)
class AnswersDrafted:
    """Somebody fills in what an option asks, without declaring it. values: ``None`` drops it."""

    kind: ClassVar[str] = "drafted"
    trigger: ClassVar[Trigger] = Trigger.ENTERED
    by: str
    option: str
    values: Declared | None

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"by": self.by, "option": self.option, "values": None if self.values is None else dict(self.values)}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        values = data["values"]
        return cls(text_of(data["by"]), text_of(data["option"]), None if values is None else dict(values))
