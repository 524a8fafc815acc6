"""A tower on a turntable, and eyes that are told what they see: the sides that face them, the rest by history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on, start_journal
from referee.daemon.nocameras import NoCameras
from referee.games import game_named
from referee.games.contract import Position
from referee.kinds.tower.observation import SIDES, outer
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.session.capture import Capture, Pictures
from tests.match.loops import QuickJournal, told
from vision.reading import CameraView
from vision.tower.belief import TowerBelief
from vision.tower.grid import CELLS, FLOOR, cell_name, other_half
from vision.tower.history import cells_of
from vision.tower.palette import Palette
from vision.tower.reader import TowerLook
from vision.tower.reading import TowerReading
from vision.tower.text import text_of
from vision.tower.text import told as told_signs

GAME = game_named("turris")
PALETTE = Palette(np.zeros((2, 3)), np.zeros((1, 5)), np.ones(3), True)


@dataclass(frozen=True)
class Shown:
    """What stands before the camera: a tower, the side that faces it, and whether an arm lies over the board.

    hand: whether something is before the tower that looks like bars but is none. roof: whether the camera is high
    enough to see what lies on top.
    """

    tower: str
    side: str = "south"
    arm: bool = False
    lost: bool = False
    roof: bool = True
    hand: bool = False


class Turntable(NoCameras):
    """A FrameSource whose newest picture is what is shown."""

    def __init__(self, patience_s: float = 3.0) -> None:
        super().__init__()
        self.patience_s = patience_s
        self.all: list[Shown] = []
        self._given = 0

    def show(self, shown: Shown) -> None:
        self.all.append(shown)

    def picture(self) -> Pictures:
        return {"cam0": np.full((2, 2, 3), len(self.all) - 1, np.uint8)}

    def wait(self, timeout_s: float) -> None:
        """Never wait."""

    def wake(self) -> None:
        """Never sleep, so do nothing."""

    def fresh(self, since_s: float, look: int) -> Capture | None:
        return Capture.of(self.picture(), since_s) if self.all else None

    def changed(self) -> Capture | None:
        if self._given == len(self.all):
            return None
        self._given = len(self.all)
        return Capture.of(self.picture(), 0.0)


class ToldEyes:
    """See of each view the outer cells of the side before the camera and what lies on top."""

    def __init__(self, table: Turntable) -> None:
        self._table = table
        self.asked: list[int] = []

    def read(self, views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        shown = [self._table.all[int(np.median(view["cam0"]))] for view in views]
        self.asked.append(len(shown))
        cameras = tuple({"cam0": CameraView(0 if one.lost else 8, None if one.lost else 0.2)} for one in shown)
        good = [one for one in shown if not one.lost]
        if not good:
            return TowerLook(None, cameras, 1.0)
        belief = seen_belief(good, previous)
        signs = told_signs(belief)
        sides = tuple(side for side in SIDES if any(one.side == side for one in good))
        covered = tuple(number for number, one in enumerate(good) if one.arm)
        confidence = {cell_name(cell): 0.99 for cell in range(text_of(signs).count("/") * FLOOR + FLOOR)}
        strange = tuple(number for number, one in enumerate(good) if one.hand)
        reading = TowerReading(text_of(signs), confidence, None, belief, PALETTE, (), covered, sides, strange)
        return TowerLook(reading, cameras, 1.0, "" if shown[-1].lost else shown[-1].side)

    def without_each(self, views: Sequence[Pictures], previous: str | None) -> Iterator[TowerReading]:
        for number in range(len(views)):
            rest = self.read([*views[:number], *views[number + 1 :]], previous).reading
            if rest is not None:
                yield rest


def seen_belief(shown: Sequence[Shown], previous: str | None) -> TowerBelief:
    """Return what views of sides tell: seen cells as they are, others as before.

    Open is where nothing is known, and what was empty before where no view shows the roof.
    """
    before = cells_of(previous) if previous is not None else ["?"] * CELLS
    roofless = not any(one.roof for one in shown)
    signs = ["?" if roofless and sign == "." else sign for sign in before]
    for one in shown:
        now = cells_of(one.tower)
        highest = {at: max((c for c in range(at, CELLS, FLOOR) if now[c] != "."), default=-1) for at in range(FLOOR)}
        for cell in range(CELLS):
            if outer(cell_name(cell), one.side) or (one.roof and cell >= highest[cell % FLOOR]):
                signs[cell] = now[cell]
    filled, colours, joined = np.zeros(CELLS), np.zeros((CELLS, 2)), np.zeros((CELLS, 3))
    for cell, sign in enumerate(signs):
        filled[cell] = 0.5 if sign == "?" else sign != "."
        if sign not in ".?":
            colours[cell, 0 if sign.isupper() else 1] = 1.0
            other = other_half(cell, sign.lower())
            way = "enu".find(sign.lower())
            if way >= 0 and other is not None and signs[other] not in ".?":
                joined[cell, way] = 1.0
    return TowerBelief(filled, colours, joined, filled > 0.5)


class Built:
    """A loop at a turntable."""

    def __init__(self, path: Path, position: Position, patience_s: float = 3.0) -> None:
        self.table, self.desk, self.board = Turntable(patience_s), CommandQueue(), ViewPublisher()
        self.eyes = ToldEyes(self.table)
        self.now_s = 100.0
        self.journal = QuickJournal(path)
        self.loop = self.on(start_journal(self.journal, GameStarted(position, "test")))

    def on(self, book: GameJournal) -> TurnLoop:
        return TurnLoop(
            GAME, TableSight(self.table, self.eyes), book, self.desk, self.board.publish, clock=lambda: self.now_s
        )

    def taken_up(self) -> None:
        state = carried_on(self.journal, GAME)
        assert state is not None
        self.loop = self.on(GameJournal(self.journal, state))

    def tell(self, name: str, **arguments: object) -> bool:
        return told(self.loop, self.desk, name, **arguments).accepted

    def show(
        self,
        tower: str,
        side: str = "south",
        *,
        arm: bool = False,
        lost: bool = False,
        roof: bool = True,
        hand: bool = False,
    ) -> None:
        self.table.show(Shown(tower, side, arm, lost, roof, hand))
        self.now_s += 1.0
        self.loop.round()

    @property
    def phase(self) -> Phase:
        return self.loop.state.phase

    @property
    def rules(self) -> list[str]:
        last = self.loop.state.last
        ruling = last.ruled.ruling if last is not None and last.ruled is not None else None
        return [violation.rule for violation in ruling.violations] if ruling is not None else []
