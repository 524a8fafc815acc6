"""The page's server, in the referee's own process: it owns the socket, the threads and the list of its host names."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import logging
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Self

from flask import Flask
from waitress.server import create_server
from waitress.wasyncore import close_all

from referee.service.bodies import SMALL_BODY, with_bodies_bounded
from referee.service.connections import shared_fairly
from referee.service.requesthead import HEAD_MOST
from referee.values.systemmodules import system_module
from web.app import MAX_STREAMS
from web.bodies import largest_of_all, room_for
from web.contract import LOCAL_HOSTS, check_endpoints

_FCNTL = system_module("fcntl")
SPARE_THREADS = 8
"""Threads that no event stream can take, so the page and its state are always answered."""
PORTS_TRIED = 20
ANYWHERE = "0.0.0.0"
MOST_CONNECTIONS = 600
"""Connections open at a time; the limit leaves file handles for cameras and journal."""
IDLE_S = 20
"""Time after which a connection without requests and answers is closed."""
BACKLOG = 512
DEAD_AFTER_MS = 20_000
"""Time without acknowledgement after which a client is gone: its stream goes to somebody else."""
STALLED_BYTES = 256 * 1024
"""Bytes that may wait for a slow reader before its thread waits for it, too."""
_OF_ADDRESSES = frozenset("0123456789.")
_SIOCGIFADDR = 0x8915
"""Linux: the address of an interface (netdevice(7))."""
HOSTS_NEW_S = 30.0
"""Time for which the machine's own names and addresses are kept before they are looked up again."""


class ServerError(Exception):
    """The page can't be served; the message says what to do."""


def bind(host: str, port: int) -> socket.socket:
    """Listen on an IPv4 socket at the port, or at the next free one above it. Raises ServerError when there is none.

    IPv4 only: Flask's list of trusted hosts can't hold an IPv6 address, so nobody could open the page at one.
    """
    try:
        if set(host) <= _OF_ADDRESSES:
            ipaddress.IPv4Address(host)  # a mistyped address would be asked for as a name, for half a minute offline
        socket.getaddrinfo(host, port, socket.AF_INET, socket.SOCK_STREAM)
    except (OSError, UnicodeError, ValueError) as error:
        raise ServerError(f"{host!r} is no IPv4 address of this machine: try 127.0.0.1 or 0.0.0.0") from error
    for candidate in range(port, min(port + PORTS_TRIED, 65536)) if port else (0,):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name != "nt":  # where it would share a port with whoever has it
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, candidate))
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections take it over from the listening socket
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER_MS)
            sock.listen(BACKLOG)
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
    """Return the names and IPv4 addresses of this machine, with ``asked``, the one it listens at."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    found = {*LOCAL_HOSTS, name, short, f"{short}.local", asked.lower()}
    with contextlib.suppress(OSError):  # a machine that doesn't know its own name still has addresses
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)}
    found |= {address for target in ("192.0.2.1", "10.0.0.1") if (address := _address_towards(target))}
    return sorted(found - {"", ANYWHERE})


class OwnHosts(Sequence[str]):
    """``own_hosts`` and further names, looked up again now and then: a table may move to another network.

    Made for Flask's TRUSTED_HOSTS, which asks it about every request.
    """

    def __init__(self, asked: str = "", allowed: Sequence[str] = ()) -> None:
        self._asked = asked
        self._allowed = [name.lower() for name in allowed]
        self._mutex = threading.Lock()
        self._names: list[str] = []
        self._until = 0.0

    def _now(self) -> list[str]:
        with self._mutex:
            if time.monotonic() >= self._until:
                self._names = sorted({*own_hosts(self._asked), *self._allowed})
                self._until = time.monotonic() + HOSTS_NEW_S
            return self._names

    def __len__(self) -> int:
        return len(self._now())

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __getitem__(self, index: Any) -> Any:
        return self._now()[index]


def address(sock: socket.socket) -> str:
    """Return the address to open in a browser: on this machine or, where the socket listens to others, on theirs."""
    host, port = sock.getsockname()[:2]
    return f"http://{machine_address() if host == ANYWHERE else host}:{port}/"


def machine_address() -> str:
    """Return the address under which other devices on the network find this machine."""
    found = (_address_towards(target) for target in ("192.0.2.1", "10.255.255.255"))
    return next((one for one in (*found, *_interface_addresses()) if one and not one.startswith("127.")), "localhost")


class PageServer:
    """Serves an app on a socket from a thread of its own until closed; end the streams' table first.

    behind_proxy: a web server on this same machine stands in front (for HTTPS), and what it says of the client's
    address and protocol is believed. Otherwise no forwarded header is. most_connections: open at a time.
    """

    def __init__(
        self,
        app: Flask,
        sock: socket.socket,
        behind_proxy: bool = False,
        most_connections: int = MOST_CONNECTIONS,
    ) -> None:
        proxy: dict[str, Any] = {}
        if behind_proxy:
            proxy = {
                "trusted_proxy": "127.0.0.1",
                "trusted_proxy_count": 1,
                "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
            }
        check_endpoints(app)
        # A short queue is normal where most threads serve streams.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._server = create_server(
            app,
            sockets=[sock],
            threads=app.config.get("MAX_STREAMS", MAX_STREAMS) + SPARE_THREADS,
            ident=None,
            max_request_body_size=max(SMALL_BODY, largest_of_all(app)) + 1,
            # A front hands on a few lines more than it was sent.
            max_request_header_size=HEAD_MOST + 1024,
            # Above the number at which idle connections are closed for new ones: nobody is kept out by them.
            connection_limit=2 * most_connections,
            channel_timeout=IDLE_S,
            cleanup_interval=IDLE_S // 4,
            outbuf_high_watermark=STALLED_BYTES,
            # Looking ahead is how a client that went away is noticed while its stream goes on.
            channel_request_lookahead=1,
            asyncore_use_poll=hasattr(select, "poll"),
            clear_untrusted_proxy_headers=True,
            **proxy,
        )
        self._server.channel_class = with_bodies_bounded(room_for(app))
        shared_fairly(self._server, most_connections)
        # A daemon thread: a browser that keeps its connection open must not keep the program from ending.
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Answers under way come to their end first; then the loop closes its connections in its own thread.
        self._server.task_dispatcher.shutdown(timeout=2)
        with contextlib.suppress(OSError):  # the loop may close its trigger before this thread uses it
            self._server.trigger.pull_trigger(lambda: close_all(self._server._map, ignore_all=True))
        self._thread.join(2)


def _interface_addresses() -> list[str]:
    """Return this machine's own IPv4 addresses, one an interface.

    On a table's own network there may be no route to anywhere else.
    """
    found: list[str] = []
    if _FCNTL is None:
        return found
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an address
                told = _FCNTL.ioctl(probe.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(told[20:24]))
    return found


def _address_towards(target: str) -> str | None:
    """Return the machine's own address on the way to another one; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
