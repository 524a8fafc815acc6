"""View of how many stones a game has, so that the page can say at once when an edited board does not add up."""

from __future__ import annotations

from referee.games.contract import Position
from referee.match.events import AnyGame
from referee.view.banner import ViewState
from referee.view.kindview import view_kind


def conserved_view(game: AnyGame, position: Position) -> ViewState:
    """Return ``stones``: how many must be on the board unless a counter changes, ``None`` where open."""
    return {"stones": view_kind(game.kit).stones_kept(game, position)}
