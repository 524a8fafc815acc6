"""Journals of the first version: their events, word for word as it wrote them, still lead where they led."""

from __future__ import annotations

from typing import Any

from referee.match.events import event_from_json
from referee.match.state import EntryStatus
from referee.match.transitions import Phase, replay
from tests.match.fakes import StepGame

START = {"game": "steps", "board": "11r/1y1", "to_move": "red", "turn": 1, "winners": []}
NEXT = {"game": "steps", "board": "12r/1y1", "to_move": "yellow", "turn": 2, "winners": []}
READING = {
    "board": "11r/1y1",
    "confidence": [[0.99, 0.5], [1.0, 0.2]],
    "aggressor": {"nw": 1, "se": None},
    "clear": True,
    "blocked": [],
    "cameras": {"cam0": {"markers": 8, "reprojection_px": 0.31, "problem": ""}},
    "ms": 12.5,
}
BROKEN = {"rule": "step.one", "fields": ["B1"], "message": "Exactly one stone is added in a turn."}
ANSWER: dict[str, Any] = {
    "legal": False,
    "violations": [BROKEN],
    "alternatives": [],
    "turn": {"player": "red"},
    "next": None,
    "winners": [],
    "finished": False,
}
ILLEGAL = {"ruling": "illegal", "observed": "11r/1y3", "doubts": [], "answer": ANSWER, "acts": []}
LEGAL = {
    "ruling": "legal",
    "observed": "12r/1y1",
    "doubts": [],
    "answer": ANSWER | {"legal": True, "violations": [], "next": NEXT},
    "acts": [{"kind": "build", "fields": ["B2"], "captures": [], "text": "+B2"}],
}
JOURNAL: list[tuple[str, dict[str, Any]]] = [
    ("game_started", {"position": START, "source": "Recorded game"}),
    ("look_taken", {"look": 1, "setup": True}),
    ("reading", READING),
    ("setup_checked", {"differences": []}),
    ("look_taken", {"look": 2, "setup": False}),
    ("reading", READING),
    ("ruling", ILLEGAL),
    ("look_taken", {"look": 3, "setup": False}),
    ("reading", READING),
    ("ruling", LEGAL),
    ("source_ended", {"words": "The recording has ended."}),
]


def test_a_journal_of_the_first_version_is_carried_on() -> None:
    state = replay(event_from_json(kind, data, StepGame()) for kind, data in JOURNAL)
    assert state is not None
    assert (state.phase, state.position.turn, state.look, state.ended) == (
        Phase.PLAYING,
        2,
        3,
        JOURNAL[-1][1]["words"],
    )
    assert [entry.fate for entry in state.history] == [EntryStatus.REPLACED, EntryStatus.STANDS]
    first = state.history[0].ruled
    assert first is not None
    assert first.ruling is not None
    assert first.ruling.violations[0].message == BROKEN["message"]


def test_what_it_wrote_is_written_as_it_was() -> None:
    """Nothing is added to an event that says nothing new, so hashes of a journal written again are the same."""
    for kind, data in JOURNAL:
        written = event_from_json(kind, data, StepGame()).to_json()
        if kind != "ruling":  # rulings keep the words of their violations since
            assert written == data


def test_a_game_begun_on_the_players_word_still_begins_where_they_agreed() -> None:
    begun = [JOURNAL[0], ("setup_accepted", {"by": "tablet"})]
    state = replay(event_from_json(kind, data, StepGame()) for kind, data in begun)
    assert state is not None
    assert (state.phase, state.position.to_json(), state.turn.asks) == (Phase.PLAYING, START, ())
    assert event_from_json(*begun[1], StepGame()).to_json() == begun[1][1]
