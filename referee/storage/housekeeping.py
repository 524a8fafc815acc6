"""Looks after the disk while the referee runs: it deletes old pictures and keeps a reserve ready for the journal."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from referee.storage.diskspace import RESERVE_BYTES, Reserve, free_bytes
from referee.storage.retention import Limits, sweep

ROUND_S = 3600.0
RESERVE = "reserve"
"""Name of the reserve's file."""
SPARE_TIMES = 4
"""Multiple of its size that must be free before the reserve is laid again."""

log = logging.getLogger(__name__)


class Housekeeping:
    """Makes its round at the start and every hour, in a thread of its own, and whenever it is called.

    folder: with the journals of all games in it or below. ``make_room`` is for the journal: its reserve is given up
    when the disk is full.
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        round_s: float = ROUND_S,
        reserve_bytes: int = RESERVE_BYTES,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._limits = limits
        self._round_s = round_s
        self._now = now
        self._reserve = Reserve(folder / RESERVE, reserve_bytes)
        self._called = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="storekeeper", daemon=True)

    def make_room(self) -> bool:
        """Give the reserve up for the journal; answers whether that made room."""
        made = self._reserve.give_up()
        if made:
            log.error("the disk is full: the journal goes on in its reserve", extra={"folder": str(self._folder)})
        self._called.set()
        return made

    def call(self) -> None:
        """Ask for a round now, such as when a game is over."""
        self._called.set()

    def round(self) -> int:
        """Delete what may go and lay the reserve again where there is room; returns how many pictures went."""
        gone = sweep(self._folder, self._limits, self._now())
        for why in dict.fromkeys(item.why for item in gone):
            sizes = [item.picture.size_bytes for item in gone if item.why == why]
            log.info("old pictures deleted", extra={"pictures": len(sizes), "bytes": sum(sizes), "why": why})
        if free_bytes(self._folder) > SPARE_TIMES * self._reserve.size_bytes and not self._reserve.lay():
            log.warning("no reserve can be laid for the journal", extra={"folder": str(self._folder)})
        return len(gone)

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        self._called.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stopped:
            self._called.clear()
            try:
                self.round()
            except Exception:  # trouble with an old game must not stop the game being played
                log.exception("the storekeeper's round failed")
            self._called.wait(self._round_s)
