"""Strangers at the table's HTTPS: they hold connections, and connect anew whenever one is taken from them.

Ten visitors from addresses of their own get the page, a paired tablet's command over HTTPS waits for a second at
most, and the memory stays under 400 MB.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import multiprocessing
import os
import resource
import ssl
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.service.authority import ensure
from referee.service.server import own_hosts
from tests.attacks.crowd import MOST_MB
from tests.attacks.longgame import LongGame, Tablet, slowness
from tests.attacks.outcome import Outcome
from tests.ports import free_port

VISITORS = 10
PATIENCE_S = 5.0
"""So long a visitor waits for a sign, where the machine has no other work."""
AGAIN_S = 0.05
"""After so long a stranger connects anew."""


@dataclass(frozen=True, slots=True)
class Strangers:
    """Connections from some addresses. said: on each, and again every ``again_s``; reads: whether they listen.

    first: said once, before.
    """

    name: str
    addresses: int
    each: int
    said: bytes
    again_s: float = 3.0
    reads: bool = True
    handshake: bool = True
    first: bytes = b""
    crowds: bool = False
    """Whether they have more addresses than there are places for, so that only paired devices are sure of theirs."""


def _asked(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


_HEAD = b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n"
_MANY = b"".join(b"X-%d: %s\r\n" % (number, b"a" * 20) for number in range(20_000))
_FRAMES = "POST /api/phones/cam0/frames HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1900000\r\n\r\n"
_BODY = _FRAMES.encode() + bytes(500_000)
WAYS = (
    Strangers("nobody", 0, 0, b""),
    Strangers("5 addresses hold 40 connections each and ask now and then", 5, 40, _asked("/api/session")),
    Strangers("5 addresses hold 40 event streams each", 5, 40, _asked("/api/stream"), again_s=1e9),
    Strangers("5 addresses hold 40 connections and read nothing", 5, 40, _asked("/api/record.json"), reads=False),
    Strangers("5 addresses hold 40 connections each with bodies that do not end", 5, 40, _BODY, again_s=1e9),
    Strangers(
        "5 addresses send heads of 20,000 lines on 40 connections each", 5, 40, _MANY, again_s=1e9, first=_HEAD
    ),
    Strangers(
        "5 addresses send a line of 2 MB on 40 connections each", 5, 40, b"a" * 2_000_000, again_s=1e9, first=_HEAD
    ),
    Strangers(
        "5 addresses send a head that never ends on 40", 5, 40, b"X-1: " + b"a" * 50 + b"\r\n", 0.5, first=_HEAD
    ),
    Strangers("20 addresses hold 40 connections each and ask now and then", 20, 40, _asked("/api/session")),
    Strangers("40 addresses hold 10 handshakes each that do not end", 40, 10, b"\x16\x03\x01", handshake=False),
    Strangers("200 addresses hold 2 connections each and ask", 200, 2, _asked("/api/session"), crowds=True),
)


def trusting() -> ssl.SSLContext:
    """Return a context that believes any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _hold_all(port: int, strangers: Strangers) -> None:
    """Let strangers hold connections for ever."""
    context = trusting() if strangers.handshake else None

    async def hold(number: int) -> None:
        source = (f"127.0.4.{1 + number % strangers.addresses}", 0)
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                connecting = asyncio.open_connection("127.0.0.1", port, ssl=context, local_addr=source)
                reader, writer = await asyncio.wait_for(connecting, 20)
                try:
                    await _keep_asking(reader, writer, strangers)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(AGAIN_S)

    async def all_of_them() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        await asyncio.gather(*(hold(number) for number in range(strangers.addresses * strangers.each)))

    asyncio.run(all_of_them())


@contextmanager
def holding(port: int, strangers: Strangers) -> Iterator[None]:
    """Let strangers hold connections, in a process of their own, until the block ends."""
    process = multiprocessing.get_context("spawn").Process(target=_hold_all, args=(port, strangers), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


async def _keep_asking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, strangers: Strangers) -> None:
    """Ask until the other end closes the connection."""
    until_s = 0.0
    writer.write(strangers.first)
    while True:
        if time.monotonic() >= until_s:
            writer.write(strangers.said)
            until_s = time.monotonic() + strangers.again_s
        if not strangers.reads:
            await asyncio.sleep(strangers.again_s)
            continue
        with contextlib.suppress(TimeoutError):
            if not await asyncio.wait_for(reader.read(1 << 16), max(0.01, until_s - time.monotonic())):
                return


def opened(port: int, number: int) -> bool:
    """Return whether a visitor who comes for the first time gets the page in time."""
    patience_s = PATIENCE_S * slowness()
    source = (f"127.0.5.{1 + number}", 0)
    line = http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=patience_s, source_address=source, context=trusting()
    )
    try:
        line.request("GET", "/api/state")
        return line.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def tried(outcome: Outcome, tablet: Tablet, strangers: Strangers, tried_s: float, memory_mb: float) -> None:
    """Note how visitors and a paired tablet fared while strangers held their connections."""
    served = sum(opened(tablet.port, number) for number in range(VISITORS))
    try:
        tablet.pass_time(tried_s, 0.5)
    except (OSError, http.client.HTTPException) as error:
        outcome.holds(False, f"{strangers.name}: the tablet is refused ({error!r})")
        return
    waited = f"{tablet.waited}; {memory_mb:.0f} MB"
    fine = (served == VISITORS or strangers.crowds) and tablet.in_time and memory_mb < MOST_MB
    outcome.holds(fine, f"{strangers.name}: {served} of {VISITORS} visitors let in; {waited}")


def attack(turns: int = 30, tried_s: float = 10.0, only: str = "") -> Outcome:
    """Attack every way in turn, against one running referee."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory(prefix="referee-secure-") as folder, ExitStack() as parts:
        (Path(folder) / "data").mkdir()
        ensure(Path(folder) / "data", own_hosts())
        port = free_port()
        os.environ["REFEREE_PAGE_HTTPS_PORT"] = str(port)
        parts.callback(os.environ.pop, "REFEREE_PAGE_HTTPS_PORT")
        outcome = Outcome(f"strangers at HTTPS, {turns} turns (load {os.getloadavg()[0]:.1f} at its beginning)")
        game = LongGame(Path(folder), turns, parts)
        tablet = Tablet.paired(game.data, port, trusting())
        for strangers in WAYS:
            if only in strangers.name:
                with holding(port, strangers):
                    time.sleep(8)
                    tried(outcome, tablet, strangers, tried_s, game.memory_mb)
        outcome.holds(game.run.process.poll() is None, "the referee goes on")
        return outcome
