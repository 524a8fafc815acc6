"""Rule on a turn no legal sequence explains: find all smallest sets of rules whose lifting would explain it.

Heights are explained with the flags standing still, flags on the heights seen, so for one player a smallest set is
a smallest set for the heights joined with a smallest set for the flags. Lifting ``turn.order`` asks the same of
every other player.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.contract import Ruling, Violation
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.geometry import FIELDS, bits
from referee.games.terra_turrium.position.position import Side, TerraPosition, side_of
from referee.games.terra_turrium.ruleset import TURN_ORDER, Lifted, in_order, preference
from referee.games.terra_turrium.search.breaches import Explanation, Scene, breaches
from referee.games.terra_turrium.search.cubes import CubeSearch
from referee.games.terra_turrium.search.flags import FlagSearch
from referee.games.terra_turrium.search.walk import Budget
from referee.games.terra_turrium.text.messages import Breach, violation_words
from referee.games.terra_turrium.text.report import acts_of, turn_json

STATES = 400_000
"""States of flags reached for one ruling before it is content with what is certain."""


@dataclass(frozen=True, slots=True)
class _Suspect:
    """A player the turn is judged as; ``order`` holds ``turn.order`` unless it was the player's turn."""

    side: Side
    cubes: CubeSearch
    flags: FlagSearch
    order: Lifted

    @property
    def certain(self) -> Lifted:
        """Return the rules broken in every explanation by this player."""
        return self.order | self.cubes.forced | self.flags.certain

    def sure(self) -> Lifted:
        """Return the rules of all smallest sets for this player as far as they don't depend on where flags went."""
        return self.order | frozenset.intersection(*self.cubes.smallest()) | self.flags.certain

    def smallest(self, budget: Budget) -> list[Lifted]:
        """Return all smallest sets of rules with which this player's turn is explained."""
        flags = self.flags.smallest(budget)
        return [self.order | a | b for a in self.cubes.smallest() for b in flags]

    def explain(self, lifted: Lifted) -> Explanation:
        """Return the turn with some rules lifted."""
        cubes = self.cubes.plan(lifted)
        assert cubes is not None
        return Explanation(self.side, cubes, self.flags.plan(lifted))


@dataclass(frozen=True, slots=True)
class _Found:
    """The smallest sets of rules, the preferred one first, each with who the turn is judged as.

    named: the preferred set, or those of its rules that are certain where the search was cut short.
    """

    sets: dict[Lifted, _Suspect]
    named: Lifted
    complete: bool

    @property
    def other(self) -> Colour | None:
        """Return who explains the turn alone, if it was that player who played; ``None`` for nobody."""
        suspect = self.sets.get(frozenset({TURN_ORDER})) if self.complete else None
        return None if suspect is None else suspect.side.colour


def broken_rules(position: TerraPosition, scene: Scene, budget: Budget) -> tuple[Lifted, bool]:
    """Return the rules that ``illegal`` would name, and whether the budget was enough to be sure."""
    found = _smallest_sets(position, scene, budget)
    return found.named, found.complete


def legal(position: TerraPosition, scene: Scene) -> Explanation | None:
    """Return how a turn kept every rule; ``None`` where it kept not all. Raises BudgetSpentError."""
    side = side_of(position, position.to_move)
    search = CubeSearch(scene.rules, side, scene.heights, scene.after, scene.flags[0])
    if search.forced:
        return None
    cubes = search.plan(frozenset())
    if cubes is None:
        return None
    flags = FlagSearch(scene.rules, side, scene.after, scene.flags, scene.flags_after)
    moves = flags.legal(Budget(STATES))
    return None if moves is None else Explanation(side, cubes, moves)


def illegal(position: TerraPosition, scene: Scene, cut_short: bool = False) -> Ruling:
    """Rule on a turn that no legal sequence explains.

    cut_short: the search for one ended before it found out; then only what is certain is named, which may be nothing.
    """
    found = _smallest_sets(position, scene, Budget(0 if cut_short else STATES))
    sets = list(found.sets)
    explanation = found.sets[sets[0]].explain(sets[0])
    return Ruling(
        legal=False,
        violations=violations_of(position, scene, explanation, found.named, found.other),
        alternatives=tuple(in_order(lifted) for lifted in sets[1:]) if found.complete else (),
        acts=acts_of(explanation),
        turn=turn_json(explanation, explanation.side.colour) if explanation.moves is not None else None,
        next=None,
        winners=position.winners,
        finished=False,
        complete=found.complete,
    )


def _smallest_sets(position: TerraPosition, scene: Scene, budget: Budget) -> _Found:
    found: dict[Lifted, _Suspect] = {}
    players = (position.to_move, *(player for player in position.players if player != position.to_move))
    suspects = [_suspect(position, scene, player) for player in players]
    for suspect in suspects:
        if not found or len(suspect.certain) <= len(next(iter(found))):
            for lifted in suspect.smallest(budget):
                if not found or len(lifted) < len(next(iter(found))):
                    found = {lifted: suspect}
                elif len(lifted) == len(next(iter(found))):
                    found.setdefault(lifted, suspect)
    sets = sorted(found, key=preference)
    complete = all(suspect.flags.complete for suspect in suspects)
    named = sets[0] if complete else _certain(suspects, len(sets[0]))
    return _Found({lifted: found[lifted] for lifted in sets}, named, complete)


def _certain(suspects: list[_Suspect], most: int) -> Lifted:
    """Return the rules that every explanation with at most so many rules lifted breaks, whoever made the turn."""
    sure = [suspect.sure() for suspect in suspects if len(suspect.certain) <= most]
    return frozenset.intersection(*(rules for rules in sure if len(rules) <= most))


def _suspect(position: TerraPosition, scene: Scene, player: Colour) -> _Suspect:
    side = side_of(position, player)
    return _Suspect(
        side,
        CubeSearch(scene.rules, side, scene.heights, scene.after, scene.flags[0]),
        FlagSearch(scene.rules, side, scene.after, scene.flags, scene.flags_after),
        frozenset() if player == position.to_move else frozenset({TURN_ORDER}),
    )


def violations_of(
    position: TerraPosition, scene: Scene, explanation: Explanation, lifted: Lifted, other: Colour | None = None
) -> tuple[Violation, ...]:
    """Return what the players are told about an explanation that breaks some rules.

    other: who explains the turn alone, if it was that player who played.
    """
    at = breaches(scene, explanation)
    player = explanation.side.colour
    changed = scene.flags[player] ^ scene.flags_after[player]
    touched = tuple(bits(changed)) or tuple(i for i, h in enumerate(scene.heights) if h != scene.after[i])
    facts = {
        "taken": len(explanation.cubes.takes),
        "placed": len(explanation.cubes.builds),
        "fewer": sum(max(0, h - now) for h, now in zip(scene.heights, scene.after, strict=True)),
        "reserve": explanation.side.reserve,
        "points": explanation.points,
    }
    found = []
    for rule in in_order(lifted):
        fields = tuple(at.get(rule, ())) or touched
        words = violation_words(Breach(rule, scene.rules, player, position.to_move, fields, facts, other))
        found.append(Violation(rule, tuple(FIELDS[i] for i in fields), words))
    return tuple(found)
