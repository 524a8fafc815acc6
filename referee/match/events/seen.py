"""Events of what the referee does and sees: a game begins, a look is taken, read and ruled on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from referee.games.answers import OtherSetup
from referee.games.contract import AnyGame, Position, Violation
from referee.match.clock import Clock
from referee.match.decision import Ask
from referee.match.events.base import (
    Data,
    JsonObject,
    Trigger,
    fields,
    given,
    names,
    number_of,
    text_of,
    violation_json,
    violations,
)
from referee.match.events.told import ask_json, ask_of, other_json, other_of
from referee.values.belief import BoardBelief, unpacked
from referee.values.board import Field
from referee.values.problems import problem_once_written
from referee.values.words import Words, say

_NUMBER = "#"
"""Stands in the name of a picture from the hand and in no fixed camera's (vision/geometry/view.py)."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins at an agreed position.

    source: in the players' words, where the pictures come from. players: what the players are called, by the word of
    their colour, as far as they said. by: who began it. recorded: the pictures are of a game played before and can be
    shown from their beginning again. clock: on which no time has passed, ``None`` without one.
    """

    kind: ClassVar[str] = "game_started"
    position: Position
    source: str = ""
    players: tuple[tuple[str, str], ...] = ()
    by: str = ""
    recorded: bool = False
    clock: Clock | None = None

    trigger: ClassVar[Trigger | None] = None

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        said: JsonObject = {"position": self.position.to_json(), "source": self.source}
        clock = self.clock.to_json() if self.clock else None
        return said | given(players=dict(self.players), by=self.by, recorded=self.recorded, clock=clock)

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        players = tuple((word, text_of(name)) for word, name in data.get("players", {}).items())
        position, recorded = game.position(data["position"]), bool(data.get("recorded"))
        clock = Clock.from_json(data["clock"]) if "clock" in data else None
        return cls(position, text_of(data["source"]), players, text_of(data.get("by", "")), recorded, clock)


@dataclass(frozen=True, slots=True)
class LookTaken:
    """Somebody asked the referee to look.

    look: its number, from 1. setup: at the set-up instead of a turn's end. by: who asked (a player, a button or a
    device; empty for the referee itself).
    """

    kind: ClassVar[str] = "look_taken"
    look: int
    setup: bool = False
    by: str = ""

    @property
    def trigger(self) -> Trigger:
        """Return the trigger: a look at the set-up, or at a turn's end."""
        return Trigger.SETUP_LOOK if self.setup else Trigger.TURN_ENDED

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {"look": self.look, "setup": self.setup, **given(by=self.by)}

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(number_of(data["look"]), bool(data["setup"]), text_of(data.get("by", "")))


@dataclass(frozen=True, slots=True)
class CameraNote:
    """One camera's view of the table; ``reprojection_px`` is ``None`` when it lost the frame.

    place_mm: where it stood, table axes, as far as that is kept. outline: the parts of its picture that are kept,
    each by its corners (x, y) in pixels, all else being filled flat; none where it is not kept, and in journals of
    earlier versions, where it is whole. part: the fields in it, as rows of 0 and 1, where not all are.
    """

    name: str
    markers: int
    reprojection_px: float | None
    problem: Words | None = None
    place_mm: tuple[float, ...] = ()
    outline: tuple[tuple[tuple[int, int], ...], ...] = ()
    part: str = ""

    @property
    def of_stand(self) -> bool:
        """Return whether it is of a camera that stands still, and of no picture from the hand."""
        return _NUMBER not in self.name

    def to_json(self) -> JsonObject:
        """Return the note as the journal keeps it, without the name."""
        problem = self.problem
        told = "" if problem is None else problem.text()
        said = {"markers": self.markers, "reprojection_px": self.reprojection_px, "problem": told}
        outline = [[list(corner) for corner in part] for part in self.outline]
        words = {} if problem is None else problem.to_json()
        return said | given(words=words, place_mm=list(self.place_mm), outline=outline, part=self.part)

    @classmethod
    def from_json(cls, name: str, data: Data) -> Self:
        """Read what ``to_json`` wrote."""
        place = tuple(float(value) for value in data.get("place_mm", ()))
        outline = tuple(tuple((int(x), int(y)) for x, y in part) for part in data.get("outline", ()))
        words = data.get("words")
        problem = problem_once_written(data["problem"]) if words is None else Words.from_json(words)
        return cls(name, data["markers"], data["reprojection_px"], problem, place, outline, data.get("part", ""))


@dataclass(frozen=True, slots=True)
class ReadingMade:
    """The result of a look at the table, in the words of ``referee read`` (formats.md).

    tracks: player's places, and the field of each on which the stone that counts there was seen. pictures: for each
    camera the name under which its picture is kept as evidence. belief: what the ruling rests on,
    as ``referee.values.belief.packed`` writes it; empty in journals that don't keep it. frames: board texts seen
    standing still during the turn, oldest first. unchanged: how this look compares with the last known one, as
    ``packed_unchanged`` writes it. alone: the fields no hand came near since then, as ``mask_text`` writes;
    empty where that is not known. score: player's word and the field of the score track on which the marker was seen.
    """

    kind: ClassVar[str] = "reading"
    text: str
    confidence: tuple[tuple[float, ...], ...] = ()
    tracks: tuple[tuple[str, int | None], ...] = ()
    clear: bool = True
    blocked: tuple[Field, ...] = ()
    cameras: tuple[CameraNote, ...] = ()
    duration_ms: float = 0.0
    pictures: tuple[tuple[str, str], ...] = ()
    belief: str = ""
    frames: tuple[str, ...] = ()
    unchanged: str = ""
    alone: str = ""
    score: tuple[tuple[str, int], ...] = ()

    def with_troubles(self, troubles: Mapping[str, Words]) -> Self:
        """Return the reading with what befell fixed cameras, by their names; what its own notes say stays."""
        known = tuple(
            replace(note, problem=note.problem or troubles.get(note.name)) if note.name in troubles else note
            for note in self.cameras
        )
        named = {note.name for note in known}
        out = tuple(CameraNote(name, 0, None, words) for name, words in troubles.items() if name not in named)
        return replace(self, cameras=(*known, *out))

    @property
    def sightless(self) -> tuple[Words, ...]:
        """Return in a sentence each which fixed cameras saw nothing of what others saw, or were moved, and why.

        Pictures from the hand are no such cameras: who takes another one makes up for a poor one.
        """
        if all(note.reprojection_px is None for note in self.cameras):
            return ()
        return tuple(
            say("Ruled on without {camera}: {why}", camera=note.name, why=note.problem)
            if note.reprojection_px is None
            else note.problem
            for note in self.cameras
            if note.problem is not None and note.of_stand
        )

    def unpacked_belief(self, letters: str) -> BoardBelief:
        """Return what the ruling rests on. letters: of the game's pieces. Raises ValueError where it is not kept."""
        return unpacked(self.belief, letters)

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells whether anything could be read. A clear look without cameras needed none."""
        if not (self.clear and not self.cameras) and all(camera.reprojection_px is None for camera in self.cameras):
            return Trigger.LOST
        return Trigger.SEEN if self.clear else Trigger.COVERED

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        return {
            "board": self.text,
            "confidence": [list(row) for row in self.confidence],
            "aggressor": dict(self.tracks),
            "clear": self.clear,
            "blocked": names(self.blocked),
            "cameras": {note.name: note.to_json() for note in self.cameras},
            "ms": self.duration_ms,
            **given(
                pictures=dict(self.pictures),
                belief=self.belief,
                frames=list(self.frames),
                unchanged=self.unchanged,
                alone=self.alone,
                score=dict(self.score),
            ),
        }

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(
            text_of(data["board"]),
            tuple(tuple(row) for row in data["confidence"]),
            tuple(data["aggressor"].items()),
            data["clear"],
            fields(data["blocked"]),
            tuple(CameraNote.from_json(name, note) for name, note in data["cameras"].items()),
            data["ms"],
            tuple((camera, text_of(kept)) for camera, kept in data.get("pictures", {}).items()),
            text_of(data.get("belief", "")),
            tuple(data.get("frames", ())),
            data.get("unchanged", ""),
            data.get("alone", ""),
            tuple(data.get("score", {}).items()),
        )


@dataclass(frozen=True, slots=True)
class SetupChecked:
    """The set-up was compared with what the game asks for.

    position: where the game begins when nothing differs, with the flags where they were seen; ``None`` keeps the
    position agreed on. asks: the fields nobody could see well, which players must tell before the game begins.
    other: the set-up that is seen instead of the one agreed on.
    """

    kind: ClassVar[str] = "setup_checked"
    differences: tuple[Violation, ...]
    position: Position | None = None
    asks: tuple[Ask, ...] = ()
    other: OtherSetup | None = None

    @property
    def trigger(self) -> Trigger:
        """Return the trigger: the set-up is right, or wrong."""
        return Trigger.SETUP_WRONG if self.differences or self.asks else Trigger.SETUP_RIGHT

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it."""
        said: JsonObject = {"differences": [violation_json(violation) for violation in self.differences]}
        position = self.position.to_json() if self.position else None
        other = other_json(self.other) if self.other else None
        return said | given(position=position, asks=[ask_json(ask) for ask in self.asks], other=other)

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        position = game.position(data["position"]) if "position" in data else None
        other = other_of(data["other"], game) if "other" in data else None
        return cls(violations(data["differences"]), position, tuple(map(ask_of, data.get("asks", ()))), other)
