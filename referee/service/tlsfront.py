"""HTTPS in front of the page's server, in a thread of its own: it takes the encryption off, says in a header whom a
request came from, and hands it on over the loopback. Nothing of the page is known here.

Whoever opens connections and says nothing waits in an event loop and takes no thread; each address may hold some, and
one that asks nothing is closed. Bodies have a length and a limit: requests in chunks are refused, so that what ends a
request is never a matter of opinion between this and the server behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import threading
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

HEAD_MOST = 32 * 1024
BODY_MOST = 2_000_000
HEAD_S = 15.0
"""How long a connection may stand between two requests, or take over the first lines of one."""
BODY_S = 10.0
EACH_MOST = 60
"""Connections of one address: some tabs, their streams, and two cameras."""
ALL_MOST = 400
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


class TlsFront:
    """Answers HTTPS at a socket until closed; use as a context manager."""

    def __init__(self, sock: socket.socket, certificate: Path, key: Path, behind: tuple[str, int]) -> None:
        """certificate, key: PEM files. behind: host and port of the server handed on to. Raises OSError, SSLError."""
        self._sock, self._behind = sock, behind
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.minimum_version = ssl.TLSVersion.TLSv1_2
        self._tls.load_cert_chain(certificate, key)
        self._open: Counter[str] = Counter()
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
        stop = asyncio.Event()
        server = await asyncio.start_server(
            self._connected, sock=self._sock, ssl=self._tls, limit=HEAD_MOST, ssl_handshake_timeout=HEAD_S
        )
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # a client that breaks off mid-handshake
        self._ready.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()
        server.close()

    async def _connected(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        sender = str(answer.get_extra_info("peername", ("",))[0])
        if self._open[sender] >= EACH_MOST or self._open.total() >= ALL_MOST:
            answer.close()
            return
        self._open[sender] += 1
        try:
            await self._converse(client, answer, sender)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass  # either side went away, or said nothing
        finally:
            self._open[sender] -= 1
            if not self._open[sender]:
                del self._open[sender]
            answer.close()

    async def _converse(self, client: asyncio.StreamReader, answer: asyncio.StreamWriter, sender: str) -> None:
        """Hand on request after request of one connection; what comes back goes to the client as it comes."""
        head = await asyncio.wait_for(client.readuntil(b"\r\n\r\n"), HEAD_S)
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
