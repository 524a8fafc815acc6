"""A ledger's mat under cameras, live: dice thrown in this turn are proposed and compared, others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.daemon import CommandQueue, GameJournal, TableSight, TurnLoop, ViewPublisher, carried_on, start_journal
from referee.daemon.nocameras import NoCameras
from referee.games.terrabilis.engine import GAME
from referee.match.events import GameStarted
from referee.match.phases import Phase
from referee.session.capture import Capture, Pictures
from referee.values.words import say
from tests.games.terrabilis.positions import COPY, position
from tests.match.loops import QuickJournal, told
from vision.ledger.dice import DieSeen
from vision.ledger.reader import MatSeen
from vision.reading import CameraView

PICTURES = {"cam0": np.zeros((2, 2, 3), np.uint8)}


def dice(first: int, second: int, x: float = 0.0) -> tuple[DieSeen, ...]:
    return tuple(
        DieSeen((x + 40.0 * k, 0.0), 0.99, tuple(0.998 if face == n else 0.0004 for n in range(1, 7)))
        for k, face in enumerate((first, second))
    )


def mat(lying: tuple[DieSeen, ...] = (), lost: bool = False, **seen: Any) -> MatSeen:
    pair = tuple(int(np.argmax(die.faces)) + 1 for die in lying) or None
    cameras = {"cam0": CameraView(0 if lost else 8, None if lost else 0.3, say("no frame") if lost else None)}
    parts = {"pawns": {}, "zone": {}, "cards": {}} | seen
    return MatSeen(lying, pair, parts["pawns"], parts["zone"], parts["cards"], cameras, 20.0)


class OneMat:
    """Eyes that see what the test lays on the mat."""

    die_mm = 16.0

    def __init__(self) -> None:
        self.now = mat()

    def read(self, pictures: Pictures) -> MatSeen:
        return self.now


class Over(NoCameras):
    """Cameras that always stand still; blind on demand."""

    patience_s = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.number, self.blind, self._shown = 1, False, 0

    def fresh(self, since_s: float, look: int) -> Capture | None:
        return None if self.blind else Capture.of(PICTURES, since_s + 1.0, {"cam0": self.number})

    def changed(self) -> Capture | None:
        if self.blind or self._shown == self.number:
            return None
        self._shown = self.number
        return Capture.of(PICTURES, 0.0, {"cam0": self.number})

    def blind_for_s(self) -> float:
        return 60.0 if self.blind else 0.0


class Table:
    def __init__(self, path: Path, lying: MatSeen | None = None) -> None:
        self.journal = QuickJournal(path)
        start = GameStarted(GAME.position(position({"red": {"pawn": 8}}) | {"copy": COPY}), "test")
        self.desk, self.board, self.eyes, self.sight = CommandQueue(), ViewPublisher(), OneMat(), Over()
        self.eyes.now = lying or mat()
        self.loop = TurnLoop(
            GAME, TableSight(self.sight, self.eyes), start_journal(self.journal, start), self.desk, self.board.publish
        )
        assert self.tell("begin")

    def tell(self, name: str, **arguments: object) -> bool:
        outcome = told(self.loop, self.desk, name, **arguments)
        self.loop.round()
        return outcome.accepted

    def lay(self, seen: MatSeen) -> None:
        self.eyes.now, self.sight.number = seen, self.sight.number + 1
        self.loop.round()

    @property
    def options(self) -> list[dict[str, Any]]:
        found: Any = self.board.snapshot()
        return list(found["board"]["options"])

    @property
    def proposed(self) -> list[Any]:
        return [option["dice"] for option in self.options if option.get("seen")]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "j")


def test_a_game_begins_whatever_cameras_see(table: Table) -> None:
    assert table.loop.state.phase is Phase.PLAYING


def test_dice_thrown_now_come_first_and_go_once_they_are_declared(tmp_path: Path) -> None:
    table = Table(tmp_path / "j", mat(dice(3, 4)))
    table.lay(mat(dice(3, 4)))
    assert table.proposed == []  # nobody knows how long they have lain there
    table.lay(mat(dice(1, 1, x=15.0)))
    assert table.proposed == [[1, 1]]
    assert table.options[0]["dice"] == [1, 1]
    assert table.tell("declare", declared={"acts": "roll 1+1"})
    table.lay(mat(dice(1, 1, x=15.0)))
    assert table.proposed == []


def test_dice_of_the_turn_before_are_not_proposed(table: Table) -> None:
    table.lay(mat(()))
    table.lay(mat(dice(1, 1)))
    assert table.tell("turn_ended", declared={"acts": "roll 1+1; draw social; install coal"})
    assert table.loop.state.position.to_move.word == "blue"
    table.lay(mat(dice(1, 1)))
    assert table.proposed == []
    table.lay(mat(dice(1, 1, x=30.0)))
    assert table.proposed == [[1, 1]]


def test_what_is_seen_otherwise_than_declared_is_asked(table: Table) -> None:
    table.lay(mat(()))
    table.lay(mat(dice(1, 3)))
    assert table.tell("turn_ended", declared={"acts": "roll 1+1; draw social; install coal"})
    state = table.loop.state
    assert state.phase is Phase.UNSURE
    view: Any = table.board.snapshot()
    assert view["doubt"]["words"]
    assert state.reading is not None
    assert state.reading.text == "dice 1+3"


def test_dice_that_were_not_thrown_are_held_against_nobody(tmp_path: Path) -> None:
    table = Table(tmp_path / "j", mat(dice(1, 3)))
    table.lay(mat(dice(1, 3)))
    assert table.tell("turn_ended", declared={"acts": "roll 1+1; draw social; install coal"})
    last = table.loop.state.last
    assert last is not None
    assert last.ruled is not None
    assert last.ruled.verdict.value == "legal"


@pytest.mark.parametrize("lost", [True, False], ids=["no frame", "no picture"])
def test_without_cameras_the_turn_is_ruled_on_by_what_was_declared(table: Table, lost: bool) -> None:
    table.lay(mat(lost=lost))
    table.sight.blind = not lost
    assert table.tell("turn_ended", declared={"acts": "roll 1+1; draw social; install coal"})
    assert table.loop.state.position.to_move.word == "blue"


def test_what_no_game_can_have_is_left_out(table: Table) -> None:
    table.lay(mat((), pawns={"red": 99, "yellow": 3, "blue": None}, zone={"green": 60, "yellow": 60}))
    assert table.loop.live.seen == "nothing"


def test_killed_before_the_ruling_it_rules_by_what_was_seen(table: Table, tmp_path: Path) -> None:
    """Also without cameras: all a ruling rests on is in the record."""
    table.lay(mat(()))
    table.lay(mat(dice(1, 3)))
    assert table.tell("turn_ended", declared={"acts": "roll 1+1; draw social; install coal"})
    whole = [(one.kind, one.data) for one in table.journal.entries()]
    assert whole[-1][0] == "ruling"
    cut = QuickJournal(tmp_path / "cut")
    for kind, data in whole[:-1]:
        cut.append(kind, data)
    state = carried_on(cut, GAME)
    assert state is not None
    loop = TurnLoop(GAME, TableSight(), GameJournal(cut, state), table.desk, table.board.publish)
    loop.round()
    assert [(one.kind, one.data) for one in cut.entries()] == whole
