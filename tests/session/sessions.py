"""A session of the game of single steps, driven by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.match.arguments import Command
from referee.match.events import Event, GameStarted, SetupAccepted
from referee.match.transitions import begin, step
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.looking import LookPatience
from referee.session.said import CommandGiven, Report
from tests.match.fakes import FakeEyes, StepGame, picture_of, start, step_adapter

GAME = StepGame()
BEFORE, STEP, TWO_STEPS = "11r/1y1", "11r/1y2", "11r/1y3"


class Kept:
    """A driver that keeps everything in lists, and can be told to fail."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.kept: list[Capture] = []
        self.reports: list[Report] = []
        self.full = False

    def write(self, events: tuple[Event, ...]) -> None:
        if self.full:
            raise OSError("the disk is full")
        self.events.extend(events)

    def keep(self, capture: Capture) -> Mapping[str, str]:
        self.kept.append(capture)
        return {"cam0": f"picture {len(self.kept)}"}

    def attend(self, report: Report) -> None:
        self.reports.append(report)

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


class Table:
    """A session of the game of single steps, and its driver."""

    def __init__(
        self, patience: LookPatience | None = None, game: StepGame = GAME, eyes: FakeEyes | None = None
    ) -> None:
        state = step(begin(GameStarted(start())), SetupAccepted(""))
        self.driver = Kept()
        self.session = Session(game, state, step_adapter(eyes or FakeEyes(), game), 100.0, patience)

    def receive(self, said: Any) -> None:
        carry_out(self.session.receive(said), self.driver)

    def command(self, name: str, at_s: float = 100.0, **arguments: Any) -> None:
        self.receive(CommandGiven(Command(name, arguments, "red"), at_s))


def capture(text: str, at_s: float = 101.0) -> Capture:
    return Capture.of(picture_of(text), at_s)
