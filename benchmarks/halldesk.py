"""The arbiter's desk as ``referee hall`` opens it, which notes what it takes in: ``python -m benchmarks.halldesk``.

The first line of standard input says how. A line a message goes into the log at once, so that it is there whenever
the desk is killed; at its end by itself the desk writes down what it knows of every event.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self
from unittest.mock import patch

from referee.addons.hall.desk import opening
from referee.addons.hall.desk.desk import HallKeeper
from referee.addons.hall.desk.opening import DeskOptions, open_desk
from referee.addons.hall.messages import EventLine, HallRuling, parsed
from referee.addons.hall.topics import HallTopic, Leaf
from referee.service.memory import bound_memory, enough_handles


@dataclass(frozen=True, slots=True)
class DeskPlace:
    """How the desk is opened. log: of messages; end: file of what it knows at its end."""

    broker: str
    folder: str
    port: int
    log: str
    end: str
    delay_s: float = 0.0

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what ``line`` wrote."""
        return cls(**json.loads(text))

    def line(self) -> str:
        """Return it as a line."""
        return f"{json.dumps(asdict(self))}\n"


class NotingKeeper(HallKeeper):
    """Keeps a hall and notes what it has taken in: events and rulings, with the time."""

    log = -1
    end = Path()

    def _heard(self, topic: HallTopic, payload: bytes, signature: str) -> None:
        super()._heard(topic, payload, signature)
        if topic.leaf is Leaf.EVENT:
            event = parsed(EventLine, payload)
            told = f"{event.game} {event.number} {event.hash} {event.sent}"
        elif topic.leaf is Leaf.RULING:
            ruling = parsed(HallRuling, payload)
            told = f"{ruling.game} {ruling.event}"
        else:
            return
        os.write(self.log, f"{time.monotonic():.6f} {topic.leaf.value} {topic.table} {told}\n".encode())

    def knows(self) -> dict[str, dict[str, list[tuple[int, str]]]]:
        """Return number and hash of every event by table and game; a torn game has none."""
        return {
            table.id: {
                name: [] if game.torn else [(event.number, event.hash) for event in game.events.values()]
                for name, game in table.games.items()
            }
            for table in self.hall.tables.values()
        }


def main() -> None:
    """Keep the desk open until SIGTERM."""
    bound_memory()
    enough_handles()
    place, stop = DeskPlace.read(sys.stdin.readline()), threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    kept: list[NotingKeeper] = []

    class Keeper(NotingKeeper):
        log = os.open(place.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

        def __enter__(self) -> Self:
            kept.append(self)
            return super().__enter__()

    where = "127.0.0.1"
    options = DeskOptions(place.broker, Path(place.folder), (where, place.port), (where, 0), place.delay_s, "en")
    with patch.object(opening, "HallKeeper", Keeper):
        open_desk(options, stop, lambda line: None)
    Path(place.end).write_text(json.dumps(kept[0].knows()), encoding="utf-8")


if __name__ == "__main__":
    main()
