"""Events of the game clock: how it stands whenever it starts, stops or is told something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from referee.games.contract import AnyGame
from referee.match.clock import Clock
from referee.match.events.base import Data, EventError, JsonObject, PlainEvent, Trigger

MOST_CHANGED_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class ClockMoved:
    """The clock's new state: it has begun to run or to stand, a flag has fallen, or it is noted now and then."""

    kind: ClassVar[str] = "clock"
    trigger: ClassVar[Trigger] = Trigger.CLOCK
    clock: Clock

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return self.clock.to_json()

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(Clock.from_json(data))


@dataclass(frozen=True, slots=True)
class _TimeChanged:
    """A player's time is changed by so many ms. player: the colour's word."""

    trigger: ClassVar[Trigger] = Trigger.CLOCK_SET
    by: str
    player: str
    ms: int

    def __post_init__(self) -> None:
        if type(self.ms) is not int or not 0 < self.ms <= MOST_CHANGED_MS:
            raise EventError("more time than none is given or taken, at most a day of it")

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"by": self.by, "player": self.player, "ms": self.ms}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(str(data["by"]), game.player(data["player"]).word, data["ms"])


@dataclass(frozen=True, slots=True)
class TimeGiven(_TimeChanged):
    """Players agreed that one of them gets more time."""

    kind: ClassVar[str] = "time_given"


@dataclass(frozen=True, slots=True)
class TimeTaken(_TimeChanged):
    """An arbiter takes time from a player."""

    kind: ClassVar[str] = "time_taken"


@dataclass(frozen=True, slots=True)
class ClockLaidAside(PlainEvent):
    """Players agreed to go on without the clock."""

    kind: ClassVar[str] = "clock_aside"
    trigger: ClassVar[Trigger] = Trigger.CLOCK_SET
    by: str
