"""What is known of the turn under way ends with it: for every phase and event, which facts survive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.games.answers import OtherSetup
from referee.games.terra_turrium.colours import Colour
from referee.judging.context import Suspicion
from referee.judging.decision import Ask, LateDiscovery
from referee.match.events import Trigger
from referee.match.state import DraftedAnswers, TableState
from referee.match.transitions import TRANSITIONS, Phase, step
from referee.values.board import Field
from referee.values.words import say
from tests.match.rulings import DIFFERENT, event_for, reading, state_in

NOTHING: frozenset[str] = frozenset()
LEFT_OPEN = frozenset({"track", "tracked", "suspicions"})
"""What earlier turns left open of where this one began."""
SAID = frozenset({"declared", "drafts"})
BOARD = frozenset({"known", "confirmed", "corrected"})
"""What was said of the board at the end of the turn."""
SET_UP = frozenset({"setup", "asks", "other"})
ALL = LEFT_OPEN | SAID | BOARD | SET_UP | {"unseen"}
_T = Trigger

SURVIVES: dict[Trigger, frozenset[str]] = {
    **dict.fromkeys(Trigger, ALL),  # the turn goes on
    # Another turn begins, or the same one again, at a position known for certain.
    **dict.fromkeys((_T.LEGAL, _T.WON, _T.ACCEPTED, _T.ACCEPTED_WON), NOTHING),
    **dict.fromkeys((_T.CORRECTED, _T.RESEATED, _T.UNDONE, _T.WITHDRAWN, _T.ENDED), NOTHING),
    # What was declared while the board was set up is of the first turn.
    **dict.fromkeys((_T.SETUP_RIGHT, _T.SETUP_ACCEPTED), SAID),
    # Nobody touched the board: what may stand there may still.
    **dict.fromkeys((_T.RESIGNED, _T.RESIGNED_LAST, _T.PASSED, _T.PASSED_WON), LEFT_OPEN | {"unseen"}),
    _T.PUT_BACK: LEFT_OPEN,
    # The turn goes on; what was said of its end was said of a board that was not its last.
    _T.CALLED_OFF: ALL - BOARD,
    _T.ILLEGAL: ALL - {"confirmed", "corrected"},
    _T.UNSURE: ALL - {"corrected"},
    _T.TURN_ENDED: ALL - {"corrected"},
    _T.SETUP_LOOK: ALL - {"corrected"},
    _T.SETUP_WRONG: ALL - {"known", *SET_UP},
    _T.READING_CORRECTED: ALL - {"corrected"},
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
    (Phase.PLAYING, _T.RESIGNED): LEFT_OPEN | SAID | {"unseen"},
}
WRONG_TODAY: dict[Trigger, frozenset[str]] = {
    **dict.fromkeys((_T.ILLEGAL, _T.UNSURE), LEFT_OPEN - {"tracked"}),
    **dict.fromkeys((_T.SETUP_RIGHT, _T.SETUP_ACCEPTED), LEFT_OPEN | {"unseen", "confirmed", "corrected"}),
    **dict.fromkeys((_T.LEGAL, _T.WON), SET_UP),
    **dict.fromkeys((_T.ACCEPTED, _T.ACCEPTED_WON, _T.CORRECTED, _T.UNDONE, _T.ENDED), SET_UP - {"asks", "other"}),
    **dict.fromkeys((_T.RESIGNED, _T.RESIGNED_LAST, _T.PASSED, _T.PASSED_WON), ALL & {"setup", "unseen"}),
    _T.WITHDRAWN: ALL & {"setup"},
    _T.PUT_BACK: SET_UP | {"confirmed", "corrected"},
    _T.TURN_ENDED: LEFT_OPEN | SET_UP | {"known", "confirmed", "unseen"},
    _T.DECLARED: ALL & {"corrected"},
    _T.SETUP_WRONG: ALL & {"setup"},
}


def filled(phase: Phase) -> TableState:
    """Return a game in which everything that can be known of a turn is known."""
    state = state_in(phase)
    late = LateDiscovery(1, Colour.RED, frozenset(), say("Red"))
    *earlier, last = state.history
    assert last.ruled is not None
    asked = replace(last, ruled=replace(last.ruled, unchanged=True), reading=replace(reading(), belief="seen"))
    return replace(
        state,
        awaiting=phase is not Phase.SET_UP,
        history=(*earlier, asked if phase is Phase.UNSURE else last),
        track=((state.position, 0.0), (state.position, -1.0)),
        tracked=7,
        suspicions=(Suspicion(state.position, -9.0, late),),
        declared={"less": 1},
        drafts={"pay": DraftedAnswers("tablet", {})},
        known={"A1": "2"},
        confirmed=True,
        corrected="22r/2y2",
        unseen=True,
        setup=(DIFFERENT,),
        asks=(Ask(Field(0, 0), say("Red")),),
        other=OtherSetup(state.position, say("Red")),
    )


def facts(state: TableState) -> dict[str, object]:
    return {name: getattr(state, name) for name in ALL}


@pytest.mark.parametrize("phase", Phase)
def test_facts_of_a_turn_survive_as_the_table_says(phase: Phase) -> None:
    for trigger in TRANSITIONS[phase]:
        before = filled(phase)
        if trigger in (_T.SEEN, _T.COVERED, _T.LOST, _T.SETUP_WRONG, _T.SETUP_RIGHT):
            before = replace(before, awaiting=True)
        after = facts(step(before, event_for(trigger, before)))
        kept = {name for name, fact in facts(before).items() if after[name] == fact}
        wanted = SURVIVES_IN.get((phase, trigger), SURVIVES[trigger])
        assert kept ^ wanted <= WRONG_TODAY.get(trigger, NOTHING), (phase, trigger, kept ^ wanted)
