"""Events of an arbiter who orders something from elsewhere, with what proves whose order it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

from referee.games.contract import AnyGame
from referee.match.events.base import Data, JsonObject, Trigger, number_of, text_of


@dataclass(frozen=True, slots=True)
class ArbiterOrdered:
    """An arbiter ordered something; the events that carry it out follow.

    by: the arbiter. desk: id of the key that signed the order. number: larger than that of every earlier order of
    that desk. act: a stable word. words: why. entry: of the record that it is about, 0 for none. proof: the signed
    text with signature and public key, so that anybody can check them later.
    """

    kind: ClassVar[str] = "arbiter_ordered"
    trigger: ClassVar[Trigger] = Trigger.ORDERED
    by: str
    desk: str
    number: int
    act: str
    words: str = ""
    entry: int = 0
    proof: Mapping[str, str] = field(default_factory=dict, hash=False)

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        told: JsonObject = {"by": self.by, "desk": self.desk, "number": self.number, "act": self.act}
        return told | {"words": self.words, "entry": self.entry, "proof": dict(self.proof)}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        by, desk, act, words = (text_of(data[key]) for key in ("by", "desk", "act", "words"))
        proof = {text_of(key): text_of(value) for key, value in data["proof"].items()}
        return cls(by, desk, number_of(data["number"]), act, words, number_of(data["entry"]), proof)
