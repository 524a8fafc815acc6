"""Names that players switch off: no answer of the spectators' pages has them, however late these show the table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

from flask import Flask

from referee.addons.hall.desk.broadcastapp import create_broadcast
from referee.service.server import PageServer, bind
from referee.values.words import LANGUAGES
from tests.addons.hall.broker import PATIENCE_S, until
from tests.addons.hall.desk.evening import TABLE, HallEvening

NAMES = {"red": "Zebedee", "yellow": "Quintilla"}
DELAY_S = 600


class Spectators:
    """Everything that everybody can get of a hall, and the streams, which are open all the time."""

    def __init__(self, evening: HallEvening, parts: ExitStack) -> None:
        shown = create_broadcast(evening.broadcast.wall, evening.broadcast, HEARTBEAT_S=0.3)
        sock = parts.enter_context(bind("127.0.0.1", 0))
        self._port: int = sock.getsockname()[1]
        addresses = _addresses(shown)
        self._pages = [path for path in addresses if not path.endswith("/stream")]
        self.told: dict[str, str] = {}
        parts.enter_context(PageServer(shown, sock))
        for path in set(addresses) - set(self._pages):
            listener = threading.Thread(target=self._listen, args=[path])
            listener.start()
            parts.callback(listener.join)
        parts.callback(evening.broadcast.close)

    def named(self) -> set[str]:
        """Return the addresses of the answers that hold a name, and of the streams whose newest state does."""
        told = dict(self.told)
        for path in self._pages:
            for lang in LANGUAGES:
                with self._asked(f"{path}?lang={lang}") as answer:
                    told[path] = told.get(path, "") + answer.read().decode(errors="replace")
        return {path for path, text in told.items() if any(name in text for name in NAMES.values())}

    @contextmanager
    def _asked(self, path: str) -> Iterator[HTTPResponse]:
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as line:
            line.request("GET", path)
            with line.getresponse() as answer:
                yield answer

    def _listen(self, path: str) -> None:
        with self._asked(path) as stream:
            while line := stream.readline():
                if b"board" in line:
                    self.told[path] = line.decode()


def _addresses(app: Flask) -> list[str]:
    """Return every address that can be read, those of files left out."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    return [rule.rule.replace("<table>", TABLE) for rule in rules if not rule.arguments - {"table"}]


def test_names_are_gone_at_once_and_come_back_late(tmp_path: Path) -> None:
    with ExitStack() as parts:
        evening = HallEvening(tmp_path, parts, disputed=False, players=NAMES, delay_s=DELAY_S)
        evening.later_s = DELAY_S
        until(lambda: evening.broadcast.table(TABLE) is not None, "spectators see the table")
        spectators = Spectators(evening, parts)
        telling = {f"{where}/api/{what}" for where in ("", f"/table/{TABLE}") for what in ("state", "stream")}
        until(lambda: spectators.named() == telling, "names are told while they may be")

        assert evening.room.put({"names": False}).accepted
        until(lambda: not spectators.named(), "no answer has a name any more, long before the delay is over")
        evening.later_s += DELAY_S
        evening.at.desk.command("pause", {}, "tablet")
        until(lambda: evening.table.state is not None and evening.table.state.phase.id == "paused", "it is paused")
        assert not spectators.named(), "nor has what comes in its time"

        assert evening.room.put({"names": True}).accepted
        until(lambda: evening.table.state is not None and evening.table.state.room.names, "the desk hears it")
        assert not spectators.named(), "what was played without names keeps none"
        evening.later_s += DELAY_S
        until(lambda: spectators.named() == telling, "names come back with what is played from now on")
