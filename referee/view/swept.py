"""A board that was knocked over or swept: how it stood, what is still to be put back, and the pictures of before."""

from __future__ import annotations

from referee.match.live import Live, RestoreTask
from referee.match.state import TableState
from referee.values.board import Board
from referee.values.kit import Kit
from referee.values.partial import PartialBoard
from referee.view.asked import pictures_view
from referee.view.banner import ViewState
from referee.view.board import differing, is_swept, observed_view, shown_text, task_view


def swept_view(state: TableState, live: Live, kit: Kit, language: str) -> ViewState | None:
    """All that helps to put the board back; ``None`` while not much differs. Nothing is ticked off of a tower."""
    wanted = state.position.observed
    if not is_swept(state):
        return None
    last = state.last_counting
    todo = _tasks(wanted, shown_text(state, live), live.seen) if isinstance(wanted, Board) else []
    return {
        "before": observed_view(wanted.text, wanted, kit, language),
        "tasks": [task_view(task, kit) for task in todo],
        "pictures": pictures_view(last) if last is not None else {},
    }


def _tasks(wanted: Board, ruled_on: str, seen: str) -> list[RestoreTask]:
    """Each field that differed or differs, ticked off where what is seen now is as it was."""
    rows, cols = wanted.heights.shape
    now = seen or ruled_on
    differed = sorted({place for text in (ruled_on, now) for place in differing(text, wanted)[0]})
    stood = {place: (height, letter) for place, height, letter in PartialBoard.of(wanted).fields()}
    found = {
        p: (height, letter) for p, height, letter in PartialBoard.parse(now, rows, cols, wanted.letters).fields()
    }
    todo = []
    for place in differed:
        (height, letter), (seen_height, seen_letter) = stood[place], found[place]
        seen_flag = "?" if seen_letter is None else seen_letter or None
        todo.append(
            RestoreTask(place, height or 0, letter or None, seen_height, seen_flag, found[place] == stood[place])
        )
    return todo
