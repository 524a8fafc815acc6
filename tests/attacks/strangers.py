"""Whoever is on the network and not paired tries to hold up play: each way in turn, against one running referee.

A command of a paired tablet may wait for a second at most, and the memory stays under 400 MB.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import resource
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from referee.service.authority import ensure
from referee.service.server import own_hosts
from tests.attacks.crowd import MOST_MB, half_open, readers
from tests.attacks.longgame import LongGame, Tablet
from tests.attacks.outcome import Outcome
from tests.ports import free_port
from web.app import create_app
from web.contract import Access, contract_of

TRIED_S = 10.0
ADDRESSES = 8


def address(number: int) -> tuple[str, int]:
    """Return the address of the loopback from which the connection with this number comes."""
    return f"127.0.3.{1 + number % ADDRESSES}", 0


@contextmanager
def asking(
    port: int, count: int, path: Callable[[int], str], method: str = "GET", body: bytes = b""
) -> Iterator[None]:
    """Run so many who ask for something again and again."""
    done = threading.Event()

    def ask(number: int) -> None:
        turn = number
        while not done.is_set():
            turn += count
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=address(number))
            with contextlib.suppress(OSError, http.client.HTTPException):
                kind = {"Content-Type": "application/json"} if body else {}
                line.request(method, path(turn), body or None, kind)
                line.getresponse().read()
            line.close()

    threads = [threading.Thread(target=ask, args=[number], daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join(60)


@contextmanager
def connections(
    port: int, count: int, said: bytes, rcvbuf: int = 0, trickle: bool = False
) -> Iterator[list[socket.socket]]:
    """Open so many connections that say something and then neither read nor go.

    trickle: they take a byte a second.
    """
    held: list[socket.socket] = []
    done = threading.Event()
    for number in range(count):
        sock = socket.socket()
        if rcvbuf:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        sock.settimeout(5)
        try:
            sock.bind(address(number))
            sock.connect(("127.0.0.1", port))
            sock.sendall(said)
        except OSError:
            sock.close()
            continue
        held.append(sock)

    def take_in() -> None:
        while not done.wait(1.0):
            for sock in held:
                with contextlib.suppress(OSError):
                    sock.recv(1, socket.MSG_DONTWAIT)

    thread = threading.Thread(target=take_in, daemon=True)
    if trickle:
        thread.start()
    try:
        yield held
    finally:
        done.set()
        for sock in held:
            sock.close()


@contextmanager
def secure_bodies(port: int, count: int) -> Iterator[None]:
    """Send large bodies over HTTPS that are never finished."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    head = b"POST /api/phones/cam0/frames HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1900000\r\n\r\n" + bytes(
        1_800_000
    )
    with ExitStack() as held:
        for number in range(count):
            with contextlib.suppress(OSError):
                plain = socket.create_connection(("127.0.0.1", port), 5, source_address=address(number))
                line = held.enter_context(context.wrap_socket(plain))
                line.sendall(head)
        yield


class _NoTable:
    def snapshot(self, language: str = "en") -> dict[str, object]:
        return {"version": 1}

    def wait(self, version: int, timeout: float) -> bool:
        return False


def addresses(game: str) -> list[str]:
    """Return every address that answers who is not paired, as the app's map has it.

    The stream has readers of its own.
    """
    app, values = create_app(_NoTable()), {"camera": "cam0", "turn": "3", "row": "1"}
    found = []
    for rule in app.url_map.iter_rules():
        contract = contract_of(app, rule.endpoint) if rule.endpoint != "static" else None
        if contract is None or "GET" not in (rule.methods or ()) or rule.rule == "/api/stream":
            continue
        if contract.access in (Access.PUBLIC, Access.WATCH):
            names = values | {"name": game if "/games/" in rule.rule else "cam0"}
            path = rule.rule.replace("<int:", "<")
            for name in rule.arguments:
                path = path.replace(f"<{name}>", names.get(name, "1"))
            found.append(path)
    return found


def ways(game: LongGame, secure: int, turns: int) -> list[tuple[str, Callable[[], AbstractContextManager[object]]]]:
    """Return every way, by name."""
    port = game.port
    slow = b"GET /api/record.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    large = b"POST /api/commands/pause HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 64000\r\n\r\n" + bytes(60_000)
    pin = b'{"pin": "000000", "name": "x"}'
    whole = f"/api/games/{game.journal.stem}/report"
    everywhere = addresses(game.journal.stem)

    def turn(number: int) -> str:
        return f"/api/turns/{1 + number % turns}"

    return [
        ("nobody", contextlib.nullcontext),
        ("64 readers of everything", lambda: readers(port, 64)),
        ("64 who ask for turns' reports", lambda: asking(port, 64, lambda n: f"{turn(n)}/report.html")),
        ("64 who ask for turns' PDFs", lambda: asking(port, 64, lambda n: f"{turn(n)}/report.pdf")),
        ("64 who ask for whole games' pages", lambda: asking(port, 64, lambda n: f"{whole}?turn={n % 9}")),
        ("64 who ask for cameras' pictures", lambda: asking(port, 64, lambda n: f"/api/cameras/cam{n % 2}?at={n}")),
        ("64 who guess at codes", lambda: asking(port, 64, lambda n: "/api/pair/pin", "POST", pin)),
        ("64 who ask for everything", lambda: asking(port, 64, lambda n: everywhere[n % len(everywhere)])),
        ("64 who ask for help and words", lambda: asking(port, 64, lambda n: ("/help", "/api/words?lang=de")[n % 2])),
        ("100 slow readers of the record", lambda: connections(port, 100, slow, 4096, trickle=True)),
        ("900 half-open connections", lambda: half_open(port, 900)),
        ("500 large bodies that do not end", lambda: connections(port, 500, large)),
        ("1500 handshakes that do not begin", lambda: connections(secure, 1500, b"")),
        ("400 large bodies over HTTPS", lambda: secure_bodies(secure, 400)),
    ]  # fmt: skip


def attack(turns: int = 300, tried_s: float = TRIED_S, only: str = "") -> Outcome:
    """Attack every way in turn."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory(prefix="referee-strangers-") as folder, ExitStack() as parts:
        (Path(folder) / "data").mkdir()
        ensure(Path(folder) / "data", own_hosts())
        secure = free_port()
        os.environ["REFEREE_PAGE_HTTPS_PORT"] = str(secure)
        parts.callback(os.environ.pop, "REFEREE_PAGE_HTTPS_PORT")
        outcome = Outcome(f"strangers at {turns} turns (load {os.getloadavg()[0]:.1f} at its beginning)")
        game = LongGame(Path(folder), turns, parts)
        tablet = Tablet.paired(game.data, game.port)
        for name, way in ways(game, secure, turns):
            if only not in name:
                continue
            with way():
                began_s = time.monotonic()
                tablet.pass_time(tried_s, 0.5)
            waited = f"{name}: {tablet.waited}; {game.memory_mb:.0f} MB"
            outcome.holds(tablet.in_time and game.memory_mb < MOST_MB, waited)
            if time.monotonic() - began_s > 3 * tried_s:
                outcome.note("(it took long)")
        outcome.holds(game.run.process.poll() is None, "the referee goes on")
        return outcome
