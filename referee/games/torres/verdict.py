"""Rule on a turn no legal sequence explains: find all smallest sets of rules whose lifting would explain it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from referee.games.contract import RuleId
from referee.games.torres import ruleset
from referee.games.torres.search.suspect import Found, Suspect

MOST_LIFTED = 2
"""Sets are looked for up to so many rules besides those that are broken at sight."""

_ALWAYS = (
    ruleset.BUILD_SUPPLY,
    ruleset.BUILD_HEIGHT,
    ruleset.BUILD_NEW,
    ruleset.BUILD_JOIN,
    ruleset.BUILD_OCCUPIED,
    ruleset.KNIGHT_CLIMB,
    ruleset.KNIGHT_DOOR,
    ruleset.KNIGHT_BLOCKED,
    ruleset.AP_BUDGET,
    ruleset.KNIGHT_STEP,
    ruleset.KNIGHT_PLACE,
)
_WITH_UNDECLARED = (ruleset.CARD_HELD, ruleset.CARD_FRESH, ruleset.CARD_ONE)
"""Rules whose lifting only matters together with ``card.declared``."""


@dataclass(frozen=True, slots=True)
class ExplainedBreach:
    """One smallest set of rules, and how the turn can have gone with them lifted."""

    lifted: ruleset.Lifted
    suspect: Suspect
    found: Found


def smallest_sets(suspects: list[Suspect]) -> list[ExplainedBreach]:
    """Return all smallest sets that explain a turn, the preferred one first.

    suspects: the player to move first. Empty where none has at most MOST_LIFTED rules besides those broken at sight,
    or none was found with the effort there is.
    """
    ways = [(suspect, MOST_LIFTED - len(suspect.order)) for suspect in suspects]
    sizes = [len(suspect.forced) + more for suspect, most in ways for more in range(most + 1)]
    for size in range(min(sizes), max(sizes) + 1):
        found: dict[ruleset.Lifted, ExplainedBreach] = {}
        for suspect, most in ways:
            more = size - len(suspect.forced)
            if not 0 <= more <= most:
                continue
            for lifted in _sets(suspect, more):
                explained = None if lifted in found else suspect.explain(lifted)
                if explained is not None:
                    found[lifted] = ExplainedBreach(lifted, suspect, explained)
        if found:
            return [found[lifted] for lifted in sorted(found, key=ruleset.preference)]
    return []


def _sets(suspect: Suspect, more: int) -> Iterator[ruleset.Lifted]:
    """Yield all sets with so many rules besides the forced ones."""
    for rules in combinations(_candidates(suspect), more):
        chosen = frozenset(rules)
        if ruleset.CARD_DECLARED in chosen or not chosen & frozenset(_WITH_UNDECLARED):
            yield suspect.forced | chosen


def _candidates(suspect: Suspect) -> list[RuleId]:
    found: list[RuleId] = [ruleset.CARD_DECLARED, *_ALWAYS, *_WITH_UNDECLARED]
    card = suspect.declared.card
    if card is None:
        found.remove(ruleset.CARD_ONE)
    elif card not in ruleset.BONUS_AP:
        found.append(ruleset.CARD_RULE[card])
    if suspect.scene.fallen:
        found.append(ruleset.BLOCKS_FIXED)
    return [rule for rule in found if rule not in suspect.forced]


def kinds_to_ask(explained: ExplainedBreach) -> tuple[str, ...]:
    """Return the kinds of card each of which alone explains the turn, in the order of the table."""
    suspect = explained.suspect
    return tuple(task.cards[-1] for task in suspect.tasks(explained.lifted) if suspect.try_task(task) is not None)
