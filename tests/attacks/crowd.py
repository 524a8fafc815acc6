"""A game of 300 turns before a crowd: watchers with pictures, readers of everything, connections that say nothing.

Nobody's command may wait for a second, the memory stays under 400 MB, and nobody who watches is dropped.
"""

from __future__ import annotations

import asyncio
import http.client
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.values.words import LANGUAGES
from tests.attacks.longgame import LongGame, Tablet
from tests.attacks.outcome import Outcome

MOST_MB = 400.0


class Watchers:
    """Pages that listen to the stream, in a thread of their own; some of them look at a camera now and then."""

    def __init__(self, port: int, count: int, cameras: list[str], pictures_s: float = 5.0) -> None:
        self.heard, self.pictures, self.lost = [0] * count, 0, [""] * count
        self._port, self._cameras, self._pictures_s = port, cameras, pictures_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._all(count)), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Go away."""
        self._stop.set()
        self._thread.join(30)

    async def _all(self, count: int) -> None:
        tasks = [asyncio.create_task(self._one(number)) for number in range(count)]
        while not self._stop.is_set():
            await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, number: int) -> None:
        try:
            await asyncio.gather(self._listen(number), self._look(number))
        except (OSError, asyncio.IncompleteReadError) as error:
            self.lost[number] = repr(error)

    async def _listen(self, number: int) -> None:
        lang = LANGUAGES[number % len(LANGUAGES)]
        reader, writer = await self._asked(f"/api/stream?changes=true&lang={lang}")
        try:
            while chunk := await reader.read(1 << 16):
                self.heard[number] += len(chunk)
            self.lost[number] = "the stream ended"
        finally:
            writer.close()

    async def _look(self, number: int) -> None:
        while True:
            await asyncio.sleep(self._pictures_s * (0.5 + number % 10 / 10))
            reader, writer = await self._asked(
                f"/api/cameras/{self._cameras[number % len(self._cameras)]}", close=True
            )
            await reader.read(-1)
            writer.close()
            self.pictures += 1

    async def _asked(self, path: str, close: bool = False) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        end = "Connection: close\r\n" if close else ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{end}\r\n".encode())
        status = await reader.readline()
        if b" 200 " not in status and not close:
            raise ConnectionError(status.decode().strip())
        return reader, writer


@contextmanager
def watchers(game: LongGame, count: int) -> Iterator[Watchers]:
    """Run so many watchers."""
    there = Watchers(game.port, count, game.cameras)
    try:
        yield there
    finally:
        there.close()


READ = ("/api/record.txt", "/api/checkpoint", "/api/record.json", "/api/events?after=0", "/api/state", "/api/games")


@contextmanager
def readers(port: int, count: int) -> Iterator[list[int]]:
    """Run so many who take away everything there is, from addresses of their own; yield how often they did."""
    done, asked = threading.Event(), [0] * count

    def read(number: int) -> None:
        while not done.is_set():
            source = (f"127.0.1.{1 + number}", 0)
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=source)
            try:
                line.request("GET", READ[number % len(READ)])
                line.getresponse().read()
                asked[number] += 1
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
            finally:
                line.close()

    threads = [threading.Thread(target=read, args=[number], daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield asked
    finally:
        done.set()
        for thread in threads:
            thread.join(60)


@contextmanager
def half_open(port: int, count: int) -> Iterator[None]:
    """Open so many connections that begin a request and never end it, from three addresses."""
    said = (b"", b"GET /hea", b"POST /api/pair/pin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1")
    held = []
    for number in range(count):
        try:
            sock = socket.create_connection(("127.0.0.1", port), 5, source_address=(f"127.0.2.{1 + number % 3}", 0))
            sock.sendall(said[number // 3 % 3])
        except OSError:
            continue
        held.append(sock)
    try:
        yield
    finally:
        for sock in held:
            sock.close()


def attack(
    minutes: float = 10.0, turns: int = 300, watching: int = 50, reading: int = 64, silent: int = 900
) -> Outcome:
    """Attack with all three, one after the other, on one running referee."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="referee-crowd-") as folder, ExitStack() as parts:
        game = LongGame(Path(folder), turns, parts)
        tablet = Tablet.paired(game.data, game.port)
        outcome = Outcome(f"crowd at {turns} turns (load {load:.1f} at its beginning)")
        outcome.note(f"answers {game.started_s:.1f} s after its start; {game.memory_mb:.0f} MB")
        most, most_all = _watched(game, tablet, watching, minutes * 60, outcome)
        outcome.holds(most < MOST_MB, f"memory {most:.0f} MB (with the cameras' processes {most_all:.0f} MB)")
        with readers(game.port, reading) as asked:
            tablet.pass_time(30)
        _waited(outcome, tablet, f"{reading} readers ({sum(asked)} answers)")
        with half_open(game.port, silent):
            tablet.pass_time(20)
        _waited(outcome, tablet, f"{silent} half-open connections")
        outcome.holds(game.memory_mb < MOST_MB, f"memory after that {game.memory_mb:.0f} MB")
        outcome.note(f"load {os.getloadavg()[0]:.1f} at its end")
        return outcome


def _watched(game: LongGame, tablet: Tablet, count: int, seconds: float, outcome: Outcome) -> tuple[float, float]:
    most = most_all = longest_s = slowest = 0.0
    asked = 0
    with watchers(game, count) as there:
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            tablet.pass_time(10)
            longest_s, asked = max(longest_s, tablet.longest_s), asked + tablet.count
            slowest = max(slowest, tablet.slowness)
            most, most_all = max(most, game.memory_mb), max(most_all, game.all_memory_mb)
        lost = sum(bool(words) for words in there.lost)
        tablet.longest_s, tablet.count, tablet.slowness = longest_s, asked, slowest
        heard_mb = sum(there.heard) / 1e6
    _waited(
        outcome, tablet, f"{count} watchers for {seconds / 60:.1f} min ({heard_mb:.0f} MB, {there.pictures} pictures)"
    )
    outcome.holds(not lost, f"{lost} watchers dropped {sorted(set(there.lost) - {''})[:3]}")
    return most, most_all


def _waited(outcome: Outcome, tablet: Tablet, who: str) -> None:
    words = f"{who}: {tablet.waited}, {tablet.refused} refused"
    outcome.holds(tablet.in_time, words)
