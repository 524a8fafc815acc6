"""Offer a table that has cameras its rehearsals, and look now and then whether the newest still holds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from referee.addons.rehearsals.setup import Rehearsals
from referee.daemon.addontable import AddOnTable

FIRST_S, EVERY_S = 13.0, 60.0
"""After the start, and between two times that conditions are measured."""
_LOG = logging.getLogger(__name__)


def join(table: AddOnTable) -> None:
    """Offer the set-up page rehearsals, where there are cameras."""
    live = table.live
    if live is None:
        return
    rehearsals = Rehearsals(live.guide, live.cameras)
    live.guide.add(rehearsals)
    table.offer(rehearsals.rehearsing)
    table.parts.callback(rehearsals.rehearsing.close)
    ended = threading.Event()
    thread = threading.Thread(target=_watch, args=[rehearsals, live.busy, ended], name="rehearsals", daemon=True)
    thread.start()
    table.parts.callback(thread.join)
    table.parts.callback(ended.set)


def _watch(rehearsals: Rehearsals, busy: Callable[[], bool], ended: threading.Event) -> None:
    wait_s = FIRST_S
    while not ended.wait(wait_s):
        wait_s = EVERY_S
        if busy():
            continue
        try:
            rehearsals.look_over()
        except Exception:  # the next minute may be better
            _LOG.exception("whether the rehearsal holds could not be measured")
