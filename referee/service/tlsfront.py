"""HTTPS in front of the page's server, in a thread of its own: it takes the encryption off, says in a header whom a
request came from, and hands it on over the loopback. Nothing of the page is known here.

Whoever opens connections and says nothing waits in an event loop and takes no thread. Connections are counted before
anything is encrypted, which costs memory; each address may hold some, and where all are taken one that has asked
nothing yet makes room for somebody else. Bodies have a length and a limit: requests in chunks are refused, so that
what ends a request is never a matter of opinion between this and the server behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Hashable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

HEAD_MOST = 32 * 1024
BODY_MOST = 2_000_000
HEAD_S = 15.0
"""How long a connection may stand between two requests, or take over the first lines of one."""
HANDSHAKE_S = 5.0
BODY_S = 10.0
NO_HANDLE_S = 0.1
EACH_MOST = 40
"""Connections of one address: some tabs, their streams, and two cameras."""
ALL_MOST = 200
"""Each takes a third of a megabyte for its encryption."""
_CHUNK = 1 << 16
_LINE = re.compile(rb"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (/[!-~]*) HTTP/1\.[01]")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
_OURS = (
    b"x-forwarded-for",
    b"x-forwarded-proto",
    b"x-forwarded-host",
    b"x-forwarded-port",
    b"x-forwarded-by",
    b"forwarded",
)


class BadRequestError(Exception):
    """A request that is not handed on."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def handed_on(head: bytes, sender: str) -> tuple[bytes, int]:
    """A request's first lines as the server behind gets them, and the length of its body. Raises BadRequestError."""
    line, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if not _LINE.fullmatch(line):
        raise BadRequestError("400 Bad Request")
    kept, lengths = [line], []
    for each in lines:
        field = _FIELD.fullmatch(each)
        if field is None:
            raise BadRequestError("400 Bad Request")
        name = field[1].lower()
        if name == b"transfer-encoding":
            raise BadRequestError("411 Length Required")
        if name == b"content-length":
            lengths.append(field[2].strip())
        if name not in (*_OURS, b"expect", b"upgrade"):
            kept.append(each)
    if len(lengths) > 1 or any(not re.fullmatch(rb"\d{1,9}", length) for length in lengths):
        raise BadRequestError("400 Bad Request")
    size = int(lengths[0]) if lengths else 0
    if size > BODY_MOST:
        raise BadRequestError("413 Content Too Large")
    kept += [b"X-Forwarded-For: " + sender.encode(), b"X-Forwarded-Proto: https"]
    return b"\r\n".join(kept) + b"\r\n\r\n", size


class Doors:
    """Who holds a connection, and who of them has asked nothing yet. each, most: of one address, and of all."""

    def __init__(self, each: int = EACH_MOST, most: int = ALL_MOST) -> None:
        self._each, self._most = each, most
        self._open: dict[Hashable, str] = {}
        self._silent: dict[Hashable, str] = {}

    def come(self, who: Hashable, address: str) -> tuple[bool, Hashable | None]:
        """Whether somebody may come in, and who is to go for it."""
        held, goes = Counter(self._open.values()), None
        if held[address] >= self._each or len(self._open) >= self._most:
            goes = self._least(held, address)
            if goes is None:
                return False, None
            self.go(goes)
        self._open[who] = self._silent[who] = address
        return True, goes

    def ask(self, who: Hashable) -> None:
        """Somebody has asked for something."""
        self._silent.pop(who, None)

    def go(self, who: Hashable) -> None:
        """Somebody has gone; saying so twice does nothing."""
        self._open.pop(who, None)
        self._silent.pop(who, None)

    def _least(self, held: Counter[str], address: str) -> Hashable | None:
        """Who has waited longest without a word, of the newcomer's address or of the one that holds more."""
        greedy = max(self._silent.values(), key=lambda one: held[one], default=address)
        if held[address] >= self._each or held[greedy] <= held[address]:
            greedy = address
        return next((who for who, one in self._silent.items() if one == greedy), None)


class TlsFront:
    """Answers HTTPS at a socket until closed; use as a context manager."""

    def __init__(self, sock: socket.socket, certificate: Path, key: Path, behind: tuple[str, int]) -> None:
        """certificate, key: PEM files. behind: host and port of the server handed on to. Raises OSError, SSLError."""
        self._sock, self._behind = sock, behind
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        self._tls.load_cert_chain(certificate, key)
        self._doors = Doors()
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="https", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result(timeout=10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop, stop = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join(timeout=5)

    async def _serve(self) -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        self._sock.setblocking(False)
        loop.set_exception_handler(lambda *_: None)  # a client that breaks off mid-handshake
        welcoming = asyncio.create_task(self._welcome())
        self._ready.set_result((loop, stop))
        await stop.wait()
        welcoming.cancel()

    async def _welcome(self) -> None:
        """Take in one connection after the other."""
        loop, talking = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        while True:
            try:
                sock, address = await loop.sock_accept(self._sock)
            except OSError:  # no handle is left, or the other end has gone already
                await asyncio.sleep(NO_HANDLE_S)
                continue
            task = asyncio.create_task(self._connected(sock, str(address[0])))
            talking.add(task)  # the loop itself would forget it
            task.add_done_callback(talking.discard)
            await asyncio.sleep(0)  # so that a flood keeps nobody from being answered

    async def _connected(self, sock: socket.socket, sender: str) -> None:
        loop, who = asyncio.get_running_loop(), asyncio.current_task()
        welcome, goes = self._doors.come(who, sender)
        if isinstance(goes, asyncio.Task):
            goes.cancel()
        if not welcome:
            sock.close()
            return
        client = asyncio.StreamReader(HEAD_MOST)
        protocol = asyncio.StreamReaderProtocol(client)
        answer = None
        try:
            await asyncio.wait_for(_speaks(sock), HANDSHAKE_S)
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol, sock, ssl=self._tls, ssl_handshake_timeout=HANDSHAKE_S
            )
            answer = asyncio.StreamWriter(transport, protocol, client, loop)
            await self._converse(client, answer, sender)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # either side went away, or said nothing
        finally:
            self._doors.go(who)
            if answer is not None:
                answer.close()
            else:
                sock.close()

    async def _converse(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter, sender: str) -> None:
        """Hand on request after request of one connection; what comes back goes to the client as it comes."""
        head = await asyncio.wait_for(client.readuntil(b"\r\n\r\n"), HEAD_S)
        self._doors.ask(asyncio.current_task())
        back, on = await asyncio.open_connection(*self._behind)
        answering = asyncio.create_task(_pour(back, answer))
        try:
            while True:
                try:
                    lines, size = handed_on(head, sender)
                except BadRequestError as refused:
                    await _refuse(answer, refused.status)
                    return
                on.write(lines)
                await asyncio.wait_for(_pass_on(client, on, size), BODY_S)
                following = asyncio.ensure_future(client.readuntil(b"\r\n\r\n"))
                # An answer may last for hours (a stream of events): the connection ends when either side ends it.
                done, _ = await asyncio.wait({following, answering}, return_when=asyncio.FIRST_COMPLETED)
                if following not in done:
                    following.cancel()
                    return
                head = following.result()
        finally:
            answering.cancel()
            on.close()


async def _speaks(sock: socket.socket) -> None:
    """Wait until the other end has said something: encryption takes memory, and silence needs none."""
    loop, said = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sock, said.set)
    try:
        await said.wait()
    finally:
        loop.remove_reader(sock)


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


async def _refuse(answer: asyncio.StreamWriter, status: str) -> None:
    answer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    with contextlib.suppress(OSError):
        await answer.drain()
