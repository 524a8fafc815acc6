"""Photographs come from paired devices alone, as large as their address takes, and not more than can be looked at."""

from __future__ import annotations

import socket
import time
from contextlib import closing

import pytest

from tests.auth.house import House
from tests.auth.serving import Served
from tests.untyped import untyped
from web.api.photographs import MOST_BYTES
from web.auth.guard import CSRF_HEADER
from web.tableview import TakenNote

FILE = b"\xff\xd8 a photograph \xff\xd9"


def send(
    house: House, query: str = "age_ms=1500", media: str = "application/octet-stream", content: bytes = FILE
) -> int:
    device = house.pair()
    address = f"/api/photographs?{query}"
    return device.client.post(address, data=content, content_type=media, headers=device.headers()).status_code


def test_a_paired_phone_sends_photographs(house: House) -> None:
    assert send(house, "age_ms=1500&clock_ms=1773489600000&ahead_min=-90") == 202
    assert house.photographs.taken == [(FILE, TakenNote(1.5, 1_773_489_600.0, -5400.0))]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"media": "image/jpeg"}, 415),
        ({"media": "application/json"}, 415),
        ({"content": bytes(MOST_BYTES + 1)}, 413),
        ({"query": "age_ms=-1"}, 400),
        ({"query": "ahead_min=5000"}, 400),
        ({"query": "camera=cam0"}, 400),
    ],
)
def test_what_is_no_photograph_is_refused(house: House, sent: dict[str, str], status: int) -> None:
    assert send(house, **untyped(sent)) == status
    assert house.photographs.taken == []


def test_photographs_that_come_faster_than_they_are_looked_at_are_sent_again(house: House) -> None:
    assert [send(house) for _ in range(4)] == [202, 202, 202, 503]


def test_a_photograph_was_taken_when_it_began_to_be_sent(house: House) -> None:
    """However long it is on its way, and whatever its sender says of that."""
    house.app.config["TRUSTED_HOSTS"] = ["localhost"]
    device, served = house.pair(), Served(house)
    head = (
        "POST /api/photographs HTTP/1.1\r\nHost: localhost\r\nReferee-Began-S: 9e9\r\n"
        f"Cookie: {house.auth.name}={device.cookie}\r\n{CSRF_HEADER}: {device.csrf}\r\n"
        f"Content-Type: application/octet-stream\r\nContent-Length: {len(FILE)}\r\n\r\n"
    )
    with served.parts, closing(socket.create_connection(("127.0.0.1", served.port), 10)) as line:
        before_s = time.monotonic()
        line.sendall(head.encode() + FILE[:1])
        time.sleep(1.0)
        rest_s = time.monotonic()
        line.sendall(FILE[1:])
        assert line.recv(65536).startswith(b"HTTP/1.1 202 ")
    (began_s,) = house.photographs.began_s
    assert before_s <= began_s < rest_s


def test_what_became_of_a_photograph_is_told_in_the_words_of_who_asks(house: House) -> None:
    answer = house.app.test_client().get("/api/photographs?lang=de")
    assert answer.json is not None
    (told,) = answer.json["photographs"]
    assert (told["id"], told["state"]) == (1, "wrong")
    assert told["words"].startswith("Es ist zu dunkel")
