"""What the page shows of a table, in the players' own words: pure functions from a state to JSON-able values.

``table_view`` is the page's whole knowledge of a table; docs/view.md says what every key holds.
"""

from __future__ import annotations

from referee.games.contract import Position, Seat
from referee.match.commands import Name, actions
from referee.match.events import AnyGame
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import Entry, TableState
from referee.values.words import Words
from referee.view.asked import actions_view, setup_view, violation_view
from referee.view.banner import Banner, ViewState, banner, person, phase_words
from referee.view.board import act_view, board_view, shown_text, task_view
from referee.view.record import (
    TURNS_SHOWN,
    camera_view,
    certificate_view,
    disputes_view,
    entry_view,
    note_words,
    result_view,
)

__all__ = ["TURNS_SHOWN", "Banner", "ViewState", "banner", "board_view", "shown_text", "table_view"]

NOTHING = Live()


def table_view(game: AnyGame, state: TableState, live: Live = NOTHING, language: str = "en") -> ViewState:
    """Everything the page shows of a table in this state. Raises WordsError for an unknown language."""
    position = state.position
    last = _drawn_turn(state)
    ruling = last.ruled.ruling if last is not None and last.ruled is not None else None
    acts = ruling.acts if ruling else ()
    said = banner(state, live)
    return {
        "language": language,
        "game": game.name,
        "title": game.title,
        "source": state.source,
        "ended": _spoken(state.ended, language),
        "event": live.event,
        "phase": {"id": state.phase.value, "words": phase_words(state.phase).text(language)},
        "turn": position.turn,
        "to_move": position.to_move.word,
        "banner": said.to_json(language),
        "board": board_view(shown_text(state, live), position.observed),
        "position": position.to_json(),
        "acts": [act_view(act) for act in acts],
        "acts_by": last.player.word if acts and last else None,
        "seats": [_seat_view(seat, state, position, language) for seat in game.seats(position)],
        "winners": [colour.word for colour in (state.result.winners if state.result else position.winners)],
        "finished": state.phase is Phase.FINISHED,
        "result": result_view(state, language),
        "actions": actions_view(state, language),
        "violation": violation_view(game, state, live, language),
        "setup": setup_view(state, live, language),
        "new_game": game.choices().to_json(language) if Name.NEW_GAME in actions(state) else None,
        "live": _live_view(live, language),
        "cameras": _cameras(state, live, language),
        "history": [entry_view(game, state, entry, language) for entry in state.history[-TURNS_SHOWN:]],
        "disputes": disputes_view(state, language),
        "notices": [{"id": n.id, "tone": n.tone, "words": n.words.text(language)} for n in live.notices],
        "certificate": certificate_view(live.certificate, language),
        "choices": game.choices().to_json(language) if Name.NEW_GAME in actions(state) else None,
    }


def _drawn_turn(state: TableState) -> Entry | None:
    """The turn whose acts are drawn on the board: the one that waits to be put back, else the newest that counts."""
    if state.phase is Phase.VIOLATION:
        return state.last
    return state.last_counting if state.phase in (Phase.PLAYING, Phase.FINISHED) else None


def _spoken(sentence: str, language: str) -> str:
    """A sentence the journal keeps in English, in a language where it is known there."""
    return sentence if not sentence or set(sentence) & {"{", "}"} else Words(sentence).text(language)


def _seat_view(seat: Seat, state: TableState, position: Position, language: str) -> ViewState:
    return {
        "colour": seat.colour.word,
        "name": state.players.get(seat.colour.word) or person(seat.colour).text(language),
        "places": list(seat.places),
        "counters": [
            {
                "id": counter.id,
                "name": counter.words.text(language),
                "value": counter.value,
                "of": counter.of,
                "track": {"fields": counter.track.fields, "at": counter.track.at} if counter.track else None,
            }
            for counter in seat.counters
        ],
        "goal": seat.goal.text(language) if seat.goal else "",
        "steps": [{"text": step.text, "reached": step.reached} for step in seat.steps],
        "to_move": seat.colour is position.to_move and state.phase is not Phase.FINISHED,
        "winner": seat.colour in (state.result.winners if state.result else position.winners),
        "out": seat.colour in state.out,
    }


def _live_view(live: Live, language: str) -> ViewState:
    waiting = live.waiting
    return {
        "waiting": {"id": waiting.id, "words": waiting.words.text(language)} if waiting else None,
        "progress": [
            {"id": part.id, "words": part.words.text(language), "value": part.value, "of": part.of}
            for part in live.progress
        ],
        "tasks": [task_view(task) for task in live.tasks],
        "seen": live.seen,
    }


def _cameras(state: TableState, live: Live, language: str) -> list[ViewState]:
    if live.cameras:
        return [camera_view(camera.name, camera.ok, camera.words, language) for camera in live.cameras]
    notes = state.reading.cameras if state.reading else ()
    return [camera_view(note.name, *note_words(note), language) for note in notes]
