"""Views of boards, acts and things to put right, as the page draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.games.answers import Act, Drawn
from referee.match.events import WhyUnsure, names
from referee.match.live import Live, RestoreTask
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.values.kit import Kit
from referee.values.words import Words, say
from referee.view.kindview import view_kind

BoardView = dict[str, object]

UNTOLD = "?"
"""A piece that can't be told."""

REMOVED, PLACED, PATH, ENTRY, HIT = "removed", "placed", "path", "entry", "hit"
_MARKS: Mapping[str, str] = {"take": REMOVED, "build": PLACED, "move": PATH}
"""Marks of acts by kind; ``enter`` is an entry and, where it goes on, a path. Other kinds have a text only."""
_LEGEND: Mapping[str, Words] = {
    REMOVED: say("taken"),
    PLACED: say("built"),
    PATH: say("moved"),
    HIT: say("captured"),
    ENTRY: say("came onto the board"),
}


def shown_text(state: TableState, live: Live, kit: Kit) -> str:
    """Return the text of what stands on the table, as far as the referee knows, with ``?`` where it doesn't."""
    turn = state.open_turn
    if state.phase in (Phase.READING, Phase.RULING) and state.turn.end.board is not None:
        return state.turn.end.board
    if state.phase in (Phase.VIOLATION, Phase.UNSURE) and turn is not None and turn.ruled is not None:
        if state.phase is Phase.UNSURE and state.reading is not None and not turn.by_hand:
            return state.reading.text
        return turn.ruled.observed
    if state.phase is Phase.SET_UP:
        return _setup_text(state, live, kit)
    if state.phase is Phase.CORRECTING and state.last is not None and state.last.ruled is not None:
        return state.last.ruled.observed
    text: str = state.position.observed.text
    return text


def _setup_text(state: TableState, live: Live, kit: Kit) -> str:
    """Return the board as seen, or the right one where so much is wrong that it is the better help."""
    seen = live.seen or (state.reading.text if state.turn.differences and state.reading is not None else "")
    wanted = state.position.observed
    if seen and not setup_far(state, live, kit):
        return view_kind(kit).with_told(seen, state.turn.end.known, wanted)
    text: str = wanted.text
    return text


def setup_far(state: TableState, live: Live, kit: Kit) -> bool:
    """Return whether so much of the set-up is wrong or unknown that naming fields helps nobody."""
    differences = live.setup if live.setup is not None else state.turn.differences
    if not differences:
        return False
    seen = live.seen or (state.reading.text if state.reading is not None else "")
    wrong = {place for one in differences for place in one.fields}
    return view_kind(kit).is_far(seen, state.position.observed, wrong)


def is_swept(state: TableState) -> bool:
    """Return whether the turn that waits was found to be no turn: towers fell, or the table was swept."""
    return state.phase is Phase.UNSURE and state.unsure is not None and state.unsure.why is WhyUnsure.SWEPT


def nothing_done(turn: Entry | None) -> bool:
    """Return whether the board after a turn was found as it was before."""
    return turn is not None and turn.ruled is not None and turn.ruled.observed == turn.before.observed.text


def observed_view(text: str, like: object, kit: Kit, language: str) -> BoardView:
    """Return an observation's view, by its kind.

    text: as formats write it; like: an observation of the same game.
    """
    told = like.view(language) if isinstance(like, Drawn) else view_kind(kit).board(text, like, kit)
    return {"kind": kit.kind, "text": text, **told}


def piece_word(letter: str | None, kit: Kit) -> str | None:
    """Return the word of a piece's letter; ``None`` where none stands, ``?`` where it is unknown."""
    if letter is None or letter == UNTOLD:
        return UNTOLD
    return next((piece.word for piece in kit.pieces if piece.letter == letter), letter) if letter else None


def act_view(act: Act) -> BoardView:
    """Return one act of a turn: the marks that draw it, and its text in the game's notation."""
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
    """Return what the marks of acts mean, in a language."""
    return {mark: words.text(language) for mark, words in _LEGEND.items()}


def task_view(task: RestoreTask, kit: Kit) -> BoardView:
    """Return one field to put right."""
    return {
        "field": task.field.name,
        **view_kind(kit).stand(task.stands, kit),
        "seen": view_kind(kit).stand(task.seen, kit),
        "done": task.done,
        "unseen": task.unseen,
    }
