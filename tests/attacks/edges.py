"""What stands around the table: a full disk for ``https`` and ``pair``, clocks that jump, header bombs, the sandbox.

Nobody is told to delete what devices trust, no code that ended opens again, too large headers are answered with 431
while a command waits for a second at most, and systemd rates the unit under 3.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import Process, Queue, queues
from pathlib import Path
from threading import Thread

from click.testing import CliRunner

from referee.cli import main
from referee.service.authority import AuthorityError, ensure
from referee.service.server import own_hosts
from referee.values.ticks import Ticks
from tests.attacks.crowd import MOST_MB
from tests.attacks.longgame import LongGame, Tablet
from tests.attacks.outcome import Outcome
from tests.attacks.secure import trusting
from tests.ports import free_port
from web.auth.devices import Devices
from web.auth.pairing import LIFE_S, PairingDesk, WrongCodeError
from web.auth.store import Store

UNIT = Path(__file__).parents[2] / "packaging" / "referee.service"
MOST_EXPOSED = 3.0
BOMBERS = 40


@contextmanager
def _mounted(folder: Path) -> Iterator[bool]:
    """Mount a disk of 128 kB; whether it is there."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    there = bool(shutil.which("mount")) and not subprocess.run(command, capture_output=True, check=False).returncode
    try:
        yield there
    finally:
        if there:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def full_disk(folder: Path, outcome: Outcome) -> None:
    """Make the table's certificates where there is no room."""
    with _mounted(folder / "disk") as there:
        if not there:
            outcome.note("a full disk at referee https: not tried, nothing can be mounted here")
            return
        disk = folder / "disk"
        made = ensure(disk, own_hosts())
        kept = {path.name: path.read_bytes() for path in (disk / "https").iterdir()}
        with contextlib.suppress(OSError), (disk / "filler").open("wb", 0) as stream:
            while stream.write(bytes(4096)):
                pass
        said = ""
        try:
            ensure(disk, [*own_hosts(), "192.168.77.7"])
        except AuthorityError as error:
            said = str(error)
        whole = {path.name: path.read_bytes() for path in (disk / "https").iterdir()} == kept
        (disk / "filler").unlink()
        again = ensure(disk, [*own_hosts(), "192.168.77.7"]).fingerprint == made.fingerprint
        fine = "make room" in said and "delete the folder" not in said and whole and again
        outcome.holds(fine, f"a full disk at referee https: {said[-150:]!r}; files whole {whole}, then made {again}")


def full_disk_pairing(folder: Path, outcome: Outcome) -> None:
    """Ask for a pairing code where there is no room."""
    with _mounted(folder / "small") as there:
        if not there:
            outcome.note("a full disk at referee pair: not tried, nothing can be mounted here")
            return
        disk = folder / "small"
        with contextlib.suppress(OSError), (disk / "filler").open("wb", 0) as stream:
            while stream.write(bytes(4096)):
                pass
        said = CliRunner().invoke(main, ["pair", "--data", str(disk)]).output
        (disk / "filler").unlink()
        again = CliRunner().invoke(main, ["pair", "--data", str(disk)]).exit_code == 0
        fine = "make room" in said and "delete it" not in said and again
        outcome.holds(fine, f"a full disk at referee pair: {said[-150:]!r}; then a code {again}")


def clocks(folder: Path, tried: int, outcome: Outcome) -> None:
    """Set the clock and restart the machine at random: a code that was closed once stays so."""
    chance, opened_again = random.Random(22), 0
    with ExitStack() as parts:
        store = parts.enter_context(Store(folder / "devices.db"))
        for turn in range(tried):
            day, up = [2e9], [Ticks(f"boot {turn}", 100.0)]
            desk = PairingDesk(store, Devices(store), lambda day=day: day[0], lambda up=up: up[0])
            code = desk.new_code()
            up[0] = Ticks(f"boot {turn}", 100.0 + LIFE_S + chance.uniform(0, 1e5))
            for _ in range(3):
                day[0] += chance.choice([-1e6, -LIFE_S, -1.0, 0.0, 1e6])
                if chance.random() < 0.3:
                    up[0] = Ticks(f"another {turn} {chance.random()}", chance.uniform(0, 100))
                with contextlib.suppress(WrongCodeError):
                    desk.pair_by_secret(code.secret, "Tablet")
                    opened_again += 1
    outcome.holds(not opened_again, f"{tried} codes under clocks that jump: {opened_again} opened again")


def _bomb(number: int, port: int, secure: bool, found: Counter[str], until_s: float) -> None:
    source = (f"127.0.7.{1 + number % 8}", 0)
    while time.monotonic() < until_s:
        said = b""
        with contextlib.suppress(OSError), ExitStack() as parts:
            line = parts.enter_context(socket.create_connection(("127.0.0.1", port), 5, source))
            if secure:
                line = parts.enter_context(trusting().wrap_socket(line))
            with contextlib.suppress(OSError):  # it may be answered before all is sent
                line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n")
            said = line.recv(4096)
        found[said.split(b" ")[1].decode() if b" " in said else "closed"] += 1


def _bombers(port: int, secure: bool, tried_s: float, told: queues.Queue[Counter[str]]) -> None:
    """Bomb for so long, from a process of its own, so that nobody waits for this one's threads."""
    found, until_s = Counter[str](), time.monotonic() + tried_s
    threads = [Thread(target=_bomb, args=(n, port, secure, found, until_s)) for n in range(BOMBERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told.put(found)


def bombs(folder: Path, outcome: Outcome, tried_s: float = 10.0) -> None:
    """Send headers of a megabyte at HTTP and at HTTPS, again and again."""
    with ExitStack() as parts:
        (folder / "data").mkdir()
        ensure(folder / "data", own_hosts())
        secure = free_port()
        os.environ["REFEREE_PAGE_HTTPS_PORT"] = str(secure)
        parts.callback(os.environ.pop, "REFEREE_PAGE_HTTPS_PORT")
        game = LongGame(folder, 30, parts)
        for name, port, tls in (("HTTP", game.port, False), ("HTTPS", secure, True)):
            tablet = Tablet.paired(game.data, port, trusting() if tls else None)
            told: queues.Queue[Counter[str]] = Queue()
            bombers = Process(target=_bombers, args=(port, tls, tried_s, told), daemon=True)
            bombers.start()
            tablet.pass_time(tried_s, 0.5)
            found = told.get(timeout=60)
            bombers.join()
            fine = tablet.in_time and game.memory_mb < MOST_MB and found["431"] > 0
            waited = f"{tablet.waited}; {game.memory_mb:.0f} MB"
            outcome.holds(
                fine and set(found) <= {"431", "closed"}, f"header bombs at {name}: {dict(found)}; {waited}"
            )


def sandbox(outcome: Outcome) -> None:
    """Have systemd rate the unit."""
    if not shutil.which("systemd-analyze"):
        outcome.note("the service's sandbox: not tried, there is no systemd here")
        return
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"exposure level for referee.service: ([\d.]+)", done.stdout)
    outcome.holds(found is not None and float(found[1]) < MOST_EXPOSED, f"exposure {found[1] if found else '?'}")


def attack(codes: int = 200) -> Outcome:
    """Attack with all of them. codes: how many are tried."""
    outcome = Outcome("what stands around the table")
    with tempfile.TemporaryDirectory(prefix="referee-edges-") as made:
        folder = Path(made)
        full_disk(folder, outcome)
        full_disk_pairing(folder, outcome)
        clocks(folder, codes, outcome)
        bombs(folder, outcome)
    sandbox(outcome)
    return outcome
