"""The phases of a refereed game, and the table of the transitions between them."""

from __future__ import annotations

from enum import StrEnum

from referee.match.events import Trigger


class Phase(StrEnum):
    """The phases of a refereed game.

    ``READING``: a turn has ended and still pictures are waited for. ``CORRECTING``: the players say how the board
    stands, because it was read wrongly. ``RESTORING``: turns were undone, and the board is put back as it was.
    """

    SET_UP = "set-up"
    PLAYING = "playing"
    READING = "reading"
    RULING = "ruling"
    VIOLATION = "violation"
    UNSURE = "unsure"
    BLIND = "blind"
    CORRECTING = "correcting"
    RESTORING = "restoring"
    PAUSED = "paused"
    FINISHED = "finished"


Leads = dict[Trigger, Phase | None]
"""The phase to which each trigger leads; ``None`` is the phase in which the game was paused."""

_PHASE, _T = Phase, Trigger  # the table below is read more easily with short names

_OVER: Leads = {_T.ENDED: _PHASE.FINISHED, _T.RESIGNED_LAST: _PHASE.FINISHED}
_STOPPABLE: Leads = _OVER | {_T.PAUSED: _PHASE.PAUSED}
_BY_HAND: Leads = {_T.CORRECTED: _PHASE.PLAYING, _T.UNDONE: _PHASE.RESTORING}
_WAITING: Leads = _STOPPABLE | _BY_HAND | {_T.TURN_ENDED: _PHASE.READING}

TRANSITIONS: dict[Phase, Leads] = {
    _PHASE.SET_UP: _STOPPABLE
    | {
        _T.SETUP_LOOK: _PHASE.SET_UP,
        _T.SEEN: _PHASE.SET_UP,
        _T.COVERED: _PHASE.SET_UP,
        _T.LOST: _PHASE.SET_UP,
        _T.SETUP_WRONG: _PHASE.SET_UP,
        _T.SETUP_RIGHT: _PHASE.PLAYING,
        _T.SETUP_ACCEPTED: _PHASE.PLAYING,
        _T.TOLD: _PHASE.SET_UP,
        _T.RESEATED: _PHASE.SET_UP,
        _T.CORRECTED: _PHASE.SET_UP,
        _T.UNDONE: _PHASE.SET_UP,
        # Players may begin on their own word: the position they agreed on stands.
        _T.TURN_ENDED: _PHASE.READING,
    },
    _PHASE.PLAYING: _WAITING
    | {
        _T.WITHDRAWN: _PHASE.CORRECTING,
        _T.RESIGNED: _PHASE.PLAYING,
        _T.PASSED: _PHASE.PLAYING,
        _T.PASSED_WON: _PHASE.FINISHED,
    },
    _PHASE.READING: _STOPPABLE
    | {
        _T.SEEN: _PHASE.RULING,
        _T.COVERED: _PHASE.BLIND,
        _T.LOST: _PHASE.BLIND,
        _T.CALLED_OFF: _PHASE.PLAYING,
    },
    _PHASE.RULING: {
        _T.LEGAL: _PHASE.PLAYING,
        _T.WON: _PHASE.FINISHED,
        _T.ILLEGAL: _PHASE.VIOLATION,
        _T.UNSURE: _PHASE.UNSURE,
        # Read again: after a restart the belief behind the ruling may be gone.
        _T.SEEN: _PHASE.RULING,
        _T.COVERED: _PHASE.BLIND,
        _T.LOST: _PHASE.BLIND,
    },
    # ``TURN_ENDED``: the turn was played again, or the players ask for another look.
    _PHASE.VIOLATION: _WAITING
    | {
        _T.PUT_BACK: _PHASE.PLAYING,
        _T.ACCEPTED: _PHASE.PLAYING,
        _T.ACCEPTED_WON: _PHASE.FINISHED,
        _T.WITHDRAWN: _PHASE.CORRECTING,
        _T.RESIGNED: _PHASE.RESTORING,
    },
    _PHASE.UNSURE: _WAITING
    | {
        _T.CONFIRMED: _PHASE.RULING,
        _T.TOLD: _PHASE.RULING,
        _T.ACCEPTED: _PHASE.PLAYING,
        _T.ACCEPTED_WON: _PHASE.FINISHED,
        _T.WITHDRAWN: _PHASE.CORRECTING,
        _T.CALLED_OFF: _PHASE.PLAYING,
        _T.RESIGNED: _PHASE.RESTORING,
    },
    _PHASE.BLIND: _WAITING
    | {
        _T.WITHDRAWN: _PHASE.CORRECTING,
        _T.CALLED_OFF: _PHASE.PLAYING,
        _T.RESIGNED: _PHASE.RESTORING,
    },
    _PHASE.CORRECTING: _WAITING
    | {
        _T.READING_CORRECTED: _PHASE.RULING,
        _T.CALLED_OFF: _PHASE.PLAYING,
    },
    _PHASE.RESTORING: _WAITING
    | {
        _T.PUT_BACK: _PHASE.PLAYING,
        _T.RESIGNED: _PHASE.RESTORING,
        _T.PASSED: _PHASE.RESTORING,
        _T.PASSED_WON: _PHASE.FINISHED,
    },
    _PHASE.PAUSED: {_T.RESUMED: None, _T.ENDED: _PHASE.FINISHED},
    # A game that is over can be disputed and undone; a new one begins in a journal of its own.
    _PHASE.FINISHED: {_T.UNDONE: _PHASE.RESTORING, _T.WITHDRAWN: _PHASE.CORRECTING},
}
# What is declared of a turn that was ruled on already is ruled on again; a paused or finished game takes no
# declaration.
for _phase in (_PHASE.SET_UP, _PHASE.PLAYING, _PHASE.READING, _PHASE.BLIND, _PHASE.CORRECTING, _PHASE.RESTORING):
    TRANSITIONS[_phase] |= {_T.DECLARED: _phase, _T.ENTERED: _phase}
for _phase in (_PHASE.VIOLATION, _PHASE.UNSURE):  # filled-in answers wait until somebody asks for a ruling
    TRANSITIONS[_phase] |= {_T.DECLARED: _PHASE.RULING, _T.ENTERED: _phase}
TRANSITIONS[_PHASE.VIOLATION] |= {_T.DENIED: _PHASE.VIOLATION}
# Where an earlier turn is put right, a turn that waits for the players is ruled on again.
for _phase, _to in (
    *((phase, phase) for phase in (_PHASE.PLAYING, _PHASE.BLIND, _PHASE.CORRECTING, _PHASE.RESTORING)),
    (_PHASE.VIOLATION, _PHASE.RULING),
    (_PHASE.UNSURE, _PHASE.RULING),
    (_PHASE.FINISHED, _PHASE.PLAYING),
):
    TRANSITIONS[_phase] |= {_T.AGAIN: _to, _T.AGAIN_WON: _PHASE.FINISHED}
for _phase, _leads in TRANSITIONS.items():
    _leads |= {_T.SOURCE_ENDED: _phase, _T.DISPUTED: _phase, _T.RESOLVED: _phase, _T.CHECKED: _phase}
    _leads |= {
        _T.RETOLD: _phase,
        _T.CLOCK: _phase,
        _T.CLOCK_SET: _phase,
        _T.CHANGED_UNSEEN: _phase,
        _T.ORDERED: _phase,
    }
