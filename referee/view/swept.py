"""View of a board that was knocked over or swept: how it stood, what must still be put back, and earlier pictures."""

from __future__ import annotations

from referee.match.live import Live
from referee.match.state import TableState
from referee.values.kit import Kit
from referee.view.asked import pictures_view
from referee.view.banner import ViewState
from referee.view.board import is_swept, observed_view, shown_text, task_view
from referee.view.kindview import view_kind


def swept_view(state: TableState, live: Live, kit: Kit, language: str) -> ViewState | None:
    """Return all that helps to put the board back; ``None`` while not much differs.

    Levels of a tower are not ticked off.
    """
    wanted = state.position.observed
    if not is_swept(state):
        return None
    last = state.last_counting
    todo = view_kind(kit).to_put_back(wanted, shown_text(state, live, kit), live.seen)
    return {
        "before": observed_view(wanted.text, wanted, kit, language),
        "tasks": [task_view(task, kit) for task in todo],
        "pictures": pictures_view(last) if last is not None else {},
    }
