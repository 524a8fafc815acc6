"""The desk's line where the connection breaks just when a table is to be left out."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from referee.addons.hall.address import broker_address
from referee.addons.hall.desk.deskline import DeskLine
from referee.addons.hall.desk.metering import MESSAGES_AT_ONCE
from referee.addons.hall.topics import HallTopic, Leaf
from tests.addons.hall.broker import Listener, Mosquitto, until
from tests.ports import free_port

ONE, TWO = "1" * 16, "2" * 16


def test_a_table_left_out_without_a_connection_is_left_out_once_there_is_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Else the broker, which keeps what the desk subscribed to, goes on sending everything of that table."""
    heard: list[str] = []
    there: list[bool] = []
    with Mosquitto(tmp_path, free_port()) as broker, Listener(broker.port) as others:
        line = DeskLine(
            broker_address(broker.address),
            "d" * 16,
            lambda topic, payload, signature: heard.append(str(topic)),
            lambda now, why: there.append(now),
            lambda table, floods: None,
        )

        def say(table: str, leaf: Leaf = Leaf.HEALTH) -> str:
            topic = str(HallTopic(table, leaf))
            others.publish(topic, b"x")
            return topic

        def both_are_heard() -> bool:
            return {say(ONE), say(TWO)} <= set(heard)

        line.open()
        for table in (ONE, TWO):
            line.follow(table)
        until(both_are_heard, "both tables are heard")
        there.clear()
        found = line._client.socket()
        assert isinstance(found, socket.socket)
        found.shutdown(socket.SHUT_RDWR)
        for _ in range(2 * int(MESSAGES_AT_ONCE)):
            line._admits(HallTopic(ONE, Leaf.EVENT), 1)
        assert f"table {ONE} sends more than can be read" in caplog.text
        heard.clear()
        until(lambda: True in there, "the broker is there again")
        until(lambda: say(TWO) in heard, "the other is heard again")
        left_out = say(ONE, Leaf.CLOCK)
        last = say(TWO, Leaf.CLOCK)
        until(lambda: last in heard, "what was said after it")
        assert left_out not in heard
        line.close()
