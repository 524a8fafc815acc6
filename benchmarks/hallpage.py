"""An open page of a hall's desk, as cheaply as can be: it notes when each table's tile shows which event."""

from __future__ import annotations

import http.client
import json
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from referee.service.pairing import open_auth


class DeskPage:
    """Listens to the desk's stream until it is closed. shown: by table, times (monotonic, s), games and events."""

    def __init__(self, folder: Path, port: int) -> None:
        with ExitStack() as parts:
            auth = open_auth(folder, parts)
            _, token = auth.devices.pair("Tablet")
            self._cookie = auth.cookies(token)
        self.shown: dict[str, list[tuple[float, str, int]]] = {}
        self.online: dict[str, bool] = {}
        self.broker = ""
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._line.request("GET", "/api/stream?changes=true&lang=en", headers={"Cookie": self._cookie})
        self._answer = self._line.getresponse()
        if self._answer.status != 200:
            raise ConnectionError(f"the desk's page answers {self._answer.status}: {self._answer.read()[:200]!r}")
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Go away."""
        sock = self._line.sock
        if sock is not None:
            sock.close()

    def _listen(self) -> None:
        kind = b""
        try:
            for line in self._answer:
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: ") and kind in (b"state", b"changed"):
                    now_s, told = time.monotonic(), json.loads(line[6:])
                    self._take(now_s, told if kind == b"state" else told["set"])
        except (OSError, ValueError, http.client.HTTPException):
            return  # it was closed, or the desk was killed

    def _take(self, now_s: float, told: dict[str, object]) -> None:
        self.broker = str(told.get("broker", self.broker))
        for name, tile in told.items():
            if name.startswith("t:") and isinstance(tile, dict):
                table = name[2:]
                self.online[table] = tile["online"]
                if tile["game"] is not None:
                    seen = self.shown.setdefault(table, [])
                    if not seen or seen[-1][1:] != (tile["game"], tile["event"]):
                        seen.append((now_s, tile["game"], tile["event"]))

    def when(self, table: str, game: str, event: int) -> float | None:
        """Return when the page showed an event or a later one of the game, ``None`` where it did not."""
        return next(
            (at_s for at_s, id_, number in self.shown.get(table, ()) if id_ == game and number >= event), None
        )
