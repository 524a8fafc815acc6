"""Offers the boards that likeliest stand there where somebody says that a ruling was wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from referee.kinds import has_platform, platform
from referee.match.events import AnyGame, TurnRuled, event_from_json
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.match.turnkind import places_differing
from referee.storage.journal import Journal, JournalEntry

MOST_OFFERED = 4
"""Boards offered at most: so many small pictures fit beside each other on a tablet."""


@dataclass(frozen=True, slots=True)
class LikelyBoard:
    """A board that may stand there.

    text: as formats write it. changes: what stands on the fields in which it differs from the one before the turn.
    differs: the fields in which it differs from the one that was ruled on.
    """

    text: str
    changes: Mapping[str, str]
    differs: tuple[str, ...]


class LikelyBoards:
    """Offers boards in the place of one that was ruled on. ``journal`` gives the game that is played now."""

    def __init__(self, game: AnyGame, journal: Callable[[], Journal]) -> None:
        self._game, self._journal = game, journal

    def of(self, number: int) -> tuple[LikelyBoard, ...] | None:
        """Return the likeliest boards but the one that was ruled on.

        number: of an entry of the record. ``None`` where it is no ruling on pictures.
        """
        state, ruled = _before_ruling(self._game, self._journal().entries(), number)
        if state is None or state.reading is None or state.turn.end.board is not None:
            return None
        if not has_platform(self._game.kit.kind, "likely"):
            return ()
        kit, before, given = self._game.kit, state.position.observed, self._game.observation(ruled)
        found = []
        for text in platform(self._game.kit.kind, "likely").likely(self._game, state):
            changes, differs = places_differing(kit, before, text), places_differing(kit, given, text)
            if changes and differs:
                found.append(LikelyBoard(text, changes, tuple(differs)))
        return tuple(found[:MOST_OFFERED])


def _before_ruling(game: AnyGame, entries: Iterable[JournalEntry], number: int) -> tuple[TableState | None, str]:
    """Return the table as it was when a ruling was given, and the board that was ruled on."""
    state: TableState | None = None
    for entry in entries:
        event = event_from_json(entry.kind, entry.data, game)
        if isinstance(event, TurnRuled) and state is not None and len(state.history) == number - 1:
            return state, event.observed
        state = begin(event) if state is None else step(state, event)
    return None, ""
