"""Tell everybody where a table's set-up is another than the one that a game was begun with, or is played by."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from referee.archive.measures import BEFORE, measures_folder, same_setup
from referee.match.live import Notice
from referee.values.words import say

CHANGED_NOW = Notice(
    "table-file",
    "warning",
    say(
        "The table’s set-up was changed while this game is played. Until the referee is started again it goes on "
        "with the one it began with."
    ),
)
CHANGED_BEFORE = Notice(
    "table-changed", "warning", say("The table’s set-up is another than the one with which this game was begun.")
)
_LOG = logging.getLogger(__name__)


class SetupWatch:
    """Watches a table's file from now on. journal: of the game that is played."""

    def __init__(self, file: Path, journal: Callable[[], Path]) -> None:
        """Take the file as it is now. Raises OSError."""
        self._file, self._journal = file, journal
        self._loaded = file.read_bytes()
        self._stamp, self._other = self._stamped(), False

    def follow(self, journal: Callable[[], Path]) -> None:
        """Take another way to the journal of the game that is played."""
        self._journal = journal

    def learn(self, content: bytes) -> None:
        """Take the file as the referee itself wrote it, before the first turn."""
        self._loaded, self._stamp, self._other = content, self._stamped(), False

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what everybody at the table is told."""
        before = (measures_folder(self._journal()) / BEFORE).exists()
        return (CHANGED_NOW,) * self._is_other() + (CHANGED_BEFORE,) * before

    def _is_other(self) -> bool:
        """Return whether the file says something else by now; a file that is gone or torn does."""
        stamp = self._stamped()
        if stamp != self._stamp:
            try:
                self._other = not same_setup(self._loaded, self._file.read_bytes())
            except OSError:
                self._other = True
            if self._other:
                _LOG.warning("%s was changed while a game is played; it holds from the next start on", self._file)
            self._stamp = stamp
        return self._other

    def _stamped(self) -> tuple[int, int]:
        try:
            found = self._file.stat()
        except OSError:
            return 0, -1
        return found.st_mtime_ns, found.st_size
