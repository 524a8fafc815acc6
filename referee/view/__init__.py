"""The page's view of a table, in the players' own words: pure functions from a state to JSON-able values.

``table_view`` is the page's whole knowledge of a table; docs/reference/state.md says what every key holds.
"""

from __future__ import annotations

from referee.games.guarding import shown
from referee.match.commands import Name, actions
from referee.match.events import AnyGame, names
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.questions import asked_first
from referee.match.state import Entry, TableState
from referee.values.kit import Kit
from referee.values.words import Words
from referee.view.arbiter import arbiter_view
from referee.view.asked import actions_view, ask_view, candidates_view, setup_view, violation_view
from referee.view.banking import banking_view, doubt_view
from referee.view.banner import Banner, ViewState, banner, phase_words
from referee.view.board import act_view, legend_view, observed_view, shown_text, task_view
from referee.view.clock import clock_view
from referee.view.conserved import conserved_view
from referee.view.notices import notices_view
from referee.view.players import palette_view, players_view, seat_view
from referee.view.record import (
    EntryViews,
    camera_view,
    certificate_view,
    disputes_view,
    note_words,
    result_view,
)
from referee.view.swept import swept_view
from referee.view.telling import account_of, account_view, explained_view, prompt_of, question_view, why_over

__all__ = [
    "NOTHING",
    "Banner",
    "EntryViews",
    "ViewState",
    "banner",
    "shown_text",
    "table_view",
]

NOTHING = Live()


def table_view(
    game: AnyGame,
    state: TableState,
    live: Live = NOTHING,
    language: str = "en",
    entries: EntryViews | None = None,
) -> ViewState:
    """Return everything the page shows of a table in this state.

    entries: remembers what was made of the record before. Raises WordsError for an unknown language.
    """
    game, position = shown(game), state.position
    last = _drawn_turn(state)
    ruling = last.ruled.ruling if last is not None and last.ruled is not None else None
    acts = ruling.acts if ruling else ()
    question = asked_first(state, game)
    why = why_over(game, state)
    said = banner(game, state, live, question, prompt_of(game, state), why)
    form = game.form(position)
    seats = [seat_view(game, seat, state, language) for seat in game.seats(position)]
    choices = game.choices().to_json(language) if Name.NEW_GAME in actions(state) else None
    return {
        "language": language,
        "game": game.name,
        "title": game.title,
        "source": _spoken(state.begun.source, language),
        "ended": _spoken(state.ended, language),
        "recorded": state.begun.recorded,
        "event": live.event,
        "phase": {"id": state.phase.value, "words": phase_words(state.phase).text(language)},
        "turn": position.turn,
        "to_move": position.to_move.word,
        "banner": said.to_json(language),
        "board": _board(game, state, live, language),
        "position": position.to_json(),
        "kit": game.kit.to_json(language),
        "players": players_view(game, state, language),
        "palette": palette_view(game, language),
        "form": form.to_json(language) if form else None,
        "declared": dict(state.turn.declared),
        "drafts": [
            {"option": option, "by": draft.by, "values": dict(draft.values)}
            for option, draft in state.turn.drafts.items()
        ],
        "acts": [act_view(act) for act in acts],
        "legend": legend_view(language),
        "explained": explained_view(game, state, language),
        "acts_by": last.player.word if acts and last else None,
        "seats": seats,
        "winners": [colour.word for colour in (state.result.winners if state.result else position.winners)],
        "finished": state.phase is Phase.FINISHED,
        "result": result_view(game, state, why, language),
        "actions": actions_view(game, state, live, language),
        "violation": None if question is not None else violation_view(game, state, live, language),
        "asked": question_view(question, language),
        "account": account_view(account_of(game, _drawn_turn(state)), language),
        "ask": ask_view(game, state, language),
        "candidates": candidates_view(game, state, language),
        "doubt": doubt_view(game, state, language),
        "swept": swept_view(state, live, game.kit, language),
        "setup": setup_view(game, state, live, language),
        "conserved": conserved_view(game, position),
        "new_game": choices,
        "live": _live_view(live, game.kit, language),
        "showing": _showing_view(live, language),
        "clock": clock_view(state, live, language),
        "cameras": _cameras(state, live, language),
        "history": (entries or EntryViews()).of(game, state, language),
        "disputes": disputes_view(state, language),
        "arbiter": arbiter_view(state, {str(seat["colour"]): str(seat["name"]) for seat in seats}, language),
        "notices": notices_view(game, state, live, language),
        "certificate": certificate_view(live.certificate, language),
        "choices": choices,
    }


def _board(game: AnyGame, state: TableState, live: Live, language: str) -> ViewState:
    """Return the board on the table; where the page is the game's banker, with the accounts of the turn under way."""
    text, known = shown_text(state, live, game.kit), state.position.observed
    view = observed_view(text, known, game.kit, language)
    open_ = state.open_now if text == known.text else ()
    return view | {"open": names(sorted(open_))} | banking_view(game, state, language, live.seen)


def _drawn_turn(state: TableState) -> Entry | None:
    """Return the turn whose acts are drawn on the board: the one to be put back, else the newest that counts."""
    if state.phase is Phase.VIOLATION:
        return state.last
    return state.last_counting if state.phase in (Phase.PLAYING, Phase.FINISHED) else None


def _spoken(sentence: str, language: str) -> str:
    """Translate a sentence that the journal keeps in English, where a catalogue knows it."""
    return sentence if not sentence or set(sentence) & {"{", "}"} else Words(sentence).text(language)


def _live_view(live: Live, kit: Kit, language: str) -> ViewState:
    waiting = live.waiting
    return {
        "waiting": {"id": waiting.id, "words": waiting.words.text(language)} if waiting else None,
        "progress": [
            {"id": part.id, "words": part.words.text(language), "value": part.value, "of": part.of}
            for part in live.progress
        ],
        "tasks": [task_view(task, kit) for task in live.tasks],
        "seen": live.seen,
    }


def _showing_view(live: Live, language: str) -> ViewState | None:
    """Return what is asked of somebody with a camera in a hand, ``None`` where nothing is."""
    wanted = live.showing
    if wanted is None:
        return None
    advice = wanted.framing.advice
    return {
        "views": wanted.views,
        "most": wanted.most,
        "fields": names(wanted.fields),
        "advice": {"id": advice.id, "words": advice.words.text(language)} if advice else None,
        "sides": [list(side) for side in wanted.sides],
        "show": wanted.show.to_json(language) if wanted.show else None,
        "legal": wanted.legal,
        "rim": [list(corner) for corner in wanted.framing.rim],
    }


def _cameras(state: TableState, live: Live, language: str) -> list[ViewState]:
    if live.cameras:
        return [camera_view(camera.name, camera.ok, camera.words, language, camera.held) for camera in live.cameras]
    notes = state.reading.cameras if state.reading else ()
    return [camera_view(note.name, *note_words(note), language) for note in notes]
