"""A front before the page's server: it names the sender in a header and forwards each request over the loopback.

It runs in a thread of its own and knows nothing of the page. Clients that open connections and say nothing wait in an
event loop and take no thread. Connections are counted before any encryption, which costs memory; each address may
hold some, and where all are taken the address that holds most gives one up. Bodies have a length and a limit:
requests in chunks are refused, so that this server and the one behind it agree on where a request ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import ssl
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Self, TypeAlias

from referee.service.doors import Doors
from referee.service.requesthead import HEAD_MOST, BadRequestError, RequestHead

HEAD_S = 15.0
"""Longest time a connection may idle between two requests, or take for the first lines of one."""
HANDSHAKE_S = 5.0
STRANGERS_S = 0.02
"""Pause between two handshakes of strangers, so that a client that reconnects endlessly keeps nobody busy."""
SHUTDOWN_S = 2.0
"""Longest time a closed connection waits for the other end to receive the last bytes."""
BODY_S = 10.0
REFUSED_S = 0.5
REFUSED_HEAD_MOST = 12 * HEAD_MOST
"""So much is still read of a head that is too long, less than of a body: deciphering it would hold up everybody."""
NO_HANDLE_S = 0.1
COLLECTED_TOGETHER = 64
"""After so many encrypted connections what they leave is freed; each leaves half a megabyte or more."""
_CHUNK = 1 << 16
CONNECTION = "connection"
"""Name of the tasks that serve one connection each."""
_LOG = logging.getLogger(__name__)

Place: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Onward:
    """Destination of a request: host and port, its first lines, and another place if nobody answers there."""

    place: Place
    head: bytes
    otherwise: tuple[Place, bytes] | None = None


Way: TypeAlias = Callable[[RequestHead, str], Onward]
"""Says where a request of an address goes. Called in the front's thread: it must not wait. Raises BadRequestError."""


class Front:
    """Answers at a socket until closed; use as a context manager."""

    def __init__(self, sock: socket.socket, way: Way, doors: Doors, tls: ssl.SSLContext | None = None) -> None:
        """Take a listening socket. tls: the context that decrypts, ``None`` for plain connections."""
        self._sock, self._way, self._doors, self._tls = sock, way, doors, tls
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._strangers = asyncio.Lock()
        self._ended = 0
        self._thread = Thread(target=lambda: asyncio.run(self._serve()), name="front", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result(timeout=10)
        return self

    def __exit__(self, *_: object) -> None:
        loop, stop = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join(timeout=5)

    async def _serve(self) -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        self._sock.setblocking(False)
        loop.set_exception_handler(_note_failure)
        welcoming = asyncio.create_task(self._welcome())
        self._ready.set_result((loop, stop))
        await stop.wait()
        welcoming.cancel()

    async def _welcome(self) -> None:
        """Take in one connection after the other."""
        loop, talking = asyncio.get_running_loop(), dict[Hashable, asyncio.Task[None]]()
        while True:
            try:
                sock, address = await loop.sock_accept(self._sock)
            except OSError:  # no handle is left, or the other end has gone already
                await asyncio.sleep(NO_HANDLE_S)
                continue
            sender = str(address[0])
            welcome, goes = self._doors.come(sock, sender)
            if goes in talking:
                talking[goes].cancel()
            if welcome:
                # The loop itself would forget the task.
                talking[sock] = asyncio.create_task(self._connected(sock, sender), name=CONNECTION)
                talking[sock].add_done_callback(partial(_forget, talking, sock))
            else:
                sock.close()
            # A flood must not block other clients, and no task is cancelled before it can close its socket.
            await asyncio.sleep(0)

    async def _connected(self, sock: socket.socket, sender: str) -> None:
        loop = asyncio.get_running_loop()
        client = asyncio.StreamReader(HEAD_MOST)
        protocol = asyncio.StreamReaderProtocol(client)
        answer, handed_over = None, False
        try:
            await asyncio.wait_for(_speaks(sock), HANDSHAKE_S)
            waits: dict[str, float] = {}
            if self._tls:
                if not self._doors.knows(sender):
                    async with self._strangers:
                        await asyncio.sleep(STRANGERS_S)
                waits = {"ssl_handshake_timeout": HANDSHAKE_S, "ssl_shutdown_timeout": SHUTDOWN_S}
            handed_over = True
            transport, _ = await loop.connect_accepted_socket(lambda: protocol, sock, ssl=self._tls, **waits)
            answer = asyncio.StreamWriter(transport, protocol, client, loop)
            await self._converse(client, answer, sender, sock)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass  # either side went away, or said nothing
        except asyncio.CancelledError:  # its place went to another client; what it has not read is dropped
            if answer is not None:
                answer.transport.abort()
            raise
        finally:
            self._doors.go(sock)
            if answer is not None:
                answer.close()
            elif not handed_over:  # else its transport closes it, or whoever gets its number next would be refused
                sock.close()
            if handed_over and self._tls:
                self._free_ended()

    def _free_ended(self) -> None:
        """Free what ended connections left, a number of them at a time.

        Streams, tasks and the errors they ended with keep each other and their buffers. Python looks for such circles
        by the number of objects, whatever they hold: in a large process hardly ever.
        """
        self._ended += 1
        if self._ended % COLLECTED_TOGETHER == 0:
            gc.collect()

    async def _converse(
        self, client: asyncio.StreamReader, answer: asyncio.StreamWriter, sender: str, who: Hashable
    ) -> None:
        """Forward the requests of one connection one by one, and send answers to the client as they arrive."""
        following = asyncio.ensure_future(asyncio.wait_for(_head(client), HEAD_S))
        behind: _Behind | None = None
        try:
            while True:
                try:
                    asked = RequestHead.read(await following)
                    self._doors.ask(who)
                    onward = self._way(asked, sender)
                except BadRequestError as refused:
                    await _refuse(client, answer, refused)
                    return
                behind, lines = await _reached(behind, onward, answer)
                behind.on.write(lines)
                await asyncio.wait_for(_pass_on(client, behind.on, asked.size), BODY_S)
                following = asyncio.ensure_future(_head(client))
                # An answer may last for hours (a stream of events): the connection ends when either side ends it.
                done, _ = await asyncio.wait({following, behind.answering}, return_when=asyncio.FIRST_COMPLETED)
                if following not in done:
                    following.cancel()
                    return
        finally:
            if behind is not None:
                behind.close()


@dataclass(frozen=True, slots=True)
class _Behind:
    """A connection to a server behind the front, and the task that passes its answers on."""

    place: Place
    on: asyncio.StreamWriter
    answering: asyncio.Task[None]

    def close(self) -> None:
        self.answering.cancel()
        self.on.close()


async def _reached(behind: _Behind | None, onward: Onward, answer: asyncio.StreamWriter) -> tuple[_Behind, bytes]:
    """Return the connection that carries a request, and the lines to send.

    The open connection serves if it leads to the right place.
    """
    if behind is not None and behind.place == onward.place:
        return behind, onward.head
    if behind is not None:  # the client sends its next request after the answer, so the old server sends no more
        behind.close()
    try:
        return await _connected_to(onward.place, answer), onward.head
    except OSError:
        if onward.otherwise is None:
            raise
    place, lines = onward.otherwise
    return await _connected_to(place, answer), lines


async def _connected_to(place: Place, answer: asyncio.StreamWriter) -> _Behind:
    back, on = await asyncio.open_connection(*place)
    return _Behind(place, on, asyncio.create_task(_pour(back, answer)))


def _note_failure(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Note what the front itself failed at; a client that breaks off is nothing to note."""
    error = context.get("exception")
    if isinstance(error, BaseException) and not isinstance(error, (OSError, EOFError, BadRequestError)):
        _LOG.error("a connection failed", exc_info=error)


def _forget(talking: dict[Hashable, asyncio.Task[None]], who: Hashable, done: asyncio.Task[None]) -> None:
    del done, talking[who]


async def _speaks(sock: socket.socket) -> None:
    """Wait until the other end has said something: encryption takes memory, and silence needs none."""
    loop, said = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sock, said.set)
    try:
        await said.wait()
    finally:
        loop.remove_reader(sock)


async def _head(client: asyncio.StreamReader) -> bytes:
    try:
        return await client.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise BadRequestError("431 Request Header Fields Too Large", REFUSED_HEAD_MOST) from None


async def _pass_on(client: asyncio.StreamReader, on: asyncio.StreamWriter, size: int) -> None:
    while size:
        chunk = await client.read(min(size, _CHUNK))
        if not chunk:
            raise ConnectionError
        size -= len(chunk)
        on.write(chunk)
        await on.drain()


async def _pour(back: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await back.read(_CHUNK):
            answer.write(chunk)
            await answer.drain()


async def _refuse(client: asyncio.StreamReader, answer: asyncio.StreamWriter, refused: BadRequestError) -> None:
    """Say so, and take in what still comes for a moment: a close over what was not read would undo the answer."""
    left = refused.read_most
    answer.write(f"HTTP/1.1 {refused.status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(REFUSED_S):
            await answer.drain()
            while left > 0 and (chunk := await client.read(_CHUNK)):
                left -= len(chunk)
