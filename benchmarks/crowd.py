"""Watches the page as cheaply as can be: plain sockets that do what web/static/connection.js does.

They run on the machine they measure, so they parse nothing they need not know: of a state only its version and the
moment it was ruled, which stand at its end.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from referee.values.words import LANGUAGES
from web.api.stream import POLL_MS

_MADE = re.compile(rb'"made": ([0-9.]+)')
_VERSION = re.compile(rb'"version": ([0-9]+)')
_NUMBER = re.compile(rb'"number": ([0-9]+)')
LONGEST_S = 60.0
"""Watchers are waited for so long at most, before the rulings and after them."""
_TAIL = 200
"""Bytes at a state's end among which version and moment stand."""


@dataclass
class Watcher:
    """Notes of one watcher: how late each state came, in ms, and its errors."""

    language: str = LANGUAGES[0]
    late_ms: dict[int, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    polls: int = 0
    first: int = 0
    """The version that stood when it came: older news than itself."""

    def saw(self, state: bytes) -> None:
        """Take a state in; ``made`` is when it was ruled, by the clock both processes share."""
        end = state[-_TAIL:]
        made, known = _MADE.search(end), _VERSION.search(end)
        if known is None:
            self.failures.append("a state without a version")
            return
        version = int(known[1])
        self.first = self.first or version
        if version != self.first and version not in self.late_ms and made is not None:
            self.late_ms[version] = 1000 * (time.monotonic() - float(made[1]))

    def heard(self, event: bytes) -> None:
        """Take an event in."""
        number = _NUMBER.search(event)
        if number is not None:
            self.events.append(int(number[1]))


class _Stream(asyncio.Protocol):
    """The lines of an event stream; ``began`` gives the status of the answer, ``ended`` comes when it is over."""

    def __init__(self, watcher: Watcher) -> None:
        loop = asyncio.get_running_loop()
        self.began: asyncio.Future[int] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._watcher = watcher
        self._rest = bytearray()
        self._looked = 0
        self._kind = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(_request(f"/api/stream?lang={self._watcher.language}"))

    def data_received(self, data: bytes) -> None:
        rest = self._rest
        rest += data
        while (end := rest.find(b"\n", self._looked)) >= 0:
            self._line(bytes(rest[:end]))
            del rest[: end + 1]
            self._looked = 0
        self._looked = len(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        for waiting in (self.began, self.ended):
            if not waiting.done():
                waiting.set_exception(exc or ConnectionError("the stream ended"))
                waiting.exception()  # the result is read even where nobody waits any more

    def _line(self, line: bytes) -> None:
        if not self.began.done():
            self.began.set_result(int(line.split()[1]))
        elif line.startswith(b"event: "):
            self._kind = line[7:].strip()
        elif line.startswith(b"data: ") and self._kind == b"state":
            self._watcher.saw(line)
        elif line.startswith(b"data: ") and self._kind == b"happened":
            self._watcher.heard(line)


def _request(address: str, headers: str = "") -> bytes:
    return f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode()


async def ask(port: int, address: str, headers: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter, int]:
    """Send a request and read the first line of its answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    writer.write(_request(address, headers))
    status = int((await reader.readline()).split()[1])
    return reader, writer, status


async def _listen(port: int, watcher: Watcher) -> bool:
    """Listen to the stream until cancelled; False when no stream was left."""
    loop = asyncio.get_running_loop()
    transport, stream = await loop.create_connection(lambda: _Stream(watcher), "127.0.0.1", port)
    try:
        if await stream.began != 200:
            return False
        await stream.ended
        return True
    finally:
        transport.close()


class _Asking:
    """A connection that is asked again and again."""

    def __init__(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._port, self._reader, self._writer = port, reader, writer

    @classmethod
    async def begin(cls, port: int) -> _Asking:
        return cls(port, *await asyncio.open_connection("127.0.0.1", port))

    async def get(self, address: str, headers: str = "") -> tuple[int, dict[str, str], bytes]:
        """Return status, head and body of an answer."""
        if self._writer.is_closing():
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(_request(address, headers))
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(lines[0].split()[1])
        told = {name.lower(): text.strip() for name, _, text in (line.partition(":") for line in lines[1:] if line)}
        body = await self._reader.readexactly(int(told.get("content-length", 0)) if status != 304 else 0)
        if told.get("connection", "").lower() == "close":
            self._writer.close()
        return status, told, body

    def close(self) -> None:
        self._writer.close()


async def _poll(port: int, watcher: Watcher) -> None:
    """Ask for the state, and for the events that led to it, as a page without a stream does."""
    line, tag, number = await _Asking.begin(port), "", 2**53 - 1
    try:
        while True:
            known = f"If-None-Match: {tag}\r\n" if tag else ""
            status, told, body = await line.get(f"/api/state?lang={watcher.language}", known)
            watcher.polls += 1
            if status == 200:
                status, _, events = await line.get(f"/api/events?after={number}&limit=200")
                watcher.polls += 1
                watcher.saw(body)
                tag = told["etag"]
                numbers = [int(each) for each in _NUMBER.findall(events)]
                watcher.events += numbers
                number = max([*numbers, int(re.findall(rb'"last": ([0-9]+)', events)[0])])
            if status not in (200, 304):
                watcher.failures.append(f"status {status}")
            await asyncio.sleep(POLL_MS / 1000 * random.uniform(0.9, 1.1))
    finally:
        line.close()


async def _watch(port: int, watcher: Watcher) -> None:
    """Do what an open page does."""
    try:
        if not await _listen(port, watcher):
            await _poll(port, watcher)
    except (OSError, ValueError, IndexError, asyncio.IncompleteReadError) as error:
        watcher.failures.append(repr(error))


async def _nothing() -> list[float]:
    return []


async def _until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, and no longer than a slow machine may need."""
    by_s = time.monotonic() + LONGEST_S
    while not holds() and time.monotonic() < by_s:
        await asyncio.sleep(0.05)


async def watched(
    port: int,
    count: int,
    rule: Callable[[], float],
    rulings: int,
    every_s: float,
    meanwhile: Callable[[], Awaitable[list[float]]] = _nothing,
    before_s: float = 3.0,
    after_s: float = 2.5,
    enough: Callable[[Watcher], bool] = lambda watcher: bool(watcher.late_ms),
) -> tuple[list[Watcher], float, list[float]]:
    """Run so many watchers, a third in each language, through so many rulings.

    The rulings begin once all have come, and at the end ``enough`` holds of each that did not fail. Returns what they
    saw, the CPU seconds the server took meanwhile, and what ``meanwhile`` returned.
    """
    watchers = [Watcher(LANGUAGES[index % len(LANGUAGES)]) for index in range(count)]
    tasks = [asyncio.create_task(_watch(port, watcher)) for watcher in watchers]
    other = asyncio.ensure_future(meanwhile())
    await asyncio.sleep(before_s)
    await _until(lambda: all(watcher.first or watcher.failures for watcher in watchers))
    loop = asyncio.get_running_loop()
    before = after = await loop.run_in_executor(None, rule)
    for _ in range(rulings):
        await asyncio.sleep(every_s)
        after = await loop.run_in_executor(None, rule)
    await asyncio.sleep(after_s)
    await _until(lambda: all(enough(watcher) or watcher.failures for watcher in watchers))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return watchers, after - before, await other
