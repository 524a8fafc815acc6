"""View of how many stones a game has, so that the page can say at once when an edited board does not add up."""

from __future__ import annotations

from referee.games.contract import Position
from referee.match.events import AnyGame
from referee.view.banner import ViewState
from referee.view.kindview import view_kind


def conserved_view(game: AnyGame, position: Position) -> ViewState:
    """Return ``stones``: how many must be on the board while no other counter changes, ``None`` where that is open.

    Where the kit leaves it open, the kind asks the game.
    """
    conserved = game.kit.conserved
    return {"stones": conserved if conserved is not None else view_kind(game.kit).stones_kept(game, position)}
