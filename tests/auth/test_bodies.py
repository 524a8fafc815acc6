"""Large bodies are taken in from paired devices alone, at addresses that take them, over every way in."""

from __future__ import annotations

import base64
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from referee.service.bodies import SMALL_BODY
from tests.auth.house import Device, House
from tests.auth.serving import Served
from web.api.photographs import MOST_BYTES
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER

PICTURE = "/api/copies/note/cards/1/picture"
LARGE = json.dumps({"picture": base64.b64encode(b"\xff\xd8\xff" + bytes(300_000)).decode()}).encode()


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    house.app.config["TRUSTED_HOSTS"] = ["localhost", "127.0.0.1"]
    served = Served(house)
    with served.parts:
        yield served


def status(served: Served, device: Device | None, path: str, body: bytes, media: str = "application/json") -> int:
    """Return the status with which a body sent over a socket is answered."""
    headers = {"Content-Type": media, KEY_HEADER: f"key-{path}"[:64]}
    if device is not None:
        headers |= {"Cookie": f"{served.house.auth.name}={device.cookie}", CSRF_HEADER: device.csrf}
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as line:
        line.request("POST", path, body, headers)
        return line.getresponse().status


def test_a_paired_device_sends_what_its_address_takes(served: Served) -> None:
    device = served.house.pair()
    assert status(served, device, PICTURE, LARGE) == 200
    assert status(served, device, "/api/phones/cam0/frames", bytes(1_400_000), "image/jpeg") == 204
    assert len(served.house.phones.taken[0][0]) == 1_400_000
    assert status(served, device, "/api/photographs", bytes(MOST_BYTES), "application/octet-stream") == 202
    assert len(served.house.photographs.taken[0][0]) == MOST_BYTES


@pytest.mark.parametrize("who", ["nobody", "forgotten"])
@pytest.mark.parametrize(
    "path", [PICTURE, "/api/phones/cam0/frames", "/api/photographs", "/api/copy-files", "/nowhere", "/static/x"]
)
def test_a_stranger_is_refused_before_the_body_comes(served: Served, path: str, who: str) -> None:
    device = served.house.pair()
    served.house.auth.devices.forget(device.id)
    cookie = f"Cookie: {served.house.auth.name}={device.cookie}\r\n" if who == "forgotten" else ""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{cookie}Content-Length: {SMALL_BODY + 1}\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", served.port), 10)) as line:
        line.sendall(head.encode())  # and nothing of the body
        assert line.recv(65536).startswith(b"HTTP/1.1 413 ")


def test_an_address_for_small_bodies_takes_no_large_one(served: Served) -> None:
    device = served.house.pair()
    assert status(served, device, "/api/commands/note", b" " * (SMALL_BODY + 1)) == 413


def test_a_body_in_chunks_stays_small(served: Served) -> None:
    device = served.house.pair()
    cookie = f"{served.house.auth.name}={device.cookie}"
    head = f"POST {PICTURE} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", served.port), 10)) as line:
        line.sendall(head.encode() + b"20000\r\n" + bytes(0x20000))
        assert line.recv(65536).startswith(b"HTTP/1.1 413 ")
