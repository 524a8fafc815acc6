"""A session of the game of one cube, whose pictures leave open what a test says they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.games.contract import Citation, RuleId, Ruling, Seat
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.kit import KIT
from referee.kinds.grid.session import GridAdapter
from referee.match.arguments import Command
from referee.match.events import GameStarted, SetupAccepted, TurnRuled
from referee.match.state import Entry, TableState
from referee.match.transitions import begin, step
from referee.session.capture import Capture
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.said import Captured, CommandGiven, NothingCaptured, TimePassed, WantsToRule
from referee.values.belief import BoardBelief, Unchanged
from referee.values.board import Board
from referee.values.declaring import NOTHING_DECLARED, Declared
from referee.values.words import say
from tests.kinds.grid.judging.seeing import START, OneCube, Spot, seen
from tests.match.fakes import Pictures, picture_of
from tests.session.sessions import Kept
from vision.reading import CameraView, Reading

ORDER = (Colour.RED, Colour.YELLOW, Colour.GREEN)


class ThreePlay(OneCube):
    """Three players move one cube each, in turn, and may give up."""

    kit = replace(KIT, columns=3, rows=2)

    def citation(self, position: Spot, rule: RuleId) -> Citation:
        return Citation("", "")

    def progress(self, position: Spot, boards: Sequence[Board]) -> tuple[()]:
        return ()

    def seats(self, position: Spot) -> tuple[Seat, ...]:
        return tuple(Seat(colour, ("nw",), (), say("Player")) for colour in ORDER)

    def check(
        self, position: Spot, observed: Board, frames: Sequence[Board] = (), declared: Declared = NOTHING_DECLARED
    ) -> Ruling:
        ruling = super().check(position, observed, frames, declared)
        return ruling if ruling.next is None else replace(ruling, next=self.accepted(position, observed))

    def accepted(self, position: Spot, observed: Board, declared: Declared = NOTHING_DECLARED) -> Spot:
        return self.passed(replace(position, board=observed))

    def passed(self, position: Spot) -> Spot:
        return replace(position, turn=position.turn + 1, to_move=ORDER[position.turn % 3])

    def resigned(self, position: Spot, out: frozenset[Colour]) -> Spot:
        return position

    def corrected(self, position: Spot, changes: Mapping[str, Any]) -> Spot:
        return replace(position, board=self.observation(changes["board"]))


class OneCubeTable:
    """A session that is driven by hand. bound: what keeps a ruling's time."""

    def __init__(self, **bound: Any) -> None:
        game = ThreePlay()
        self.looks: dict[str, tuple[BoardBelief, Unchanged | None]] = {}
        self.driver = Kept()
        state = step(begin(GameStarted(START, recorded=True)), SetupAccepted(""))  # nobody is there to be asked
        self.session = Session(game, state, GridAdapter(game, self), 100.0, **bound)
        self._now_s = 100.0
        self.receive(TimePassed(self._now_s))

    def read(self, pictures: Pictures, expect: object = None, *, since: object = None) -> Reading:
        """Read a board, as far as ``looks`` says that it is seen."""
        text = pictures["cam0"].tobytes().decode()
        belief, unchanged = self.looks.get(text, (seen(text, 14.0), None))
        view = {"cam0": CameraView(8, 0.3), "cam1": CameraView(8, 0.3)}
        return Reading(belief, text, np.full((2, 3), 0.99), {}, True, (), view, 1.0, unchanged=unchanged)

    @property
    def state(self) -> TableState:
        return self.session.state

    @property
    def newest(self) -> Entry:
        return [entry for entry in self.state.history if entry.ruled is not None][-1]

    def ruled(self) -> TurnRuled:
        assert self.newest.ruled is not None
        return self.newest.ruled

    def receive(self, said: Any) -> None:
        carry_out(self.session.receive(said), self.driver)

    def tell(self, command: str, **arguments: Any) -> None:
        self._now_s += 1
        self.receive(CommandGiven(Command(command, arguments, "Tablet"), self._now_s))
        if isinstance(self.session.wish(self._now_s).cameras, WantsToRule):
            self.receive(NothingCaptured(self._now_s))

    def show(self, text: str) -> None:
        self._now_s += 1
        self.receive(Captured(Capture.of(picture_of(text), self._now_s), self._now_s))

    def turn(self, text: str) -> str:
        """End a turn at a board; return the verdict."""
        self.tell("turn_ended")
        self.show(text)
        return self.ruled().verdict.value

    def wait(self, seconds: float) -> None:
        self._now_s += seconds
        self.receive(NothingCaptured(self._now_s))
        self.receive(TimePassed(self._now_s))
