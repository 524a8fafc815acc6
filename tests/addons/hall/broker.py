"""A real Mosquitto, and a subscriber that keeps all that comes."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from click.testing import CliRunner
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from referee.addons.hall.command import command
from referee.addons.hall.messages import EventLine, parsed
from referee.addons.hall.signing import SIGNATURE
from referee.addons.hall.topics import Leaf, parse_topic

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/opt/homebrew/sbin") or "mosquitto"
PATIENCE_S = 60.0


def broker_files(folder: Path, port: int, tables: Sequence[str]) -> dict[str, str]:
    """Write a broker's files as an organiser does; return each user's address."""
    arguments = ["broker-files", str(folder), "--host", "127.0.0.1", "--port", str(port), "--plain"]
    for table in tables:
        arguments += ["--table", table]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0, done.output
    lines = (folder / "addresses.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is so."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, what
        time.sleep(0.02)


class Mosquitto:
    """A broker, to be killed and started again at the same port. file: of settings, else everybody may come."""

    def __init__(self, folder: Path, port: int, file: Path | None = None) -> None:
        self.port, self._log = port, folder / "mosquitto.log"
        self._file = file or folder / "mosquitto.conf"
        settings = f"listener {port} 127.0.0.1\nallow_anonymous true\n"
        if file is not None:
            settings = file.read_text(encoding="utf-8")
        if os.geteuid() == 0:
            settings += "user root\n"  # else it gives up its rights, and can't read this folder
        self._file.write_text(settings, encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._file)], stdout=log, stderr=log)
        try:
            until(self._answers, "the broker starts")
        except BaseException:
            self.kill()
            raise

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text(encoding="utf-8")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Stop as an organiser does, so that it may write down what it has, and start again."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait()
        self.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


class Listener:
    """Somebody who hears everything, and connects again by itself."""

    def __init__(
        self,
        port: int,
        user: str = "",
        password: str = "",
        topic: str = "referee/v1/#",
        tls: ssl.SSLContext | None = None,
        name: str = "",
    ) -> None:
        self.came: list[MQTTMessage] = []
        self.there = False
        self.refused: list[str] = []
        self._topic = topic
        self.ends = 0
        self.client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
        self.client.reconnect_delay_set(1, 1)
        if user:
            self.client.username_pw_set(user, password)
        self.client.on_message = lambda client, data, message: self.came.append(message)
        self.client.on_connect = lambda client, data, flags, code, properties: client.subscribe(topic, 1)
        self.client.on_subscribe = lambda client, data, mid, codes, properties: self._heard(True)
        self.client.on_disconnect = lambda client, data, flags, code, properties: self._ended()
        self.client.on_publish = lambda client, data, mid, code, properties: (
            self.refused.append(str(code)) if code.is_failure else None
        )
        if tls is not None:
            self.client.tls_set_context(tls)
        self.client.connect("127.0.0.1", port)

    def _heard(self, there: bool) -> None:
        self.there = there

    def _ended(self) -> None:
        self.there, self.ends = False, self.ends + 1

    def payloads(self, leaf: Leaf) -> list[bytes]:
        """Return all that came of a leaf, in order."""
        return [bytes(message.payload) for message in list(self.came) if _leaf(message) is leaf]

    def newest(self, leaf: Leaf) -> bytes:
        found = self.payloads(leaf)
        return found[-1] if found else b"{}"

    @property
    def events(self) -> list[EventLine]:
        return [parsed(EventLine, payload) for payload in self.payloads(Leaf.EVENT)]

    def publish(self, topic: str, payload: bytes, signature: str = "", retain: bool = False) -> None:
        properties = Properties(PacketTypes.PUBLISH)
        if signature:
            properties.UserProperty = (SIGNATURE, signature)
        self.client.publish(topic, payload, 1, retain, properties).wait_for_publish(PATIENCE_S)

    def __enter__(self) -> Self:
        self.client.loop_start()
        until(lambda: self.there, "the broker does not answer")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def signature_of(message: MQTTMessage) -> str:
    """Return the signature that came with a message."""
    return str(dict(getattr(message.properties, "UserProperty", [])).get(SIGNATURE, ""))


def _leaf(message: MQTTMessage) -> Leaf | None:
    topic = parse_topic(message.topic)
    return topic.leaf if topic is not None else None
