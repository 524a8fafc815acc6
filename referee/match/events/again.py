"""The event by which an earlier turn is put right, with the rulings on the later ones that this changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from referee.games.contract import AnyGame, Position
from referee.match.events.base import Data, EventError, JsonObject, Trigger, given, number_of, text_of
from referee.match.events.ruled import TurnRuled
from referee.values.declaring import Declared


@dataclass(frozen=True, slots=True)
class RuledAgain:
    """An entry of the record as it is judged now.

    entry: its number. after: the position after it; ``None`` of a turn that does not count. ruled: what is ruled now,
    ``None`` of an entry that is no turn. by_hand: on a board that people told, in part at least. declared: of the
    turn, where people say that, too.
    """

    entry: int
    after: Position | None
    ruled: TurnRuled | None = None
    by_hand: bool = False
    declared: Declared | None = None

    def to_json(self) -> JsonObject:
        """Return the entry as the journal keeps it."""
        after = None if self.after is None else self.after.to_json()
        ruled = None if self.ruled is None else self.ruled.to_json()
        said = {} if self.declared is None else {"declared": dict(self.declared)}
        return {"entry": self.entry} | given(after=after, ruling=ruled, by_hand=self.by_hand) | said

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        after = game.position(data["after"]) if "after" in data else None
        ruled = TurnRuled.from_json(data["ruling"], game) if "ruling" in data else None
        declared = data.get("declared")
        if declared is not None and not isinstance(declared, Mapping):
            raise EventError("what was declared is an object")
        return cls(number_of(data["entry"]), after, ruled, bool(data.get("by_hand", False)), declared)


@dataclass(frozen=True, slots=True)
class TurnPutRight:
    """People say how an earlier turn was; the later ones are judged again.

    entries: the turn itself, and every later entry of which the ruling or the board changes. position: where the game
    stands now. board: text of the board of the turn that waits, where people gave it; ``None`` where none does.
    """

    kind: ClassVar[str] = "ruled_again"
    by: str
    entries: tuple[RuledAgain, ...]
    position: Position
    board: str | None = None

    def __post_init__(self) -> None:
        numbers = [one.entry for one in self.entries]
        if not numbers or numbers != sorted(set(numbers)):
            raise EventError("entries that are judged again stand in the record's order, each once")
        if self.entries[0].ruled is None:
            raise EventError("the turn that is put right comes with its ruling")

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether the game is over now."""
        return Trigger.AGAIN_WON if self.position.finished else Trigger.AGAIN

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        said: JsonObject = {"by": self.by, "entries": [one.to_json() for one in self.entries]}
        return said | {"position": self.position.to_json()} | ({} if self.board is None else {"board": self.board})

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        entries = data["entries"]
        if not isinstance(entries, list) or not all(isinstance(one, Mapping) for one in entries):
            raise EventError("entries that are judged again stand in a list")
        board = text_of(data["board"]) if "board" in data else None
        read = tuple(RuledAgain.from_json(one, game) for one in entries)
        return cls(text_of(data["by"]), read, game.position(data["position"]), board)
