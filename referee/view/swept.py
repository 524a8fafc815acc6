"""A board that was knocked over or swept: how it stood, what is still to be put back, and the pictures of before."""

from __future__ import annotations

from collections.abc import Sequence

from referee.match.events import names
from referee.match.live import Live
from referee.match.state import TableState
from referee.values.board import Board
from referee.values.boardtext import fields_of
from referee.view.asked import pictures_view
from referee.view.banner import ViewState
from referee.view.board import board_view, differing, is_swept, shown_text


def swept_view(state: TableState, live: Live, language: str) -> ViewState | None:
    """All that helps to put the board back; ``None`` while not much differs."""
    if not is_swept(state, live):
        return None
    wanted, now = state.position.board, live.seen or shown_text(state, live)
    last = state.last_counting
    return {
        "before": board_view(wanted.text, wanted),
        "tasks": _tasks(wanted, shown_text(state, live), now),
        "pictures": pictures_view(last) if last is not None else {},
    }


def _tasks(wanted: Board, ruled_on: str, now: str) -> Sequence[ViewState]:
    """Each field that differed or differs, ticked off where what is seen is as it was."""
    rows, cols = wanted.heights.shape
    differed = {place for found in (ruled_on, now) for place in differing(found, wanted)[0]}
    stood = {place: (height, piece) for place, height, piece in fields_of(wanted.text, rows, cols)}
    seen = {place: (height, piece) for place, height, piece in fields_of(now, rows, cols)}
    return [
        {
            "field": name,
            "height": stood[place][0],
            "piece": stood[place][1],
            "seen": {"height": seen[place][0], "piece": seen[place][1]},
            "done": seen[place] == stood[place],
        }
        for place, name in zip(sorted(differed), names(tuple(sorted(differed))), strict=True)
    ]
