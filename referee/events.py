"""What happens at a table, as the journal keeps it: frozen values that check themselves and go to JSON and back.

Every event names what moved the table (its ``trigger``); referee/table.py says where that leads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self

from referee.board import Colour, Field
from referee.ruling import Act, Game, Position, RuleId, Ruling, Violation

AnyGame = Game[Any]
"""A game whose positions are its own affair."""


class EventError(ValueError):
    """An event that contradicts itself, or JSON that is no event."""


class Trigger(StrEnum):
    """What can move a table from one phase to another."""

    SETUP_LOOK = "a look at the set-up"
    SETUP_RIGHT = "the set-up is right"
    SETUP_WRONG = "the set-up is not right"
    TURN_ENDED = "the end of a turn"
    SEEN = "a clear view"
    COVERED = "a covered view"
    LOST = "a lost view"
    LEGAL = "a legal turn"
    WON = "a legal turn that ends the game"
    ILLEGAL = "an illegal turn"
    UNSURE = "a turn that can't be told"
    SOURCE_ENDED = "the end of the pictures"


class Verdict(StrEnum):
    """What the referee says of a turn."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


class Event(Protocol):
    """What every event can do."""

    kind: ClassVar[str]

    @property
    def trigger(self) -> Trigger | None:
        """What this event is to the table's phases; ``None`` for the one that opens it."""

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins at an agreed position. source: in the players' words, where the pictures come from."""

    kind: ClassVar[str] = "game_started"
    position: Position
    source: str = ""

    trigger: ClassVar[Trigger | None] = None

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""
        return {"position": self.position.to_json(), "source": self.source}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(game.position(data["position"]), data["source"])


@dataclass(frozen=True, slots=True)
class LookTaken:
    """Somebody asked the referee to look. look: its number, from 1; setup: at the set-up instead of a turn's end."""

    kind: ClassVar[str] = "look_taken"
    look: int
    setup: bool = False

    @property
    def trigger(self) -> Trigger:
        """The set-up or a turn's end."""
        return Trigger.SETUP_LOOK if self.setup else Trigger.TURN_ENDED

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""
        return {"look": self.look, "setup": self.setup}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(data["look"], data["setup"])


@dataclass(frozen=True, slots=True)
class CameraNote:
    """How one camera saw the table; ``reprojection_px`` is ``None`` when it lost the frame."""

    name: str
    markers: int
    reprojection_px: float | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReadingMade:
    """What a look at the table gave, in the words of ``referee read`` (formats.md)."""

    kind: ClassVar[str] = "reading"
    text: str
    confidence: tuple[tuple[float, ...], ...]
    stones: tuple[tuple[str, int | None], ...]
    clear: bool
    blocked: tuple[Field, ...]
    cameras: tuple[CameraNote, ...]
    duration_ms: float

    @property
    def trigger(self) -> Trigger:
        """Whether anything could be read."""
        if all(camera.reprojection_px is None for camera in self.cameras):
            return Trigger.LOST
        return Trigger.SEEN if self.clear else Trigger.COVERED

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""
        return {
            "board": self.text,
            "confidence": [list(row) for row in self.confidence],
            "aggressor": dict(self.stones),
            "clear": self.clear,
            "blocked": names(self.blocked),
            "cameras": {
                note.name: {"markers": note.markers, "reprojection_px": note.reprojection_px, "problem": note.problem}
                for note in self.cameras
            },
            "ms": self.duration_ms,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(
            data["board"],
            tuple(tuple(row) for row in data["confidence"]),
            tuple(data["aggressor"].items()),
            data["clear"],
            fields(data["blocked"]),
            tuple(
                CameraNote(name, note["markers"], note["reprojection_px"], note["problem"])
                for name, note in data["cameras"].items()
            ),
            data["ms"],
        )


@dataclass(frozen=True, slots=True)
class SetupChecked:
    """The set-up was compared with what the game asks for."""

    kind: ClassVar[str] = "setup_checked"
    differences: tuple[Violation, ...]

    @property
    def trigger(self) -> Trigger:
        """Right or not."""
        return Trigger.SETUP_WRONG if self.differences else Trigger.SETUP_RIGHT

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""
        return {"differences": [_violation_json(violation) for violation in self.differences]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(_violations(data["differences"]))


@dataclass(frozen=True, slots=True)
class TurnRuled:
    """The referee ruled on a turn. observed: the board text ruled on; doubts: the fields that kept it from ruling."""

    kind: ClassVar[str] = "ruling"
    verdict: Verdict
    observed: str
    ruling: Ruling | None
    doubts: tuple[Field, ...] = ()

    def __post_init__(self) -> None:
        ruling = self.ruling
        if self.verdict is Verdict.LEGAL and (ruling is None or not ruling.legal or ruling.next is None):
            raise EventError("a legal turn comes with the position after it")
        if self.verdict is Verdict.ILLEGAL and (ruling is None or ruling.legal or not ruling.violations):
            raise EventError("an illegal turn names the rule it broke")

    @property
    def trigger(self) -> Trigger:
        """The verdict, and whether it ends the game."""
        if self.verdict is Verdict.LEGAL:
            return Trigger.WON if self.ruling is not None and self.ruling.finished else Trigger.LEGAL
        return Trigger.ILLEGAL if self.verdict is Verdict.ILLEGAL else Trigger.UNSURE

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it: the answer of ``referee audit`` and the acts to draw."""
        answer: dict[str, object] = {
            "ruling": self.verdict.value,
            "observed": self.observed,
            "doubts": names(self.doubts),
        }
        if self.ruling is None:
            return answer
        acts = [
            {"kind": act.kind, "fields": names(act.fields), "captures": names(act.captures), "text": act.text}
            for act in self.ruling.acts
        ]
        return answer | {"answer": self.ruling.to_json(), "acts": acts}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        ruling = _ruling(data["answer"], data["acts"], game) if "answer" in data else None
        return cls(Verdict(data["ruling"]), data["observed"], ruling, fields(data["doubts"]))


@dataclass(frozen=True, slots=True)
class SourceEnded:
    """There will be no more pictures. words: why, in the players' words."""

    kind: ClassVar[str] = "source_ended"
    words: str
    trigger: ClassVar[Trigger] = Trigger.SOURCE_ENDED

    def to_json(self) -> dict[str, object]:
        """The event's data, as the journal keeps it."""
        return {"words": self.words}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(data["words"])


_KINDS: dict[str, Any] = {
    event.kind: event for event in (GameStarted, LookTaken, ReadingMade, SetupChecked, TurnRuled, SourceEnded)
}


def event_from_json(kind: str, data: Mapping[str, object], game: AnyGame) -> Event:
    """The event a journal's kind and data describe. Raises EventError when they describe none."""
    if kind not in _KINDS:
        raise EventError(f"{kind!r} is no event this version knows")
    try:
        event: Event = _KINDS[kind].from_json(data, game)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        told = error if isinstance(error, ValueError) else repr(error)  # those speak in sentences
        raise EventError(f"a {kind!r} event can't be read: {told}") from error
    return event


def names(places: Sequence[Field]) -> list[str]:
    """Fields as formats write them."""
    return [place.name for place in places]


def fields(words: Sequence[str]) -> tuple[Field, ...]:
    """Fields from their names."""
    return tuple(Field.from_name(word) for word in words)


def _violation_json(violation: Violation) -> dict[str, object]:
    return {"rule": violation.rule, "fields": names(violation.fields), "message": violation.message}


def _violations(data: Sequence[Mapping[str, Any]]) -> tuple[Violation, ...]:
    return tuple(Violation(RuleId(item["rule"]), fields(item["fields"]), item["message"]) for item in data)


def _ruling(answer: Mapping[str, Any], acts: Sequence[Mapping[str, Any]], game: AnyGame) -> Ruling:
    return Ruling(
        legal=answer["legal"],
        violations=_violations(answer["violations"]),
        alternatives=tuple(tuple(RuleId(rule) for rule in rules) for rules in answer["alternatives"]),
        acts=tuple(Act(act["kind"], fields(act["fields"]), fields(act["captures"]), act["text"]) for act in acts),
        turn=answer["turn"],
        next=None if answer["next"] is None else game.position(answer["next"]),
        winners=tuple(Colour.from_word(word) for word in answer["winners"]),
        finished=answer["finished"],
        complete=answer.get("complete", True),
    )
