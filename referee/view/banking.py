"""Views of a page that is the game's banker: accounts of the turn under way, questions, and what was booked."""

from __future__ import annotations

from referee.games.contract import Banking, RequestError, Ruling
from referee.match.events import AnyGame
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.values.words import Words

ViewPart = dict[str, object]


def banking_view(game: AnyGame, state: TableState, language: str, seen: str = "") -> ViewPart:
    """Return the accounts of the turn under way; empty for a game whose page is no banker.

    Options may be chosen only in play. seen: text of what lies on the table now, empty where nothing is seen.
    """
    if not isinstance(game, Banking):
        return {}
    try:
        now = game.observation(seen) if seen else None
    except RequestError:
        now = None
    found = dict(game.ledger(state.position, state.turn.declared, language, now, state.players))
    return found if state.phase is Phase.PLAYING else found | {"options": [], "groups": []}


def doubts_of(state: TableState) -> tuple[Words, ...]:
    """Return what the newest ruling asks before anything is called wrong."""
    asked = _asking(state)
    return asked.questions if asked is not None else ()


def lacking_of(state: TableState) -> tuple[Words, ...]:
    """Return what the newest ruling finds still to be done in a turn that was ended in its middle."""
    asked = _asking(state)
    return asked.lacking if asked is not None else ()


def ways_of(game: AnyGame, state: TableState, language: str = "en") -> list[dict[str, object]]:
    """Return the changed declarations that answer the newest ruling's questions, as buttons."""
    asked = _asking(state)
    if asked is None or not asked.questions or not isinstance(game, Banking):
        return []
    try:
        return game.ways(state.position, state.turn.declared, asked.offers, language, state.players)
    except RequestError:
        return []


def _asking(state: TableState) -> Ruling | None:
    """Return the newest ruling, where it may ask something."""
    turn = state.open_turn
    return turn.ruled.ruling if state.phase is Phase.UNSURE and turn is not None and turn.ruled is not None else None


def doubt_view(game: AnyGame, state: TableState, language: str) -> ViewPart | None:
    """Return the question and the changed declarations to choose from; ``None`` while nothing is asked."""
    asked = doubts_of(state)
    if not asked:
        return None
    return {
        "words": [words.called(state.players).text(language) for words in asked],
        "ways": ways_of(game, state, language),
    }


def bookings_view(game: AnyGame, entry: Entry, language: str) -> list[dict[str, object]]:
    """Return what an entry of the record booked."""
    ruling = entry.ruled.ruling if entry.ruled is not None else None
    if not isinstance(game, Banking) or ruling is None or ruling.turn is None or not entry.counts:
        return []
    return game.bookings(ruling.turn, language)
