"""Measures the page under load, over real sockets: how late rulings come, and what 200 watchers cost.

The referee's side runs in a process of its own: a journal, the noticeboard and the page's server, in the middle of a
game. A turn is three events, as in a game: a look is asked for, the board is read, the turn is ruled on; each is
written and then shown. Watchers are plain sockets (benchmarks/crowd.py), a third in each language.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.crowd import Watcher, ask, watched
from benchmarks.measure import Section, table
from benchmarks.midgame import GAME, TURNS, played, started, state_after
from referee.daemon import ViewPublisher
from referee.match.events import TurnRuled
from referee.match.state import TableState
from referee.match.transitions import step
from referee.service.eventlog import JournalFeed
from referee.service.server import PageServer, bind
from referee.storage.journal import Journal
from referee.view import ViewState, table_view
from web.app import HEARTBEAT_S, MAX_STREAMS, RESERVED_STREAMS, create_app
from web.tableparts import TableParts

PAGES = 50
WATCHERS = 200
RULINGS = 30
EVERY_S = 0.4
WATCHED_S = 30.0
WATCHED_EVERY_S = 2.5
SOON_MS = 300.0
LATE_MS = 2000.0
OPEN_MS = 1000.0


def serve(line: Connection) -> None:
    """Play the referee's side: a turn whenever told to; answer with the CPU seconds used so far."""
    events = played(TURNS + RULINGS + int(WATCHED_S / WATCHED_EVERY_S) + 2)
    state = state_after(events[: 3 * TURNS])
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory()))
        journal = parts.enter_context(Journal(folder / "game.journal"))
        begun = started()
        journal.append(begun.kind, begun.to_json())
        for event in events[: 3 * TURNS]:
            journal.append(event.kind, event.to_json())
        sock = parts.enter_context(bind("127.0.0.1", 0))
        board = ViewPublisher()
        board.publish(_render(state, 0.0))
        app = create_app(board, TableParts(log=JournalFeed(lambda: journal)))
        parts.enter_context(PageServer(app, sock))
        parts.callback(board.close)
        line.send((sock.getsockname()[1], len(json.dumps(table_view(GAME, state)))))
        for turn in count(TURNS):
            if line.recv() != "rule":
                return
            for event in events[3 * turn : 3 * turn + 3]:
                made = time.monotonic()
                journal.append(event.kind, event.to_json())
                state = step(state, event)
                board.publish(_render(state, made if event.kind == TurnRuled.kind else 0.0))
            used = resource.getrusage(resource.RUSAGE_SELF)
            line.send(used.ru_utime + used.ru_stime)


def _render(state: TableState, made_s: float) -> Callable[[str], ViewState]:
    """Return a function that renders the view with the moment of the ruling; without it for 0.

    By that moment a watcher knows how late the view came.
    """
    said = {"made": made_s} if made_s else {}
    return lambda language: table_view(GAME, state, language=language) | said


async def opened_ms(port: int) -> float:
    """Return the time from opening the page's address to its document, session and state, ms.

    The state comes from a stream or without.
    """
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
    """Return how late every ruling reached every watcher, ms, in order."""
    return sorted(ms for watcher in watchers for ms in watcher.late_ms.values())


def share(values: Sequence[float], part: float) -> float:
    """Return the value below which so large a part of them lies."""
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

    def openings() -> Awaitable[list[float]]:
        return _openings(port)

    rulings = int(WATCHED_S / WATCHED_EVERY_S)
    try:
        pages, _, opening = asyncio.run(watched(port, PAGES, rule, RULINGS, EVERY_S, openings))
        time.sleep(HEARTBEAT_S + 1)  # until the server has noticed that they are gone
        crowd, cpu_s, crowded = asyncio.run(watched(port, WATCHERS, rule, rulings, WATCHED_EVERY_S, openings))
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
