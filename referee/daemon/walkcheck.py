"""Check a table once with the views by which its set-up was shown: a walk around the board gives the certificate."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from referee.daemon.setupguide import SetupGuide
from referee.match.events import ReadingMade
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.capture import Pictures
from vision.geometry.view import camera_of, roams

BY = "walk"
"""Who checked the table, as the journal names it."""


class WalkCheck:
    """Begins the check when play begins. One thread calls."""

    def __init__(self, guide: SetupGuide, held: Collection[str], pictures: Callable[[ReadingMade], Pictures]) -> None:
        """Watch for the beginning. held: the cameras in a hand. pictures: loads those of a reading."""
        self._guide, self._held, self._pictures = guide, frozenset(held), pictures
        self._open = bool(held) and guide.certificate() is None
        self._was_set_up = False

    def on_change(self, state: TableState, live: Live) -> None:
        """Check the table where its set-up was just found right from a hand."""
        if not self._open:
            return
        if state.phase is Phase.SET_UP:
            self._was_set_up = True
            return
        self._open = False
        reading = state.reading if self._was_set_up else None  # not where a game is taken up in its middle
        if reading is not None and any(roams(name) and camera_of(name) in self._held for name, _ in reading.pictures):
            self._guide.check(BY, partial(self._pictures, reading))
