"""Where the parts meet: a look at the table becomes a reading, a ruling, events in the journal and a new page."""

from __future__ import annotations

from referee.daemon.book import Book, begun, carried_on, open_game
from referee.daemon.desk import Desk
from referee.daemon.noticeboard import Noticeboard
from referee.daemon.turnloop import Helpers, TurnLoop

__all__ = ["Book", "Desk", "Helpers", "Noticeboard", "TurnLoop", "begun", "carried_on", "open_game"]
