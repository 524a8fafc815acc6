"""Boards, acts and things to put right, as the page draws them."""

from __future__ import annotations

from referee.games.contract import Act
from referee.match.events import names
from referee.match.live import Live, Task
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.board import Board
from referee.values.partial import PartialBoard

BoardView = dict[str, object]


def shown_text(state: TableState, live: Live) -> str:
    """The board text that shows what stands on the table, as far as the referee knows; ``?`` where it doesn't."""
    turn = state.open_turn
    if state.phase in (Phase.READING, Phase.RULING) and state.corrected:
        return state.corrected
    if state.phase in (Phase.VIOLATION, Phase.UNSURE) and turn is not None and turn.ruled is not None:
        if state.phase is Phase.UNSURE and state.reading is not None and not turn.by_hand:
            return state.reading.text
        return turn.ruled.observed
    if state.phase is Phase.SET_UP and live.seen:
        return live.seen
    if state.phase is Phase.SET_UP and state.setup and state.reading is not None:
        return state.reading.text
    if state.phase is Phase.CORRECTING and state.last is not None and state.last.ruled is not None:
        return state.last.ruled.observed
    text: str = state.position.observed.text
    return text


def board_view(text: str, like: Board) -> BoardView:
    """Columns, rows (the highest first) and fields of a board text that may hold ``?``."""
    rows, cols = like.heights.shape
    return {
        "text": text,
        "columns": [chr(ord("A") + col) for col in range(cols)],
        "rows": list(range(rows, 0, -1)),
        "fields": [
            {"name": place.name, "height": height, "flag": "?" if letter is None else letter or None}
            for place, height, letter in PartialBoard.parse(text, rows, cols, like.letters).fields()
        ],
    }


def act_view(act: Act) -> BoardView:
    """One act of a turn."""
    return {"kind": act.kind, "fields": names(act.fields), "captures": names(act.captures), "text": act.text}


def task_view(task: Task) -> BoardView:
    """One field to put right."""
    return {
        "field": task.field.name,
        "height": task.height,
        "flag": task.flag,
        "seen": {"height": task.seen_height, "flag": task.seen_flag},
        "done": task.done,
    }
