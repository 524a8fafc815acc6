"""The page's server, in the referee's own process: it holds the socket, the threads and the hosts it answers to."""

from __future__ import annotations

import contextlib
import errno
import socket
import threading
from types import TracebackType
from typing import Self

from flask import Flask
from waitress.server import create_server
from waitress.wasyncore import close_all

from web.app import LOCAL_HOSTS, MAX_STREAMS

SPARE_THREADS = 8
"""Threads that no event stream can take, so the page and its state are always answered."""
PORTS_TRIED = 20
ANYWHERE = "0.0.0.0"
LARGEST_BODY = 64 * 1024
"""Bytes of a request's body that are taken in: the page only reads."""


class ServerError(Exception):
    """The page can't be served; the message says what to do."""


def bind(host: str, port: int) -> socket.socket:
    """A listening IPv4 socket at the port, or at the next free one above it. Raises ServerError when there is none.

    IPv4 only: Flask's list of trusted hosts can't hold an IPv6 address, so nobody could open the page at one.
    """
    try:
        socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ServerError(f"{host!r} is no IPv4 address of this machine: try 127.0.0.1 or 0.0.0.0") from error
    for candidate in range(port, min(port + PORTS_TRIED, 65536)) if port else (0,):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            sock.listen(128)
        except OSError as error:
            sock.close()
            if error.errno == errno.EADDRINUSE:
                continue
            raise ServerError(
                f"can't listen at {host} port {candidate}: {error.strerror}; choose others with --host and --port"
            ) from error
        return sock
    last = min(port + PORTS_TRIED, 65536) - 1
    raise ServerError(f"ports {port} to {last} are all taken: choose another with --port")


def own_hosts(asked: str = "") -> list[str]:
    """The names and IPv4 addresses under which this machine may be asked; ``asked`` is the one told to listen at."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    found = {*LOCAL_HOSTS, name, short, f"{short}.local", asked.lower()}
    with contextlib.suppress(OSError):  # a machine that doesn't know its own name still has addresses
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)}
    found |= {address for target in ("192.0.2.1", "10.0.0.1") if (address := _address_towards(target))}
    return sorted(found - {"", ANYWHERE})


def address(sock: socket.socket) -> str:
    """The address to open in a browser on this machine or, where the socket listens to others, on theirs."""
    host, port = sock.getsockname()[:2]
    if host == ANYWHERE:
        host = _address_towards("192.0.2.1") or "localhost"
    return f"http://{host}:{port}/"


class PageServer:
    """Serves an app on a socket from a thread of its own until closed; end the streams' table first."""

    def __init__(self, app: Flask, sock: socket.socket) -> None:
        self._server = create_server(
            app,
            sockets=[sock],
            threads=MAX_STREAMS + SPARE_THREADS,
            ident=None,
            max_request_body_size=LARGEST_BODY,
        )
        # A daemon thread: a browser that keeps its connection open must not keep the program from ending.
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Answers under way come to their end first; then the loop closes its connections in its own thread.
        self._server.task_dispatcher.shutdown(timeout=2)
        with contextlib.suppress(OSError):  # the loop may close its trigger before this thread has pulled it
            self._server.trigger.pull_trigger(lambda: close_all(self._server._map, ignore_all=True))
        self._thread.join(2)


def _address_towards(target: str) -> str | None:
    """The machine's own address on the way to another one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
