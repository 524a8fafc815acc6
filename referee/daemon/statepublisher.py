"""Publish the table as it stands, with the players' names and without."""

from __future__ import annotations

from collections.abc import Callable

from referee.daemon.publisher import Render
from referee.match.events import AnyGame
from referee.match.live import Live
from referee.match.state import TableState
from referee.view import EntryViews, table_view

Publish = Callable[[Render, Render], None]
"""Takes how the table is told, and how it is told where nobody's name may stand."""


class StatePublisher:
    """Publishes a game; remembers what was made of its record before."""

    def __init__(self, game: AnyGame, publish: Publish) -> None:
        self._game, self._publish = game, publish
        self._shown: tuple[TableState, Live] | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what was made: another game has begun, whose entries have the same numbers."""
        self._entries, self._unnamed = EntryViews(), EntryViews()

    def show(self, state: TableState, live: Live) -> bool:
        """Publish the table, if anything has changed; return whether it had."""
        if (state, live) == self._shown:
            return False
        self._shown = (state, live)
        game, entries, nameless = self._game, self._entries, self._unnamed
        unnamed = state.naming({})
        self._publish(
            lambda language: table_view(game, state, live, language, entries),
            lambda language: table_view(game, unnamed, live, language, nameless),
        )
        return True
