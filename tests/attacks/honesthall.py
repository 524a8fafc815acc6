"""A hall to attack: a real broker with the organiser's files, the desk as a command, and one honest table."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from referee.addons.hall.address import broker_address
from referee.addons.hall.desk.trust import TrustingTables, desk_key
from referee.addons.hall.signing import id_of, message_is_signed, public_of
from referee.addons.hall.topics import Leaf, parse_topic
from referee.addons.hall.trusting import DeskTrust
from tests.addons.hall.broker import Listener, Mosquitto, broker_files, signature_of
from tests.addons.hall.table import SECRET, published
from tests.attacks.longgame import Tablet, memory_mb
from tests.match.looking import At
from tests.ports import free_port

PATIENCE_S = 120.0
"""A turn is to be at the desk within this, whatever a bad table does; how fast it is, is measured elsewhere."""
ROUND_S = 0.02


class HonestHall:
    """A hall with one honest table. others: ids of tables that have a password as well."""

    def __init__(self, folder: Path, others: list[str], parts: ExitStack) -> None:
        self._folder, self._parts = folder, parts
        self.table, self.port = id_of(public_of(SECRET)), free_port()
        self._addresses = broker_files(folder / "broker", self.port, [self.table, *others])
        desk = public_of(desk_key(folder / "desk"))
        self.desk = id_of(desk)
        DeskTrust(folder / "hall", public_of(SECRET)).take("Desk", desk)
        TrustingTables(folder / "desk").set(self.table, True)
        self._broker = parts.enter_context(Mosquitto(folder, self.port, folder / "broker" / "mosquitto.conf"))
        self._listener = parts.enter_context(self._comes("desk-2", f"referee/v1/{self.table}/#"))
        self._second = parts.enter_context(self._comes("desk-3", "referee/v1/nobody"))
        self.at = At(folder / "1.journal")
        self._stop = threading.Event()
        loop = threading.Thread(target=self._go_round)
        parts.callback(loop.join)
        parts.callback(self._stop.set)
        self.at.shows("11r/1y1", 3)
        loop.start()
        parts.enter_context(published(self.at, self._addresses[self.table], folder))
        self._paused = False
        self._ports = free_port(), free_port()
        self._desk = self._opened()
        parts.callback(self._end_desk)
        self._tablet = Tablet.paired(folder / "desk", self._ports[0], alone_s=0.0)

    def password(self, user: str) -> str:
        """Return a user's password at the broker."""
        return broker_address(self._addresses[user]).password

    def _comes(self, user: str, topic: str) -> Listener:
        return Listener(self.port, user, self.password(user), topic)

    def _go_round(self) -> None:
        while not self._stop.is_set():
            self.at.loop.round()
            time.sleep(ROUND_S)

    def _opened(self) -> subprocess.Popen[bytes]:
        page, spectators = self._ports
        options = ["--broker", self._addresses["desk"], "--data", str(self._folder / "desk"), "--port", str(page)]
        options += ["--spectators", f"127.0.0.1:{spectators}", "--delay", "1"]
        with (self._folder / "desk.said").open("ab") as said:
            process = subprocess.Popen(
                [sys.executable, "-c", "from referee.cli import main; main()", "hall", *options],
                stdout=said,
                stderr=said,
            )
        self._until(lambda: self._asked(page, "/api/session"), process)
        return process

    def _until(self, true: Any, process: subprocess.Popen[bytes]) -> float:
        """Wait until something is so, or the time is over; return how long it took, s."""
        began_s = time.monotonic()
        while not true():
            took_s = time.monotonic() - began_s
            assert process.poll() is None, (self._folder / "desk.said").read_text(encoding="utf-8")[-2000:]
            if took_s > PATIENCE_S:
                return took_s
            time.sleep(0.1)
        return time.monotonic() - began_s

    def open_desk_again(self) -> None:
        """Kill the desk and open it once more."""
        self._end_desk()
        self._desk = self._opened()

    def _end_desk(self) -> None:
        self._desk.kill()
        self._desk.wait()

    def _asked(self, port: int, path: str) -> Any:
        """Return a page's answer, ``None`` where there is none, or none that a browser could read."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            line.request("GET", path)
            return json.loads(line.getresponse().read(), parse_constant=_no_json)
        except (OSError, ValueError, http.client.HTTPException):
            return None
        finally:
            line.close()

    def turn(self) -> float:
        """Have something happen at the table; return how long it takes until desk and wall show it, s."""
        self._paused = not self._paused
        assert self.at.desk.command("pause" if self._paused else "resume", {}, "tablet").accepted
        return self._until(self._shown, self._desk)

    def _shown(self) -> bool:
        desk = self._tile(self.table)
        wall = (self._asked(self._ports[1], "/api/state") or {}).get(f"t:{self.table}") or {}
        phase = (wall.get("phase") or {}).get("id")
        return desk.get("event") == self.last and desk.get("online") is True and (phase == "paused") is self._paused

    def shows(self, table: str, event: int) -> bool:
        """Return whether the desk comes to show an event of a table."""
        return self._until(lambda: self._tile(table).get("event") == event, self._desk) < PATIENCE_S

    def marks(self, table: str, floods: bool) -> bool:
        """Return whether the desk comes to say of a table that it floods and is left out, or that it does not."""
        return self._until(lambda: self._tile(table).get("floods") is floods, self._desk) < PATIENCE_S

    def _tile(self, table: str) -> dict[str, Any]:
        status, told = self._tablet.ask("GET", "/api/state")
        assert status == 200, told
        found: dict[str, Any] = told.get(f"t:{table}", {})
        return found

    def order(self) -> bool:
        """Order something at the desk as an arbiter does; return whether it was carried out."""
        asked = {"game": self.game, "event": self.last, "head": self.head, "does": {"act": "note", "words": "mine"}}
        headers = self._tablet.headers("key-00000001")
        status, _ = self._tablet.ask("POST", f"/api/tables/{self.table}/orders", asked, headers)
        return status == 200

    def as_desk(self, payload: bytes) -> None:
        """Send to the table what whoever has the password of a desk can send."""
        self._second.publish(f"referee/v1/{self.table}/command", payload)

    def keeps_as_desk(self, topic: str, payload: bytes) -> bool:
        """Have the broker keep something by the password of a desk; return whether it was refused."""
        before = len(self._second.refused)
        self._second.publish(topic, payload, retain=True)
        return len(self._second.refused) > before

    def restart_broker(self) -> None:
        """Stop the broker and start it again, as an organiser does."""
        self._broker.restart()

    @property
    def game(self) -> str:
        """Return the id of the game that is played."""
        return next(self.at.journal.entries()).hash[:16]

    @property
    def last(self) -> int:
        """Return the number of the newest event."""
        return self.at.journal.last

    @property
    def head(self) -> str:
        """Return the hash of the newest event."""
        return self.at.journal.head

    @property
    def about(self) -> bytes:
        """Return who the table says that it is."""
        return self._listener.newest(Leaf.ABOUT)

    @property
    def orders_seen(self) -> list[bytes]:
        """Return the orders that went to the table, as somebody with the password of a desk sees them."""
        return self._listener.payloads(Leaf.COMMAND)

    @property
    def notes(self) -> list[str]:
        """Return what arbiters have noted in the table's journal."""
        return [str(one.data["words"]) for one in self.at.journal.entries() if one.kind == "arbiter_ordered"]

    def honest(self) -> bool:
        """Return whether all that came in the table's name is signed by it."""
        key = public_of(SECRET)
        return all(
            message_is_signed(key, one.topic, bytes(one.payload), signature_of(one))
            for one in list(self._listener.came)
            if (topic := parse_topic(one.topic)) is None or topic.leaf is not Leaf.COMMAND
        )

    @property
    def desk_mb(self) -> float:
        """Return the most that the desk has held, MB."""
        return memory_mb(self._desk.pid, key="VmHWM")

    @property
    def broker_mb(self) -> float:
        """Return the most that the broker has held, MB."""
        return memory_mb(self._broker.pid, key="VmHWM")


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
