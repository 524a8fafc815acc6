"""The newest state as JSON, encoded once a version and language however many pages ask for it."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass

from web.tableview import TableView


@dataclass(frozen=True, slots=True)
class Shown:
    """One version of the state in one language, as JSON in UTF-8."""

    version: int
    data: bytes


class StateCache:
    """The states of one table."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._newest: dict[str, Shown] = {}
        self._mutex = threading.Lock()

    def newest(self, language: str) -> Shown:
        """The newest state in a language."""
        with self._mutex:  # the first page waits for one text; the others then find it
            snapshot = self._view.snapshot(language)
            version = int(str(snapshot["version"]))
            known = self._newest.get(language)
            if known is None or known.version != version:
                data = json.dumps(snapshot, ensure_ascii=False).encode()
                known = self._newest[language] = Shown(version, data)
            return known
