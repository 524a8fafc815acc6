"""What the page shows of a table, in the players' own words: a pure function from a state to JSON-able values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypedDict

from referee.board import DIGITS, Board, BoardError, Colour, Field
from referee.events import AnyGame, CameraNote, ReadingMade, Trigger, Verdict, names
from referee.ruling import Act, Position, Seat, Violation
from referee.table import JudgedTurn, Phase, TableState

TURNS_SHOWN = 30

ViewState = dict[str, object]
"""The page's whole knowledge of a table."""

_CELL = re.compile("([0-9A-Z?])([rygb?]?)")
"""A field of a board text in which things can't be told: a height, and what is known of its flag."""

PHASE_WORDS = {
    Phase.SET_UP: "Set-up",
    Phase.PLAYING: "Playing",
    Phase.READING: "Reading the board",
    Phase.RULING: "Reading the board",
    Phase.VIOLATION: "Waiting: turn to be taken back",
    Phase.UNSURE: "Waiting for a clear view",
    Phase.BLIND: "Waiting for a clear view",
    Phase.FINISHED: "Game over",
}


class Banner(TypedDict):
    """The ruling as the page says it. tone picks colour and sign; fields are marked on the board."""

    tone: str
    headline: str
    detail: str
    advice: str
    rules: list[str]
    fields: list[str]


def table_view(game: AnyGame, state: TableState) -> ViewState:
    """Everything the page shows of a table in this state."""
    position = state.position
    acts = _acts_to_draw(state)
    return {
        "title": game.title,
        "source": state.source,
        "ended": state.ended,
        "phase": {"id": state.phase.value, "words": PHASE_WORDS[state.phase]},
        "turn": position.turn,
        "to_move": position.to_move.word,
        "banner": banner(state),
        "board": board_view(shown_text(state), position.board),
        "acts": [_act_view(act) for act in acts],
        "acts_by": state.last.player.word if acts and state.last else None,
        "seats": [_seat_view(seat, position) for seat in game.seats(position)],
        "winners": [colour.word for colour in position.winners],
        "finished": position.finished,
        "cameras": [_camera_view(note) for note in state.reading.cameras] if state.reading else [],
        "history": [_turn_view(turn) for turn in state.history[-TURNS_SHOWN:]],
    }


def banner(state: TableState) -> Banner:
    """What the referee says now."""
    mover = _person(state.position.to_move)
    match state.phase:
        case Phase.SET_UP:
            return _setup_banner(state)
        case Phase.READING | Phase.RULING:
            return _say("busy", "Reading the board", f"Turn {state.position.turn}, {mover}.", "Hands off, please.")
        case Phase.VIOLATION if state.last is not None:
            return _violation_banner(state.last)
        case Phase.UNSURE if state.last is not None:
            return _unsure_banner(state.last.ruled.doubts)
        case Phase.BLIND:
            return _blind_banner(state.reading)
        case Phase.FINISHED:
            return _say("won", f"{_listed(state.position.winners) or 'Nobody'} wins", "The game is over.")
    if state.last is None:
        return _say("legal", "The set-up is right", f"{mover} begins.")
    told = f"{_person(state.last.player)}’s turn {state.last.number} stands."
    won = _listed(state.position.winners)
    return _say("legal", "Legal", told, f"{won} reached the goal: the round is played out." if won else "")


def shown_text(state: TableState) -> str:
    """The board text that shows what stands on the table, as far as the referee knows; ``?`` where it doesn't."""
    if state.phase is Phase.VIOLATION and state.last is not None:
        return state.last.ruled.observed
    wrong_setup = state.phase is Phase.SET_UP and bool(state.setup)
    if state.reading is not None and (state.phase is Phase.UNSURE or wrong_setup):
        return state.reading.text
    return state.position.board.text


def board_view(text: str, like: Board) -> ViewState:
    """Columns, rows (the highest first) and fields of a board text that may hold ``?``."""
    rows, cols = like.heights.shape
    return {
        "columns": [chr(ord("A") + col) for col in range(cols)],
        "rows": list(range(rows, 0, -1)),
        "fields": [
            {"name": place.name, "height": height, "flag": flag}
            for place, height, flag in fields_of(text, rows, cols)
        ],
    }


def fields_of(text: str, rows: int, cols: int) -> Iterator[tuple[Field, int | None, str | None]]:
    """Each field of a board text with its height (``None`` for ``?``) and its flag.

    The flag is a colour's word, ``None`` where none stands, ``?`` where it can't be told.
    """
    colours = {colour.letter: colour.word for colour in Colour} | {"?": "?", "": None}
    lines = text.split("/")
    if len(lines) != rows:
        raise BoardError(f"board text has {len(lines)} rows, not {rows}")
    for index, line in enumerate(lines):
        found = _CELL.findall(line)
        if len(found) != cols or "".join(height + flag for height, flag in found) != line:
            raise BoardError(f"board text does not fit a row of {cols} fields: {line[:40]!r}")
        for col, (height, flag) in enumerate(found):
            yield Field(rows - 1 - index, col), None if height == "?" else DIGITS.index(height), colours[flag]


def _setup_banner(state: TableState) -> Banner:
    if state.setup:
        detail, rules, places = _violation_words(state.setup)
        return _say("unsure", "Please check the set-up", detail, rules=rules, fields=places)
    if state.reading is not None and state.reading.trigger is not Trigger.SEEN and not state.awaiting:
        return _blind_banner(state.reading)
    return _say("busy", "Looking at the set-up", f"{_person(state.position.to_move)} begins.", "Hands off, please.")


def _violation_banner(turn: JudgedTurn) -> Banner:
    violations = turn.ruled.ruling.violations if turn.ruled.ruling else ()
    detail, rules, places = _violation_words(violations)
    advice = f"{_person(turn.player)}, please take the turn back and play it again."
    return _say("illegal", "Not legal", detail, advice, rules, places)


def _unsure_banner(doubts: tuple[Field, ...]) -> Banner:
    places = names(doubts)
    where = f", please look at {_enumerate(places[:4])}" if places else ""
    detail = "The pictures don’t show enough for a ruling."
    return _say(
        "unsure", f"Can’t tell{where}", detail, "Straighten the stones, then end the turn again.", fields=places
    )


def _blind_banner(reading: ReadingMade | None) -> Banner:
    if reading is not None and reading.trigger is Trigger.COVERED:
        places = names(reading.blocked)
        near = f" near {_enumerate(places[:4])}" if places else ""
        return _say(
            "unsure", "Something is in the way", f"The board is covered{near}.", "Clear the view.", fields=places
        )
    return _say("unsure", "Can’t see the board", "No camera finds the frame around the board.", "Check the cameras.")


def _violation_words(violations: tuple[Violation, ...]) -> tuple[str, list[str], list[str]]:
    places = list(dict.fromkeys(name for violation in violations for name in names(violation.fields)))
    return " ".join(violation.message for violation in violations), [v.rule for v in violations], places


def _say(
    tone: str,
    headline: str,
    detail: str = "",
    advice: str = "",
    rules: list[str] | None = None,
    fields: list[str] | None = None,
) -> Banner:
    return Banner(tone=tone, headline=headline, detail=detail, advice=advice, rules=rules or [], fields=fields or [])


def _acts_to_draw(state: TableState) -> tuple[Act, ...]:
    drawn = state.phase in (Phase.PLAYING, Phase.VIOLATION, Phase.FINISHED)
    ruling = state.last.ruled.ruling if drawn and state.last else None
    return ruling.acts if ruling else ()


def _act_view(act: Act) -> ViewState:
    return {"kind": act.kind, "fields": names(act.fields), "captures": names(act.captures), "text": act.text}


def _seat_view(seat: Seat, position: Position) -> ViewState:
    return {
        "colour": seat.colour.word,
        "name": _person(seat.colour),
        "places": list(seat.places),
        "counters": [{"name": name, "value": value, "of": of} for name, value, of in seat.counters],
        "goal": seat.goal,
        "to_move": seat.colour is position.to_move and not position.finished,
        "winner": seat.colour in position.winners,
    }


def _camera_view(note: CameraNote) -> ViewState:
    lost = note.reprojection_px is None
    words = note.problem or ("can’t see the frame around the board" if lost else "sees the board")
    return {"name": note.name, "ok": not lost and not note.problem, "words": words}


def _turn_view(turn: JudgedTurn) -> ViewState:
    ruling = turn.ruled.ruling
    words = {Verdict.LEGAL: "legal", Verdict.ILLEGAL: "not legal", Verdict.UNSURE: "can’t tell"}[turn.ruled.verdict]
    return {
        "turn": turn.number,
        "player": turn.player.word,
        "verdict": turn.ruled.verdict.value,
        "words": words,
        "text": " ".join(act.text for act in ruling.acts) if ruling else "",
        "rules": [violation.rule for violation in ruling.violations] if ruling else [],
    }


def _person(colour: Colour) -> str:
    return colour.word.capitalize()


def _listed(colours: tuple[Colour, ...]) -> str:
    return _enumerate([_person(colour) for colour in colours])


def _enumerate(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
