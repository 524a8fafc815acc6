"""Serve a house over real sockets."""

from __future__ import annotations

import http.client
import socket
import time
from contextlib import ExitStack
from typing import Any

from referee.service.server import PageServer, bind
from tests.auth.house import House
from web.streams import StreamSlots

BEAT_S = 0.3


class Served:
    """A house with its door open."""

    def __init__(self, house: House, **server: Any) -> None:
        self.house = house
        house.app.config["HEARTBEAT_S"] = BEAT_S
        self.parts = ExitStack()
        sock = self.parts.enter_context(bind("127.0.0.1", 0))
        self.port: int = sock.getsockname()[1]
        self.parts.enter_context(PageServer(house.app, sock, **server))
        self.parts.callback(house.board.close)

    def stream(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        sock.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return sock

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    @property
    def slots(self) -> StreamSlots:
        return self.house.services.streams


def until(met: Any, seconds: float = 8.0) -> bool:
    end = time.monotonic() + seconds
    while not met() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(met())
