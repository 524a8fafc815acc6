"""The whole game for programs, as JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from web.tableview import EventLog

BATCH = 200
LARGE = frozenset({"belief"})
"""Parts of events that only the referee itself has a use for."""

_TOLD: Mapping[str, object] = {"game": "", "title": "", "position": {}, "history": []}
"""Keys of the state that belong to the record, and their values before a game has begun."""


class WholeGame:
    """The game for programs as JSON, made once a state and language however many ask."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, bytes]] = {}
        self._slim: tuple[str, list[str]] = ("", [])
        self._mutex = threading.Lock()

    def text(self, state: Mapping[str, object], log: EventLog, spoken: str) -> bytes:
        """Return the record with every event in it."""
        with self._mutex:  # one makes it, the others wait for that one
            game, last = log.game, log.last
            told = {key: state.get(key, empty) for key, empty in _TOLD.items()}
            mark = (game, last, state.get("version"))
            known = self._made.get(spoken)
            if known is None or known[0] != mark:
                events = f'"events": [{", ".join(self._events(log, game))}]'
                text = f"{json.dumps(told, ensure_ascii=False)[:-1]}, {events}}}"
                known = self._made[spoken] = (mark, text.encode())
            return known[1]

    def _events(self, log: EventLog, game: str) -> list[str]:
        """Return every event as JSON; those made before stay as they are."""
        if self._slim[0] != game:
            self._slim = (game, [])
        events = self._slim[1]
        while found := log.after(len(events), BATCH):
            events += [json.dumps(_slim(event.to_json()), ensure_ascii=False) for event in found]
        return events


def _slim(event: Mapping[str, Any]) -> dict[str, object]:
    return dict(event) | {"data": {key: value for key, value in event["data"].items() if key not in LARGE}}
