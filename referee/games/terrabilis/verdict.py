"""Rule on a turn: legal, one declaration to be changed, or the smallest sets of rules that explain it.

A set of lifted rules explains a turn when its replay agrees with everything. A replay says which rules it asked for
in vain, and any larger set that ends otherwise holds one of those: so growing sets by the rules asked for, all sets
of a size before the next size, finds every smallest set (the hitting sets of Reiter, A theory of diagnosis from
first principles, Artificial Intelligence 32, 1987).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.games.contract import RequestError
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.replay.lifting import LedgerDifference
from referee.games.terrabilis.replay.offers import ChangeOffer, offers
from referee.games.terrabilis.replay.whole import LedgerReplay, replay
from referee.games.terrabilis.ruleset import Lifted, preference
from referee.values.words import say

MOST_REPLAYS = 4000
"""Replays made for one ruling before it is content with what is certain."""


@dataclass(frozen=True, slots=True)
class LedgerVerdict:
    """What is to be said of a turn.

    legal: ``None`` where one changed declaration makes everything agree. replay: the turn as it is explained. sets:
    the smallest sets of lifted rules, the preferred one first; with ``complete`` false one set, of the rules that
    are certainly broken. differing: how ledger and table differ, where all acts could be made: it is asked first.
    """

    legal: bool | None
    replay: LedgerReplay
    sets: tuple[Lifted, ...] = ()
    offers: tuple[ChangeOffer, ...] = ()
    complete: bool = True
    differing: tuple[LedgerDifference, ...] = ()


def judge(case: TurnCase, *, insisted: bool = False) -> LedgerVerdict:
    """Judge a turn. insisted: the players say that all was done as declared, so no change is offered.

    Raises RequestError for a turn without a roll that no act before it ended.
    """
    outcome = replay(case)
    if outcome.agrees:
        return LedgerVerdict(legal=True, replay=outcome)
    if outcome.made and not insisted:
        found, tried_all = offers(case)
        if found:
            differing = outcome.differences
            return LedgerVerdict(None, outcome, offers=found, complete=tried_all, differing=differing)
    verdict = _smallest(case, outcome)
    if case.last_roll is None and not verdict.sets:
        raise RequestError("declared", say("The turn has no roll yet: declare the dice."))
    return replace(verdict, differing=outcome.differences if outcome.made else ())


def _smallest(case: TurnCase, outcome: LedgerReplay) -> LedgerVerdict:
    """Find all smallest sets, by growing size."""
    level: dict[Lifted, LedgerReplay] = {frozenset(): outcome}
    replays = 0
    while level:
        larger: dict[Lifted, LedgerReplay] = {}
        found: dict[Lifted, LedgerReplay] = {}
        for lifted, tried in level.items():
            for rule in sorted(tried.asked):
                grown = lifted | {rule}
                if grown in larger:
                    continue
                if replays >= MOST_REPLAYS or not tried.complete:
                    return _certain(case, outcome)
                larger[grown] = replay(case, grown)
                replays += larger[grown].runs
                if larger[grown].agrees:
                    found[grown] = larger[grown]
        if found:
            sets = tuple(sorted(found, key=preference))
            return LedgerVerdict(legal=False, replay=found[sets[0]], sets=sets)
        level = larger
    return LedgerVerdict(legal=False, replay=outcome)


def _certain(case: TurnCase, outcome: LedgerReplay) -> LedgerVerdict:
    """Find what every explanation breaks: the rules without whose lifting the turn can't go on, one by one."""
    lifted: Lifted = frozenset()
    while outcome.complete and len(outcome.asked) == 1 and not outcome.agrees:
        lifted |= outcome.asked
        outcome = replay(case, lifted)
    return LedgerVerdict(legal=False, replay=outcome, sets=(lifted,), complete=False)
