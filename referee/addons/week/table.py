"""Watch the cameras of a table, and show its page how they did."""

from __future__ import annotations

from referee.addons.week.linefile import CameraLineFile
from referee.addons.week.watch import CameraWatch
from referee.daemon.addontable import AddOnTable

FILE = "cameras.sqlite"
"""File, in the data folder, of how the cameras did."""


def join(table: AddOnTable) -> None:
    """Keep how the cameras do from now on, where there are any."""
    live = table.live
    if live is None:
        return
    watch = CameraWatch(live.cameras, live.table, live.lens, table.metrics.sampled, live.turned)
    watch.start(table.parts.enter_context(CameraLineFile(table.folder / FILE)), live.busy)
    table.parts.callback(watch.close)
    table.offer(watch)
