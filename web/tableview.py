"""What the page needs from the table: its newest state, and word of the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class TableView(Protocol):
    """A table to look at. Every method may be called from many threads at once."""

    def snapshot(self) -> Mapping[str, object]:
        """The newest state as JSON-able values; ``version`` is a whole number that changes with it."""

    def wait(self, version: int, timeout: float) -> bool:
        """Wait until the state is another than ``version``, at most ``timeout`` seconds.

        Returns False once the table is closing, when nobody should wait any longer.
        """
