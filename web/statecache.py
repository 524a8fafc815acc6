"""Caches the newest state as JSON, whole or as changes, encoded once however many pages ask."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property

from web.changes import changes, shortened
from web.tableview import TableView

REMEMBERED = 8
"""States of a language from which changes can be told; a listener that is further behind gets the whole state."""
SHORT_BYTES = 8192
WORTH_IT = 0.5
"""Changes are told where they are short in themselves, or shorter than this part of the whole state."""


class StateVersion:
    """One version of the state in one language."""

    def __init__(self, version: int, state: Mapping[str, object]) -> None:
        self.version = version
        self.state = state

    @cached_property
    def data(self) -> bytes:
        """Return the whole state, as JSON in UTF-8; made when first asked for."""
        return json.dumps(self.state, ensure_ascii=False).encode()


class StateCache:
    """The states of one table."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._shown: dict[str, OrderedDict[int, StateVersion]] = {}
        self._changes: dict[tuple[str, int], tuple[int, bytes]] = {}
        self._mutex = threading.Lock()

    def newest(self, language: str) -> StateVersion:
        """Return the newest state in a language."""
        with self._mutex:  # the first page computes the text; the others find it in the cache
            snapshot = self._view.snapshot(language)
            version = int(str(snapshot["version"]))
            shown = self._shown.setdefault(language, OrderedDict())
            if version not in shown:
                shown[version] = StateVersion(version, shortened(snapshot))
                while len(shown) > REMEMBERED:
                    gone, _ = shown.popitem(last=False)
                    self._changes.pop((language, gone), None)
            return shown[version]

    def changed(self, language: str, known: int, newest: StateVersion) -> bytes | None:
        """Return the changes from a version to the newest, as JSON in UTF-8; ``None`` where they are not known."""
        with self._mutex:
            made = self._changes.get((language, known))
            if made is None or made[0] != newest.version:
                shown = self._shown.get(language)
                if shown is None or known not in shown:
                    return None
                before = shown[known]
                told = json.dumps(changes(before.state, newest.state), ensure_ascii=False).encode()
                made = self._changes[language, known] = (newest.version, told)
            told = made[1]
        return told if len(told) < SHORT_BYTES or len(told) < WORTH_IT * len(newest.data) else None
