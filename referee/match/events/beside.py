"""Events beside the turns: the table was checked or changed while nobody was seen, the pictures end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from referee.games.contract import AnyGame
from referee.match.events.base import Data, JsonObject, PlainEvent, Trigger


@dataclass(frozen=True, slots=True)
class TableChecked:
    """The table was checked, and what was found is kept beside it.

    certificate: name of its file in the table folder's certificates/. sha256: of that file, hexadecimal. verdict: the
    word it ends in. by: who had it made.
    """

    kind: ClassVar[str] = "table_checked"
    certificate: str
    sha256: str
    verdict: str
    by: str = ""
    trigger: ClassVar[Trigger] = Trigger.CHECKED

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        said: JsonObject = {"certificate": self.certificate, "sha256": self.sha256, "verdict": self.verdict}
        return said | ({"by": self.by} if self.by else {})

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(str(data["certificate"]), str(data["sha256"]), str(data["verdict"]), str(data.get("by", "")))


@dataclass(frozen=True, slots=True)
class ChangedUnseen(PlainEvent):
    """The table changed and stands still, and no camera saw anybody at it."""

    kind: ClassVar[str] = "changed_unseen"
    trigger: ClassVar[Trigger] = Trigger.CHANGED_UNSEEN


@dataclass(frozen=True, slots=True)
class SourceEnded(PlainEvent):
    """There will be no more pictures. words: why, in the players' words."""

    kind: ClassVar[str] = "source_ended"
    words: str
    trigger: ClassVar[Trigger] = Trigger.SOURCE_ENDED
