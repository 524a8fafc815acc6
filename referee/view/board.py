"""Boards, acts and things to put right, as the page draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.contract import Act
from referee.match.events import names
from referee.match.live import Live, Task
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.values.board import Board, Field
from referee.values.boardtext import fields_of
from referee.values.words import Words, say

BoardView = dict[str, object]

REMOVED, PLACED, PATH, ENTRY, HIT = "removed", "placed", "path", "entry", "hit"
_MARKS: Mapping[str, str] = {"take": REMOVED, "build": PLACED, "move": PATH}
"""Marks of acts by kind; ``enter`` is an entry and, where it goes on, a path. Other kinds have a text only."""
_LEGEND: Mapping[str, Words] = {
    REMOVED: say("taken"),
    PLACED: say("built"),
    PATH: say("moved"),
    HIT: say("captured"),
    ENTRY: say("came back"),
}
FEWEST_FAR, SETUP_SHARE = 4, 10
"""A set-up is far from right when more fields than so many, and more than a tenth of all, are to be put right."""
FEWEST_SWEPT, SWEPT_SHARE = 12, 5
"""A turn changes some fields. A board is swept when more than so many surely differ, and more than a fifth of all."""


def shown_text(state: TableState, live: Live) -> str:
    """The board text that shows what stands on the table, as far as the referee knows; ``?`` where it doesn't."""
    turn = state.open_turn
    if state.phase in (Phase.READING, Phase.RULING) and state.corrected:
        return state.corrected
    if state.phase in (Phase.VIOLATION, Phase.UNSURE) and turn is not None and turn.ruled is not None:
        if state.phase is Phase.UNSURE and state.reading is not None and not turn.by_hand:
            return state.reading.text
        return turn.ruled.observed
    if state.phase is Phase.SET_UP:
        return _setup_text(state, live)
    if state.phase is Phase.CORRECTING and state.last is not None and state.last.ruled is not None:
        return state.last.ruled.observed
    return state.position.board.text


def _setup_text(state: TableState, live: Live) -> str:
    """The board as seen, or as it ought to stand where so much is wrong that the right one is the better help."""
    seen = live.seen or (state.reading.text if state.setup and state.reading is not None else "")
    return seen if seen and not setup_far(state, live) else state.position.board.text


def setup_far(state: TableState, live: Live) -> bool:
    """Whether so much of the set-up is wrong, or can’t be told, that naming fields helps nobody."""
    differences = live.setup if live.setup is not None else state.setup
    if not differences:
        return False
    wrong = {place for one in differences for place in one.fields}
    seen = live.seen or (state.reading.text if state.reading is not None else "")
    unknown = differing(seen, state.position.board)[1] if seen else ()
    return len(wrong | set(unknown)) > max(FEWEST_FAR, state.position.board.heights.size // SETUP_SHARE)


def is_swept(state: TableState, live: Live) -> bool:
    """Whether so much of the board differs that no turn can have done it: it was knocked over, or swept."""
    if state.phase not in (Phase.UNSURE, Phase.VIOLATION):
        return False
    wanted = state.position.board
    surely, _ = differing(shown_text(state, live), wanted)
    return len(surely) > max(FEWEST_SWEPT, wanted.heights.size // SWEPT_SHARE)


def board_view(text: str, like: Board) -> BoardView:
    """Columns, rows (the highest first) and fields of a board text that may hold what can't be told."""
    rows, cols = like.heights.shape
    return {
        "kind": "grid",
        "text": text,
        "columns": [chr(ord("A") + col) for col in range(cols)],
        "rows": list(range(rows, 0, -1)),
        "fields": [
            {"name": place.name, "height": height, "piece": piece}
            for place, height, piece in fields_of(text, rows, cols)
        ],
    }


def act_view(act: Act) -> BoardView:
    """One act of a turn: the marks that draw it, and its text in the game's notation."""
    return {"marks": list(_marks(act)), "text": act.text}


def _marks(act: Act) -> Iterable[BoardView]:
    hits = names(act.captures)
    if act.kind == "enter":
        alone = len(act.fields) < 2
        yield {"mark": ENTRY, "fields": names(act.fields[:1]), "hits": hits if alone else []}
        if not alone:
            yield {"mark": PATH, "fields": names(act.fields), "hits": hits}
    elif act.kind in _MARKS:
        yield {"mark": _MARKS[act.kind], "fields": names(act.fields), "hits": hits}


def legend_view(language: str) -> dict[str, str]:
    """What the marks of acts mean, in a language."""
    return {mark: words.text(language) for mark, words in _LEGEND.items()}


def task_view(task: Task) -> BoardView:
    """One field to put right."""
    return {
        "field": task.field.name,
        "height": task.height,
        "piece": task.flag,
        "seen": {"height": task.seen_height, "piece": task.seen_flag},
        "done": task.done,
    }


def differing(text: str, wanted: Board) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields in which a board text differs from a board, and those of which it can't be told."""
    rows, cols = wanted.heights.shape
    different: list[Field] = []
    unknown: list[Field] = []
    stood = fields_of(wanted.text, rows, cols)
    for (place, height, piece), (_, before, owner) in zip(fields_of(text, rows, cols), stood, strict=True):
        if height is None or piece == "?":
            unknown.append(place)
        elif (height, piece) != (before, owner):
            different.append(place)
    return tuple(different), tuple(unknown)
