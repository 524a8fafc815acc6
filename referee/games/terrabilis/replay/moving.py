"""Carry out rolls: move the pawn, and do what the space it reaches brings about."""

from __future__ import annotations

from referee.games.terrabilis.declared.acts import Choose, PourOrder, Roll, TakeLoan
from referee.games.terrabilis.replay.lapend import end_lap
from referee.games.terrabilis.replay.paying import take_loan
from referee.games.terrabilis.replay.playing import leave_space
from referee.games.terrabilis.replay.spaces import carry_out
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import LAP_STOP, ROLL_AGAIN, ROLL_MOVE, TURN_ORDER


def roll(turn: LedgerTurn, index: int, act: Roll) -> None:
    """Carry out a roll and what follows from it, the whole lap's end included. Raises UnliftedError."""
    by = turn.who(act)
    expected = turn.case.position.to_move if turn.dice is None else turn.player
    if by != expected:
        turn.licence.breaks(TURN_ORDER, "", by, expected=expected)
    if turn.dice is not None:
        if not turn.again:
            turn.licence.breaks(ROLL_AGAIN, "too many", turn.player)
        turn.again = False
        leave_space(turn)
    turn.dice = act.dice
    place, ended = _destination(turn, index, sum(act.dice))
    if ended:
        end_lap(turn, index)
        return
    turn.account.pawn = place
    turn.arrive(turn.case.copy.track[place])
    _borrow_first(turn, index)
    carry_out(turn)


def _destination(turn: LedgerTurn, index: int, steps: int) -> tuple[int, bool]:
    """Return where the pawn goes, and whether the lap ends there."""
    place, ended = _stopped(turn, steps)
    seen = turn.case.observed.pawns.get(turn.player) if index == turn.case.last_roll else None
    if seen is not None and seen != place and turn.licence.allows(ROLL_MOVE):
        turn.licence.breaks(ROLL_MOVE, "moved", turn.player, steps=steps, seen=seen, expected=place)
        return _stopped(turn, (seen - turn.account.pawn) % len(turn.case.copy.track))
    return place, ended


def _stopped(turn: LedgerTurn, steps: int) -> tuple[int, bool]:
    place, spaces = turn.account.pawn + steps, len(turn.case.copy.track)
    if place < spaces:
        return place, False
    if turn.licence.allows(LAP_STOP):
        turn.licence.breaks(LAP_STOP, "passed", turn.player)
        return place % spaces, False
    return 0, True


def _borrow_first(turn: LedgerTurn, index: int) -> None:
    """Book loans declared right after the roll, but for choices and orders, before what the space demands."""
    acts = turn.case.acts
    for later in range(index + 1, len(acts)):
        act = acts[later]
        if isinstance(act, TakeLoan):
            take_loan(turn, turn.who(act))
            turn.booked.add(later)
        elif not isinstance(act, Choose | PourOrder):
            return
