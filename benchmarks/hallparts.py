"""The parts of a hall under load: a broker with the organiser's files, processes of tables, a desk, a listener."""

from __future__ import annotations

import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.halldesk import DeskPlace
from benchmarks.halltables import Seat, Seats
from benchmarks.midgame import played, started
from referee.addons.hall.show import trusted
from referee.storage.journal import Journal
from tests.addons.hall.broker import Mosquitto, broker_files
from tests.ports import free_port

HERE = Path(__file__).parent.parent
BEFORE = HERE / "tests" / "data" / "before"
RECORDED = (("terrabilis", "ledger"), ("turris", "tower"), ("terra-turrium", "grid"))
"""Recorded games, by game and name; a longer one, played by the rules, is every second table's."""
LONG = 16
PATIENCE_S = 300.0


class Part:
    """A process of the hall, which is told a line. It ends with its block."""

    def __init__(self, module: str, line: str = "", *arguments: str, log: Path) -> None:
        with log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=HERE,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        self.says(line)

    def says(self, line: str) -> None:
        """Tell it another line. Raises BrokenPipeError where it has ended."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def answer(self, patience_s: float) -> str:
        """Return the line that it says next, empty where it ends or says none in time."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], patience_s)
        return self.process.stdout.readline() if ready else ""

    @property
    def pid(self) -> int:
        """Return its process's number."""
        return self.process.pid

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it and wait for its end."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()


class BenchHall:
    """A hall of so many tables. cut: as many of them reach the broker over ``relay``, which can be stopped."""

    def __init__(self, folder: Path, tables: int, processes: int, cut: int, every_s: float, parts: ExitStack) -> None:
        self.folder, self._parts = folder, parts
        self.broker_port, self.desk_port = free_port(), free_port()
        relayed = free_port()
        self.folders = {
            trusted(folder / "desk", at): at for at in (folder / f"table{number}" for number in range(tables))
        }
        self.addresses = broker_files(folder / "broker", self.broker_port, list(self.folders))
        self.broker = parts.enter_context(Mosquitto(folder, self.broker_port, folder / "broker" / "mosquitto.conf"))
        self.relay = self._part("benchmarks.hallrelay", "", str(relayed), str(self.broker_port))
        self.cut = list(self.folders)[:cut]
        seats = self._seats(dict.fromkeys(self.cut, relayed))
        self.desks, self.desk_killed_s = 0, float("inf")
        self.desk = self.open_desk()
        self.listener = self._part(
            "benchmarks.halllistener", "", self.addresses["desk-2"], str(folder / "listener.log")
        )
        self.rulings = folder / "rulings.log"
        self.rulings.touch()
        each = -(-tables // processes)
        self.processes = [
            self._part(
                "benchmarks.halltables", Seats(tuple(seats[at : at + each]), every_s, str(self.rulings)).line()
            )
            for at in range(0, tables, each)
        ]

    def _seats(self, relayed: dict[str, int]) -> list[Seat]:
        long = self.folder / "long.journal"
        with Journal(long) as journal:
            for event in (started(), *played(LONG)):
                journal.append(event.kind, event.to_json())
        seats = []
        for number, (table, folder) in enumerate(self.folders.items()):
            game, name = RECORDED[number // 2 % len(RECORDED)]
            recording = BEFORE / f"{name}.journal"
            if number % 2:
                game, recording = "terra-turrium", long
            address = self.addresses[table]
            if table in relayed:
                address = address.replace(f":{self.broker_port}", f":{relayed[table]}")
            seats.append(Seat(f"Table {number + 1}", game, str(recording), address, str(folder)))
        return seats

    def _part(self, module: str, line: str, *arguments: str) -> Part:
        log = self.folder / f"{module}.said"
        return self._parts.enter_context(Part(module, line, *arguments, log=log))

    def open_desk(self) -> Part:
        """Open the desk, once more where it was killed."""
        self.desks += 1
        place = DeskPlace(
            self.addresses["desk"], str(self.folder / "desk"), self.desk_port, str(self.desk_log(self.desks)),
            str(self.folder / "end.json"),
        )  # fmt: skip
        self.desk_log(self.desks).touch()
        self.desk = self._part("benchmarks.halldesk", place.line())
        return self.desk

    def desk_log(self, number: int) -> Path:
        """Return the file in which the desk, opened for the so-manieth time, notes what it hears."""
        return self.folder / f"desk{number}.log"

    def halt(self) -> None:
        """End play; the tables go on publishing what waits. Raises RuntimeError where some no longer played."""
        try:
            for process in self.processes:
                process.says("halt\n")
            answers = [process.answer(PATIENCE_S) for process in self.processes]
        except BrokenPipeError:
            answers = [""]
        if any(answer != "halted\n" for answer in answers):
            raise RuntimeError(f"tables have stopped playing before they were told to\n{self.said()}")

    def said(self) -> str:
        """Return what the parts have complained of."""
        return "\n".join(path.read_text()[-2000:] for path in sorted(self.folder.glob("*.said")))


def wait_for(true: Callable[[], bool], what: str, said: Callable[[], str], patience_s: float = PATIENCE_S) -> float:
    """Wait until something is so; return how long it took, s. Raises TimeoutError."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() > began_s + patience_s:
            raise TimeoutError(f"{what} after {patience_s:.0f} s\n{said()}")
        time.sleep(0.5)
    return time.monotonic() - began_s
