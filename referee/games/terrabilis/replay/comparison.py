"""End a turn's replay: find what is missing, and compare the books with what was seen."""

from __future__ import annotations

from referee.games.terrabilis import ruleset
from referee.games.terrabilis.replay.lifting import LedgerDifference
from referee.games.terrabilis.replay.playing import leave_space
from referee.games.terrabilis.replay.turn import LedgerTurn


def check_complete(turn: LedgerTurn, before: int) -> None:
    """Break the rules of what is missing or was not used by the acts before an index. Raises UnliftedError.

    A turn that the end of the game cut short lacks nothing.
    """
    if turn.over and turn.pending:
        return
    if not turn.over:
        leave_space(turn)
    turn.check_unused(before)
    if turn.account.hand != ruleset.HAND and not turn.account.out:
        turn.licence.breaks(ruleset.HAND_THREE, "", turn.player, n=turn.account.hand)


def compare(turn: LedgerTurn) -> None:
    """Compare the books with what was seen; differences are noted."""
    _dice(turn)
    _zone(turn)
    _pawns(turn)
    _cards(turn)


def _dice(turn: LedgerTurn) -> None:
    seen = turn.case.observed.dice
    if seen is not None and turn.dice is not None and sorted(seen) != sorted(turn.dice):
        turn.licence.differs(LedgerDifference("dice", turn.player, "", turn.dice, seen), {ruleset.ROLL_MOVE})


def _zone(turn: LedgerTurn) -> None:
    zone, seen = turn.books.zone, turn.case.observed.zone
    expected = {ruleset.GREEN: zone.green, ruleset.YELLOW: zone.yellow}
    if turn.free:
        zone.green, zone.yellow = (seen.get(name, expected[name]) for name in ruleset.COUNTERS)
    elif any(seen[name] != expected[name] for name in seen):
        shown = tuple(seen.get(name, "?") for name in ruleset.COUNTERS)
        by_cards = turn.books.of_cards(None, ruleset.COUNTERS)
        difference = LedgerDifference("zone", None, "", (zone.green, zone.yellow), shown, by_cards)
        turn.licence.differs(difference, {ruleset.ZONE_SEEN} | turn.books.zone_touched)


def _pawns(turn: LedgerTurn) -> None:
    excuses = {ruleset.PAWN_SEEN, ruleset.LAP_PAWNS} if turn.ended else {ruleset.PAWN_SEEN}
    for who, seen in turn.case.observed.pawns.items():
        account = turn.books.accounts[who]
        if not account.out and account.pawn != seen:
            turn.licence.differs(LedgerDifference("pawn", who, "", (account.pawn,), (seen,)), excuses)


def _cards(turn: LedgerTurn) -> None:
    for who, seen in turn.case.observed.installed.items():
        account = turn.books.accounts[who]
        if account.out:
            continue
        if isinstance(seen, int):
            agrees = seen == len(account.installed)
        else:
            agrees = sorted(seen) == sorted(account.installed)
        if not agrees:
            number = seen if isinstance(seen, int) else len(seen)
            difference = LedgerDifference("cards", who, "", (len(account.installed),), (number,))
            turn.licence.differs(difference, {ruleset.CARDS_SEEN})
