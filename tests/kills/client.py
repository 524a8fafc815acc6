"""A client of the page's API, as a tablet is: what it was told is acknowledged, and must never be untold."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import Any
from urllib.parse import urlsplit


class Client:
    """Asks for events and state again and again, in a thread of its own, until the server is gone."""

    def __init__(self, url: str, heard: int) -> None:
        """Listen at an address. heard: number of the last event that was heard before; it is not asked for again."""
        self.events: dict[int, dict[str, Any]] = {}
        self.first_state: dict[str, Any] | None = None
        self.state: dict[str, Any] = {}
        self.pause_s = 0.5
        """Seconds between the events told last."""
        self._told_s = time.monotonic()
        self._heard = heard
        self._address = urlsplit(url).netloc
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the server is gone."""
        self._thread.join(30)
        assert not self._thread.is_alive(), "the client still hears the killed server"

    @property
    def told(self) -> int:
        """Return how many events were heard so far."""
        return len(self.events)

    @property
    def ended(self) -> bool:
        """Return whether the page says that the game is over or the recording has ended."""
        return bool(self.state.get("finished") or self.state.get("ended"))

    def _listen(self) -> None:
        line = http.client.HTTPConnection(self._address, timeout=20)
        try:
            while True:
                told = self._ask(line, f"/api/events?after={self._heard}")
                for event in told["events"]:
                    self.events[event["number"]] = event
                    self._heard = event["number"]
                    self.pause_s, self._told_s = time.monotonic() - self._told_s, time.monotonic()
                self.state = self._ask(line, "/api/state")
                self.first_state = self.first_state or self.state
                time.sleep(0.03)
        except (OSError, http.client.HTTPException, ValueError):
            pass  # killed, perhaps in the middle of an answer: what came is no answer then
        finally:
            line.close()

    def _ask(self, line: http.client.HTTPConnection, path: str) -> dict[str, Any]:
        line.request("GET", path)
        answer = line.getresponse()
        body = answer.read()
        assert answer.status == 200, body
        found: dict[str, Any] = json.loads(body)
        return found
