"""Events of what players decide: each names who decided it (``by``), and holds all that a replay needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self

from referee.games.contract import AnyGame, Position
from referee.match.events.base import Data, EventError, JsonObject, PlainEvent, Trigger, text_of
from referee.match.turnkind import with_places
from referee.values.kit import Kit
from referee.values.players import Player


class Resolution(StrEnum):
    """Outcomes of a dispute."""

    STANDS = "stands"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"


class End(StrEnum):
    """Ways in which players end a game that the rules have not ended."""

    AGREEMENT = "agreement"
    DRAW = "draw"
    ABANDONED = "abandoned"


def _stands(data: object) -> tuple[tuple[str, str], ...]:
    """Return fields with what stands there. Raises EventError for anything else."""
    if not isinstance(data, Mapping):
        raise EventError("fields must be an object: what stands there, by the fields' names")
    return tuple((text_of(field), text_of(stands)) for field, stands in data.items())


@dataclass(frozen=True, slots=True)
class _Said(PlainEvent):
    """A decision that says nothing but who made it."""

    by: str


@dataclass(frozen=True, slots=True)
class _Placed(PlainEvent):
    """A decision after which the game goes on from a position."""

    by: str
    position: Position


@dataclass(frozen=True, slots=True)
class SetupAccepted:
    """The players begin on their own word, whatever the eyes say.

    position: where the game begins, with what players say stands on the board; ``None`` keeps the position agreed on.
    """

    kind: ClassVar[str] = "setup_accepted"
    trigger: ClassVar[Trigger] = Trigger.SETUP_ACCEPTED
    by: str
    position: Position | None = None

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"by": self.by} if self.position is None else {"by": self.by, "position": self.position.to_json()}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(text_of(data["by"]), game.position(data["position"]) if "position" in data else None)


@dataclass(frozen=True, slots=True)
class SeatsTaken(_Placed):
    """The players take the seats that the set-up shows, instead of those agreed on."""

    kind: ClassVar[str] = "seats_taken"
    trigger: ClassVar[Trigger] = Trigger.RESEATED


@dataclass(frozen=True, slots=True)
class CalledOff(_Said):
    """The turn was not over after all: play goes on from the position before it."""

    kind: ClassVar[str] = "called_off"
    trigger: ClassVar[Trigger] = Trigger.CALLED_OFF


@dataclass(frozen=True, slots=True)
class TurnConfirmed(_Said):
    """The turn is over although nothing has changed on the board: it is ruled on as it was read."""

    kind: ClassVar[str] = "turn_confirmed"
    trigger: ClassVar[Trigger] = Trigger.CONFIRMED


@dataclass(frozen=True, slots=True)
class FieldTold:
    """A witness tells what stands on a field that nobody could see well.

    stands: height and letter of the piece, as in board text. others: further fields told at once, with what stands
    there: who chooses one of the boards offered tells the fields in which they differ, and no other.
    """

    kind: ClassVar[str] = "field_told"
    trigger: ClassVar[Trigger] = Trigger.TOLD
    by: str
    field: str
    stands: str
    others: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> dict[str, str]:
        """Return all that is told: field to what stands there."""
        return {self.field: self.stands, **dict(self.others)}

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        said: JsonObject = {"by": self.by, "field": self.field, "stands": self.stands}
        return said | ({"others": dict(self.others)} if self.others else {})

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        others = _stands(data.get("others", {}))
        return cls(text_of(data["by"]), text_of(data["field"]), text_of(data["stands"]), others)


@dataclass(frozen=True, slots=True)
class PutBack(_Said):
    """The board is back as it was before the turn. by: who said so, empty where the referee saw it."""

    kind: ClassVar[str] = "put_back"
    trigger: ClassVar[Trigger] = Trigger.PUT_BACK


@dataclass(frozen=True, slots=True)
class TurnAccepted(_Placed):
    """All players let an illegal turn stand: the game goes on from the board as it is."""

    kind: ClassVar[str] = "turn_accepted"

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether the accepted turn ends the game."""
        return Trigger.ACCEPTED_WON if self.position.finished else Trigger.ACCEPTED


@dataclass(frozen=True, slots=True)
class RulingWithdrawn(_Said):
    """The players say that the board was read wrongly: the newest ruling no longer holds."""

    kind: ClassVar[str] = "ruling_withdrawn"
    trigger: ClassVar[Trigger] = Trigger.WITHDRAWN


@dataclass(frozen=True, slots=True)
class ReadingCorrected:
    """Players say how the board stands at the end of the turn; it is ruled on like a reading.

    fields: what stands where the board differs from the one before the turn; ``None`` in journals of old versions and
    of kinds without named places, which have the whole board in ``board``. kit: that says how fields are read.
    """

    kind: ClassVar[str] = "reading_corrected"
    trigger: ClassVar[Trigger] = Trigger.READING_CORRECTED
    by: str
    board: str = ""
    fields: tuple[tuple[str, str], ...] | None = None
    kit: Kit | None = None

    def board_after(self, before: Position) -> str:
        """Return the text of the whole board. before: the position before the turn. Raises BoardError."""
        if self.fields is None or self.kit is None:
            return self.board
        return with_places(self.kit, before.observed, dict(self.fields))

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"by": self.by, **({"board": self.board} if self.fields is None else {"fields": dict(self.fields)})}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        if "fields" in data:
            return cls(text_of(data["by"]), fields=_stands(data["fields"]), kit=game.kit)
        return cls(text_of(data["by"]), text_of(data["board"]))


@dataclass(frozen=True, slots=True)
class QuestionDenied(_Said):
    """Players answer no to the question before the turn is called illegal: the ruling stands as it is."""

    kind: ClassVar[str] = "denied"
    trigger: ClassVar[Trigger] = Trigger.DENIED


@dataclass(frozen=True, slots=True)
class PositionCorrected(_Placed):
    """The position put right by hand, in one step; undone like a turn."""

    kind: ClassVar[str] = "position_corrected"
    trigger: ClassVar[Trigger] = Trigger.CORRECTED


@dataclass(frozen=True, slots=True)
class Undone(PlainEvent):
    """An entry of the record and all after it no longer count; they stay in the record. entry: its number."""

    kind: ClassVar[str] = "undone"
    trigger: ClassVar[Trigger] = Trigger.UNDONE
    by: str
    entry: int


@dataclass(frozen=True, slots=True)
class Paused(_Said):
    """Nobody plays for a while: nothing that happens at the table counts."""

    kind: ClassVar[str] = "paused"
    trigger: ClassVar[Trigger] = Trigger.PAUSED


@dataclass(frozen=True, slots=True)
class Resumed(_Said):
    """Play goes on where it was."""

    kind: ClassVar[str] = "resumed"
    trigger: ClassVar[Trigger] = Trigger.RESUMED


@dataclass(frozen=True, slots=True)
class Disputed(PlainEvent):
    """Somebody disputes an entry of the record. dispute: its own number, from 1."""

    kind: ClassVar[str] = "disputed"
    trigger: ClassVar[Trigger] = Trigger.DISPUTED
    by: str
    dispute: int
    entry: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Resolved(PlainEvent):
    """A dispute is settled."""

    kind: ClassVar[str] = "resolved"
    trigger: ClassVar[Trigger] = Trigger.RESOLVED
    by: str
    dispute: int
    outcome: Resolution
    words: str = ""


@dataclass(frozen=True, slots=True)
class Resigned(PlainEvent):
    """A player gives up. position: what follows: finished when only one side is left."""

    kind: ClassVar[str] = "resigned"
    by: str
    player: Player
    position: Position

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether the resignation ends the game."""
        return Trigger.RESIGNED_LAST if self.position.finished else Trigger.RESIGNED


@dataclass(frozen=True, slots=True)
class TurnPassed(PlainEvent):
    """The turn of a player who gave up is passed over. position: what follows."""

    kind: ClassVar[str] = "turn_passed"
    player: Player
    position: Position

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether passing the turn over ends the game."""
        return Trigger.PASSED_WON if self.position.finished else Trigger.PASSED


@dataclass(frozen=True, slots=True)
class GameEnded(PlainEvent):
    """The players end the game. winners: who has won by their agreement; nobody in a draw."""

    kind: ClassVar[str] = "game_ended"
    trigger: ClassVar[Trigger] = Trigger.ENDED
    by: str
    how: End
    winners: tuple[Player, ...] = ()

    def __post_init__(self) -> None:
        if self.winners and self.how is not End.AGREEMENT:
            raise EventError("a draw, or a game left off, has no winners")
