"""``referee hall --demo``: a broker, tables that play by themselves, and the desk, to be tried in a minute."""

from __future__ import annotations

import itertools
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from referee.addons.hall.desk.opening import DeskOptions, open_desk
from referee.addons.hall.desk.trust import TrustingTables, desk_key
from referee.addons.hall.messages import HallError
from referee.addons.hall.showntable import DATA, ShownTable, beginning
from referee.addons.hall.signing import id_of, public_of
from referee.addons.hall.table import hall_folder, table_key
from referee.addons.hall.trusting import DeskTrust
from referee.games import package_named, packages
from referee.match.turnkind import turn_kind
from referee.storage.aside import folder_aside
from referee.storage.checkpoint import open_key
from vision.sources.process import child_environment

ANSWERS_S = 10.0
RESTART_S = 20.0
"""Time after which a table that ended by itself is begun again, as a service would be."""
_LONG_GONE_S = 10.0
_PEOPLE = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gil", "Hana", "Ida", "Jon", "Kim", "Lou")


def show_hall(options: DeskOptions, tables: int, stop: threading.Event, tell: Callable[[str], None]) -> None:
    """Show a hall of so many tables until told to stop. Raises HallError, and what ``open_desk`` raises."""
    with ExitStack() as parts:
        folder = parts.enter_context(folder_aside("referee-hall-"))
        broker = parts.enter_context(DemoBroker(folder))
        options = replace(options, broker=broker.address, folder=folder / "desk")
        games = shown_games()
        shown = [
            ShownTable(
                f"Table {number}",
                games[number % len(games)],
                broker.address,
                str(folder / str(number)),
                number,
                options.language,
            )
            for number in range(1, tables + 1)
        ]
        for table in shown:
            Path(table.folder).mkdir(mode=0o700)
        if options.tournament is None:
            options = replace(options, tournament=folder / "pairings.csv")
            (folder / "pairings.csv").write_text(pairings_of(shown), encoding="utf-8")
        for table in shown[: max(1, tables - 1)]:
            trusted(options.folder, Path(table.folder) / DATA)
        tell(f"{tables} tables begin to play; the first turns come in half a minute.")
        if tables > 1:
            last = shown[-1]
            kept = Path(last.folder) / DATA
            tell(f"{last.name} does not trust the desk yet. For its code: referee hall code --data {kept}")
            tell(f"or ask for it at the desk, and open the table's page with: referee pair --data {kept}")
        for table in shown:
            parts.enter_context(TableProcess(table))
        open_desk(options, stop, tell)


def pairings_of(tables: Sequence[ShownTable]) -> str:
    """Return the pairings of two rounds at tables, as a tournament's file has them."""
    lines = ["round,table,player 1,player 2"]
    for number in (1, 2):
        people = (f"{name} {sign}".strip() for sign in ("", *"BCDEFGH") for name in _PEOPLE[number:])
        for table in tables:
            package = package_named(table.game)
            seated = itertools.islice(people, len(package.game.seats(beginning(package).position)))
            lines.append(",".join((str(number), table.name, *seated)))
    return "\n".join((*lines, ""))


def shown_games() -> list[str]:
    """Return the games that can play themselves at such a table: the board is seen from where the cameras stand."""
    return [
        name
        for name, package in packages().items()
        if package.plays is not None and package.playthrough is not None
        if not turn_kind(package.game.kit).BOARD_IS_TURNED
    ]


class DemoBroker:
    """Mosquitto, for this computer alone and for as long as it is entered. Raises HallError where there is none."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("mosquitto") or shutil.which(
            "mosquitto", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"
        )
        if found is None:
            raise HallError(
                "the demo needs a broker, and mosquitto is not installed: run apt install mosquitto (Debian, Ubuntu) "
                "or brew install mosquitto"
            )
        self._found, self._folder, self._port = found, folder, _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Return the address for tables and desk."""
        return f"mqtt://127.0.0.1:{self._port}"

    def __enter__(self) -> DemoBroker:
        settings = self._folder / "mosquitto.conf"
        settings.write_text(f"listener {self._port} 127.0.0.1\nallow_anonymous true\n", encoding="utf-8")
        log = (self._folder / "mosquitto.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [self._found, "-c", str(settings)], stdout=log, stderr=log, start_new_session=True
            )
        until = time.monotonic() + ANSWERS_S
        while not _answers(self._port):
            if time.monotonic() > until or self._process.poll() is not None:
                said = (self._folder / "mosquitto.log").read_text(encoding="utf-8", errors="replace")[-500:]
                self.__exit__()
                raise HallError(f"mosquitto does not start: {said.strip() or 'it says nothing'}")
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(ANSWERS_S)


class TableProcess:
    """The process of one table; one that ends by itself is begun again."""

    def __init__(self, shown: ShownTable) -> None:
        self._shown, self._stop = shown, threading.Event()
        self._process = self._started()
        self._thread = threading.Thread(target=self._look_after, name="demo table", daemon=True)

    def __enter__(self) -> TableProcess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_LONG_GONE_S)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.addons.hall.showntable"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C is for the desk, which then closes its input
        )
        assert process.stdin is not None
        process.stdin.write(self._shown.line())
        process.stdin.flush()
        return process

    def _look_after(self) -> None:
        while not self._stop.wait(1.0):
            if self._process.poll() is not None and not self._stop.wait(RESTART_S):
                self._process = self._started()


def trusted(desk: Path, data: Path) -> str:
    """Have a table trust a desk, as if its code had been typed there; return the table's id.

    desk: the desk's folder; data: the table's. Both get their keys where they have none.
    """
    table = public_of(open_key(_made(table_key(data))))
    DeskTrust(hall_folder(data), table).take("Desk", public_of(desk_key(desk)))
    TrustingTables(desk).set(id_of(table), True)
    return id_of(table)


def _made(path: Path) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
