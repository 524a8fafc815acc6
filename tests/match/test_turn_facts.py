"""What is known of the turn under way ends with it: for every phase and event, which facts survive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.answers import OtherSetup
from referee.games.terra_turrium.colours import Colour
from referee.match.decision import Ask, LateDiscovery
from referee.match.events import LeftOpen, SetupChecked, Trigger, TurnRuled, Unsure, WhyUnsure
from referee.match.hypotheses import Suspicion
from referee.match.state import TableState
from referee.match.transitions import TRANSITIONS, Phase, step
from referee.match.turn import DraftedAnswers, EndOfTurn, TurnUnderWay
from referee.values.board import Field
from referee.values.words import say
from tests.match.rulings import DIFFERENT, event_for, reading, state_in

NOTHING: frozenset[str] = frozenset()
SAID = frozenset({"declared", "drafts"})
BOARD = frozenset({"known", "confirmed", "board"})
"""What was said of the board at the end of the turn."""
OPEN = frozenset({"left_open", "since", "unseen"})
"""What may stand otherwise where this one began."""
ALL = OPEN | SAID | BOARD | {"checked"}
_T = Trigger

SURVIVES: dict[Trigger, frozenset[str]] = {
    **dict.fromkeys(Trigger, ALL),  # the turn goes on
    # Another turn begins, or the same one again, at a position known for certain.
    **dict.fromkeys((_T.LEGAL, _T.WON, _T.ACCEPTED, _T.ACCEPTED_WON), NOTHING),
    **dict.fromkeys((_T.CORRECTED, _T.RESEATED, _T.UNDONE, _T.WITHDRAWN, _T.ENDED), NOTHING),
    # It began otherwise than was thought.
    **dict.fromkeys((_T.AGAIN, _T.AGAIN_WON), ALL - {"left_open", "since", "board"}),
    # What was declared while the board was set up is of the first turn.
    **dict.fromkeys((_T.SETUP_RIGHT, _T.SETUP_ACCEPTED), SAID),
    # Nobody touched the board: what may stand there may still.
    **dict.fromkeys((_T.RESIGNED, _T.RESIGNED_LAST, _T.PASSED, _T.PASSED_WON), OPEN),
    _T.PUT_BACK: OPEN - {"unseen"},
    # The turn goes on; what was said of its end was said of a board that was not its last.
    _T.CALLED_OFF: ALL - BOARD,
    _T.ILLEGAL: ALL - {"confirmed", "board"},
    _T.UNSURE: ALL - {"board"},
    _T.TURN_ENDED: ALL - {"board"},
    _T.SETUP_LOOK: ALL - {"board"},
    _T.SETUP_WRONG: ALL - {"known", "confirmed", "board", "checked"},
    _T.READING_CORRECTED: ALL - {"board"},
    _T.DECLARED: ALL - {"declared"},
    _T.ENTERED: ALL - {"declared"},
}
SURVIVES_IN: dict[tuple[Phase, Trigger], frozenset[str]] = {
    # What was told of the set-up is not told of the first turn's end.
    (Phase.SET_UP, _T.TURN_ENDED): SAID,
    # The turn was played anew: what was said of the board was said of another.
    (Phase.VIOLATION, _T.TURN_ENDED): ALL - BOARD,
    (Phase.BLIND, _T.WITHDRAWN): ALL,
    # Somebody else gave up: the turn goes on.
    (Phase.PLAYING, _T.RESIGNED): OPEN | SAID,
}


def filled(phase: Phase) -> TableState:
    """Return a game in which everything that can be known of a turn is known."""
    state = state_in(phase)
    late = LateDiscovery(1, Colour.RED, frozenset(), say("Red"))
    *earlier, last = state.history
    assert last.ruled is not None
    asked = replace(
        last,
        ruled=TurnRuled(last.ruled.observed, Unsure(WhyUnsure.UNCHANGED)),
        reading=replace(reading(), belief="seen"),
    )
    position = state.position
    turn = TurnUnderWay(
        position,
        LeftOpen(((position, 0.0), (position, -1.0)), (Suspicion(position, -9.0, late),)),
        7,
        {"less": 1},
        {"pay": DraftedAnswers("tablet", {})},
        unseen=True,
        end=EndOfTurn({"A1": "2"}, confirmed=True, board="22r/2y2"),
        checked=SetupChecked((DIFFERENT,), None, (Ask(Field(0, 0), say("Red")),), OtherSetup(position, say("Red"))),
    )
    return replace(state, turn=turn, history=(*earlier, asked if phase is Phase.UNSURE else last))


def facts(state: TableState) -> dict[str, object]:
    """Return all that is known of the turn under way, by name."""
    turn = state.turn
    return {
        **{name: getattr(turn, name) for name in ("left_open", "since", "declared", "drafts", "unseen", "checked")},
        **{name: getattr(turn.end, name) for name in ("known", "confirmed", "board")},
    }


@pytest.mark.parametrize("phase", Phase)
def test_facts_of_a_turn_survive_as_the_table_says(phase: Phase) -> None:
    for trigger in TRANSITIONS[phase]:
        before = filled(phase)
        if trigger in (_T.SEEN, _T.COVERED, _T.LOST, _T.SETUP_WRONG, _T.SETUP_RIGHT):
            before = replace(before, turn=replace(before.turn, checking=True))
        after = facts(step(before, event_for(trigger, before)))
        kept = {name for name, fact in facts(before).items() if after[name] == fact}
        wanted = SURVIVES_IN.get((phase, trigger), SURVIVES[trigger])
        assert kept == wanted, (phase, trigger)
