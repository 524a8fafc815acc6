"""Join the parts: turn a look at the table into a reading, a ruling, events in the journal and a new page."""

from __future__ import annotations

from referee.daemon.commandqueue import CommandQueue
from referee.daemon.gamejournal import GameJournal, carried_on, open_game, start_journal
from referee.daemon.publisher import ViewPublisher
from referee.daemon.tablesight import TableSight
from referee.daemon.turnloop import Helpers, TurnLoop

__all__ = [
    "CommandQueue",
    "GameJournal",
    "Helpers",
    "TableSight",
    "TurnLoop",
    "ViewPublisher",
    "carried_on",
    "open_game",
    "start_journal",
]
