"""Rule on a turn: find the legal explanation, or the smallest sets of rules whose lifting makes one exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.games.turris.bars import COLOURS, BarColour
from referee.games.turris.completions import PartialTower, StepBudget, completions
from referee.games.turris.declaring import DeclaredAct
from referee.games.turris.placing import may_pass
from referee.games.turris.position import TurrisPosition
from referee.games.turris.ruleset import (
    BAR_COLOUR,
    BAR_FIXED,
    BAR_ONE,
    BIT,
    PREFERENCE,
    TURN_ORDER,
    TURN_PASS,
    Broken,
    preference,
)
from referee.games.turris.scene import TowerTurn, changes_between, ordered
from referee.games.turris.search import Search, State
from referee.games.turris.tower import Tower

STATES = 20_000
"""States of a turn looked at before the ruling is content with what is certain."""
FILLINGS = 40_000
"""Steps in filling cells not seen before the picture is too poor for a ruling."""


@dataclass(frozen=True)
class TurnVerdict:
    """What a turn comes to. sets: the smallest sets of broken rules, the preferred one first; the empty set is legal.

    scene, state: the turn as explained with the first set, ``None`` when the search was cut short. certain: rules
    that every explanation breaks, to be named then. doubtful: those of the first set that some tower agreeing with
    what was seen does not break, though it breaks no more of them.
    """

    sets: tuple[Broken, ...]
    scene: TowerTurn | None = None
    state: State | None = None
    certain: Broken = 0
    doubtful: Broken = 0

    @property
    def legal(self) -> bool:
        """Return whether some explanation breaks no rule."""
        return self.sets == (0,)

    @property
    def complete(self) -> bool:
        """Return whether all explanations were looked at."""
        return self.scene is not None


def judge(
    position: TurrisPosition,
    reading: PartialTower,
    declared: tuple[DeclaredAct, ...] | None = None,
    states: int = STATES,
    fillings: int = FILLINGS,
) -> TurnVerdict:
    """Judge a turn by the tower before it and what was seen after it.

    declared: the acts of the turn where the players named them. states, fillings: how much may be tried. Raises
    RequestError when no tower fits the reading, when the declared acts do not lead to it, or when so little is seen
    that not even a legal turn can be ruled out.
    """
    effort, filling = StepBudget(states), StepBudget(fillings)
    searches: list[Search] = []
    fitting = False
    for drawn, goal in _goals(position, reading, filling):
        fitting = True
        for search in _searches(drawn, goal, declared, effort):
            searches.append(search)
            ends = search.ends(0)
            if ends:
                return TurnVerdict((0,), search.scene, ends[0])
    if filling.spent:
        raise RequestError("unseen", complaints.too_much_unseen())
    if not fitting:
        raise RequestError("observed", complaints.no_tower())
    if not searches:
        raise RequestError("declared", complaints.not_declared())
    if effort.spent and not _certain(searches):
        raise RequestError("changes", complaints.too_much_changed())
    return _smallest(searches, effort)


def _goals(
    position: TurrisPosition, reading: PartialTower, filling: StepBudget
) -> Iterator[tuple[TurrisPosition, Tower]]:
    for drawn in position.frames:
        for goal in completions(reading, drawn.tower, filling):
            yield drawn, goal


def _searches(
    position: TurrisPosition, goal: Tower, declared: tuple[DeclaredAct, ...] | None, effort: StepBudget
) -> Iterator[Search]:
    order = None
    if declared is not None:
        order = ordered(changes_between(position.tower, goal), declared)
        if order is None:
            return
    for player in (position.to_move, position.to_move.other):
        yield Search(TowerTurn(position, player, goal, order), effort)


def _smallest(searches: list[Search], effort: StepBudget) -> TurnVerdict:
    for cost in range(1, len(PREFERENCE) + 1):
        found: dict[Broken, tuple[TowerTurn, State]] = {}
        named: dict[Tower, Broken] = {}
        for search in searches:
            for broken, state in search.ends(cost).items():
                found.setdefault(broken, (search.scene, state))
                named[search.scene.goal] = min(broken, named.get(search.scene.goal, broken), key=preference)
        if effort.spent:
            return TurnVerdict((), certain=_certain(searches))
        if found:
            sets = tuple(sorted(found, key=preference))
            return TurnVerdict(sets, *found[sets[0]], doubtful=sets[0] & ~reduce(and_, named.values()))
    raise RequestError("declared", complaints.not_declared())


def _certain(searches: list[Search]) -> Broken:
    """Return rules that no explanation does without, found by counting alone."""
    return reduce(and_, (_counted(search.scene) for search in searches))


def _counted(scene: TowerTurn) -> Broken:
    """Return rules that every explanation of one scene breaks.

    A new bar was laid, or moved by hand, for which one of its colour must be gone. Each bar laid earns one bonus at
    most, and one more need not be earned.
    """
    laid, gone = _by_colour(scene, True), _by_colour(scene, False)
    must_lay = {colour: max(0, laid[colour] - gone[colour]) for colour in COLOURS}
    broken = 0 if scene.player is scene.position.to_move else BIT[TURN_ORDER]
    if sum(gone.values()) > sum(laid.values()) + 1:
        broken |= BIT[BAR_FIXED]
    if must_lay[scene.player.other]:
        broken |= BIT[BAR_COLOUR]
    earning = sum(change.new and bool(change.bar.place.centres) for change in scene.changes)
    if not scene.position.rules.floating and sum(must_lay.values()) > earning + 2:
        broken |= BIT[BAR_ONE]
    if not sum(laid.values()) and not may_pass(scene.position, scene.player):
        broken |= BIT[TURN_PASS]
    return broken


def _by_colour(scene: TowerTurn, new: bool) -> dict[BarColour, int]:
    return {colour: scene.masks[colour, new].bit_count() for colour in COLOURS}
