"""The page under load, over real sockets: how late rulings come, and what 200 watchers cost.

The referee's side runs in a process of its own: a journal, the noticeboard and the page's server, just as in a game.
Watchers are plain sockets that do what web/static/connection.js does: listen, or poll where no stream is left.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import platform
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.measure import Section, table
from referee.daemon import Noticeboard
from referee.demo.recording import BUNDLED
from referee.events import GameStarted
from referee.feed import JournalFeed
from referee.games import game_named
from referee.journal import Journal
from referee.server import PageServer, bind
from referee.table import begin
from referee.view import table_view
from web.api.stream import POLL_MS
from web.app import HEARTBEAT_S, MAX_STREAMS, RESERVED_STREAMS, create_app
from web.tableview import TableParts

PAGES = 50
WATCHERS = 200
RULINGS = 30
EVERY_S = 0.4
WATCHED_S = 30.0
WATCHED_EVERY_S = 2.5
SOON_MS = 300.0
LATE_MS = 2000.0
OPEN_MS = 1000.0


@dataclass
class Watcher:
    """What one watcher saw: how late each state came, in ms, and what went wrong."""

    late_ms: dict[int, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    polls: int = 0
    first: int = 0
    """The version that stood when it came: older news than itself."""

    def saw(self, state: dict[str, float | int]) -> None:
        """Take a state in; ``made`` is when it was ruled, by the clock both processes share."""
        version = int(state["version"])
        self.first = self.first or version
        if version != self.first and version not in self.late_ms:
            self.late_ms[version] = 1000 * (time.monotonic() - float(state["made"]))


def serve(line: Connection) -> None:
    """The referee's side: publishes a ruling whenever told to; answers with the CPU seconds used so far."""
    recorded = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
    game = game_named(recorded["position"]["game"])
    view = table_view(game, begin(GameStarted(game.position(recorded["position"]))))
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory()))
        journal = parts.enter_context(Journal(folder / "game.journal"))
        sock = parts.enter_context(bind("127.0.0.1", 0))
        board = Noticeboard()
        board.publish(view)
        app = create_app(board, TableParts(log=JournalFeed(lambda: journal)))
        parts.enter_context(PageServer(app, sock))
        parts.callback(board.close)
        line.send((sock.getsockname()[1], len(json.dumps(view))))
        while line.recv() == "rule":
            made = time.monotonic()
            journal.append("ruling", {"made": made})
            board.publish(view | {"made": made})
            used = resource.getrusage(resource.RUSAGE_SELF)
            line.send(used.ru_utime + used.ru_stime)


async def ask(port: int, address: str, headers: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter, int]:
    """Send a request and read the head of its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode())
    status = int((await reader.readline()).split()[1])
    return reader, writer, status


async def head(reader: asyncio.StreamReader) -> dict[str, str]:
    """The rest of an answer's head."""
    found = {}
    while line := (await reader.readline()).decode().strip():
        name, _, text = line.partition(":")
        found[name.lower()] = text.strip()
    return found


async def listen(port: int, watcher: Watcher) -> bool:
    """Listen to the stream until cancelled; False when no stream was left."""
    reader, writer, status = await ask(port, "/api/stream")
    try:
        await head(reader)
        if status != 200:
            return False
        kind = ""
        while line := (await reader.readline()).decode():
            if line.startswith("event: "):
                kind = line[7:].strip()
            elif line.startswith("data: ") and kind == "state":
                watcher.saw(json.loads(line[6:]))
            elif line.startswith("data: ") and kind == "happened":
                watcher.events.append(json.loads(line[6:])["number"])
        watcher.failures.append("the stream ended")
        return True
    finally:
        writer.close()


async def poll(port: int, watcher: Watcher) -> None:
    """Ask for the state again and again, as a page without a stream does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    tag = ""
    try:
        while True:
            if writer.is_closing():
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            known = f"If-None-Match: {tag}\r\n" if tag else ""
            writer.write(f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n{known}\r\n".encode())
            status = int((await reader.readline()).split()[1])
            told = await head(reader)
            body = await reader.readexactly(int(told.get("content-length", 0)) if status != 304 else 0)
            watcher.polls += 1
            if status == 200:
                watcher.saw(json.loads(body))
                tag = told["etag"]
            elif status != 304:
                watcher.failures.append(f"status {status}")
            if told.get("connection", "").lower() == "close":
                writer.close()
            await asyncio.sleep(POLL_MS / 1000 * random.uniform(0.9, 1.1))
    finally:
        writer.close()


async def watch(port: int, watcher: Watcher) -> None:
    """What an open page does."""
    try:
        if not await listen(port, watcher):
            await poll(port, watcher)
    except (OSError, ValueError, IndexError, asyncio.IncompleteReadError) as error:
        watcher.failures.append(repr(error))


async def watched(
    port: int,
    count: int,
    rule: Callable[[], float],
    rulings: int,
    every_s: float,
    before_s: float = 3.0,
    after_s: float = 2.5,
) -> tuple[list[Watcher], float]:
    """So many watchers through so many rulings; what they saw, and the CPU seconds the server took meanwhile."""
    watchers = [Watcher() for _ in range(count)]
    tasks = [asyncio.create_task(watch(port, watcher)) for watcher in watchers]
    await asyncio.sleep(before_s)
    loop = asyncio.get_running_loop()
    before = after = await loop.run_in_executor(None, rule)
    for _ in range(rulings):
        await asyncio.sleep(every_s)
        after = await loop.run_in_executor(None, rule)
    await asyncio.sleep(after_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return watchers, after - before


async def opened_ms(port: int) -> float:
    """From opening the page's address to having its document, its session and the state, from a stream or without."""
    began = time.monotonic()
    for address in ("/", "/api/session", "/api/stream", "/api/state"):
        reader, writer, status = await ask(port, address, "Connection: close\r\n")
        streaming = address == "/api/stream" and status == 200
        while (line := await reader.readline()) and not (streaming and line.startswith(b"data: ")):
            pass
        writer.close()
        if streaming:
            break
    return 1000 * (time.monotonic() - began)


def late(watchers: Sequence[Watcher]) -> list[float]:
    """How late every ruling reached every watcher, ms, in order."""
    return sorted(ms for watcher in watchers for ms in watcher.late_ms.values())


def share(values: Sequence[float], part: float) -> float:
    """The value below which so large a part of them lies."""
    return values[min(len(values) - 1, int(part * len(values)))]


def measure(cases: Path | None) -> Section:
    """Measure the page; it needs no cases."""
    del cases
    load = os.getloadavg()[0]
    first = os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)
    ahead = ", this work ahead of the rest" if first else ""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=[theirs])
    server.start()
    theirs.close()  # so that a server that dies is noticed
    port, size = ours.recv()

    def rule() -> float:
        ours.send("rule")
        return float(ours.recv())

    rulings = int(WATCHED_S / WATCHED_EVERY_S)
    try:
        pages, _, opening = asyncio.run(_watched_and_opened(port, PAGES, rule, RULINGS, EVERY_S))
        time.sleep(HEARTBEAT_S + 1)  # until the server has noticed that they are gone
        crowd, cpu_s, crowded = asyncio.run(_watched_and_opened(port, WATCHERS, rule, rulings, WATCHED_EVERY_S))
    finally:
        ours.send("stop")
        server.join(10)
    streaming = sum(1 for watcher in crowd if not watcher.polls)
    seen, crowd_seen = late(pages), late(crowd)
    return Section(
        "Page",
        (
            f"On {platform.machine()}, {os.cpu_count()} cores (load average {load:.0f} at the start{ahead}), load "
            f"generator on the same machine; Python {platform.python_version()}, a state of {size / 1000:.1f} kB. A "
            "ruling's time runs from before it is "
            "written into the journal until a watcher has it.",
            "",
            *table(
                ("what", "median ms", "p95 ms", "longest ms"),
                [
                    (f"a ruling reaches {PAGES} open pages", *_three(seen)),
                    (
                        f"a ruling reaches {WATCHERS} watchers ({streaming} streams, the rest polls)",
                        *_three(crowd_seen),
                    ),
                    (f"opening the page in the middle of a game, {PAGES} pages open", *_three(opening)),
                    (f"the same while {WATCHERS} watch", *_three(crowded)),
                ],
            ),
            "",
            f"{WATCHERS} watchers made {sum(watcher.polls for watcher in crowd)} requests in {WATCHED_S:.0f} s, "
            f"{sum(len(watcher.failures) for watcher in crowd)} of which failed; the server took "
            f"{100 * cpu_s / WATCHED_S:.0f} % of one core.",
        ),
        tuple(_broken(pages, crowd, opening, rulings)),
    )


async def _openings(port: int) -> list[float]:
    found = []
    for _ in range(20):
        await asyncio.sleep(0.5)
        found.append(await opened_ms(port))
    return sorted(found)


async def _watched_and_opened(
    port: int, count: int, rule: Callable[[], float], rulings: int, every_s: float
) -> tuple[list[Watcher], float, list[float]]:
    """So many watch, and meanwhile others open the page."""
    (watchers, cpu_s), opening = await asyncio.gather(watched(port, count, rule, rulings, every_s), _openings(port))
    return watchers, cpu_s, opening


def _three(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{value:.0f}" for value in (statistics.median(values), share(values, 0.95), values[-1]))


def _broken(pages: list[Watcher], crowd: list[Watcher], opening: list[float], rulings: int) -> list[str]:
    broken = []
    if share(late(pages), 0.95) > SOON_MS:
        broken.append(f"a ruling reaches {PAGES} open pages within {SOON_MS:.0f} ms (p95)")
    if late(crowd)[-1] > LATE_MS:
        broken.append(f"no ruling comes later than {LATE_MS / 1000:.0f} s to {WATCHERS} watchers")
    if any(watcher.failures for watcher in (*pages, *crowd)):
        failures = {failure for watcher in (*pages, *crowd) for failure in watcher.failures}
        broken.append(f"no request fails: {', '.join(sorted(failures))}")
    if any(len(watcher.late_ms) < rulings for watcher in crowd):
        broken.append("every watcher sees every ruling")
    for watcher in pages:
        if watcher.events != list(range(watcher.events[0], watcher.events[0] + len(watcher.events))):
            broken.append("no event is missed")
            break
    if opening[-1] > OPEN_MS:
        broken.append(f"a page shows the true state within {OPEN_MS:.0f} ms")
    if sum(1 for watcher in crowd if not watcher.polls) != MAX_STREAMS - RESERVED_STREAMS:
        broken.append("all streams there are are used")
    return broken
