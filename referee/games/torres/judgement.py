"""A ruling on one turn, or on one step of a stage outside turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.games.contract import RuleId, Violation
from referee.games.torres.board import TorresBoard
from referee.games.torres.geometry import FIELDS
from referee.games.torres.outcome.following import following
from referee.games.torres.outcome.scoring import PhaseScore
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.position.stages import judge_stage
from referee.games.torres.ruleset import CARD_DECLARED, Lifted, budget, in_order
from referee.games.torres.search.acts import Effort
from referee.games.torres.search.breaches import breaches
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import Act, Plan, Scene, Task
from referee.games.torres.text.messages import Breach, violation_words
from referee.games.torres.text.report import act_json, by_rules, turn_json
from referee.games.torres.verdict import Explained, kinds_to_ask, smallest_sets

STATES_LEGAL = 60_000
"""States looked at for a legal sequence."""
STATES = 60_000
"""States looked at for smallest sets."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is found of a turn.

    player: whose turn it was judged to be. acts: the explanation. next: the position after it where it is legal. ask:
    kinds of card one of which alone would explain it. scores: the points of every player where a phase ended.
    complete: false where the search was cut short; then only what is certain is named, which may be nothing.
    """

    legal: bool
    player: str
    violations: tuple[Violation, ...] = ()
    alternatives: tuple[tuple[RuleId, ...], ...] = ()
    acts: tuple[Act, ...] | None = None
    turn: Mapping[str, object] | None = None
    next: TorresPosition | None = None
    ask: tuple[str, ...] = ()
    scores: Mapping[str, PhaseScore] | None = None
    complete: bool = True

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The answer of ``referee check``, without its id; its messages in a language."""
        after = self.next
        answer: dict[str, object] = {
            "legal": self.legal,
            "violations": [violation.to_json(language) for violation in self.violations],
            "alternatives": [list(rules) for rules in self.alternatives],
            "turn": self.turn,
            "next": after.to_json() if after is not None else None,
            "winners": list(after.winners) if after is not None else [],
            "finished": after is not None and after.finished,
        }
        if self.ask:
            answer["ask"] = list(self.ask)
        if self.scores is not None:
            answer["scores"] = {player: score.to_json() for player, score in self.scores.items()}
        return answer if self.complete else answer | {"complete": False}


def judge(position: TorresPosition, observed: TorresBoard, declared: Declared) -> Judgement:
    """Rule on what led from a position to an observed board.

    Raises RequestError for a declared leftover that cannot be.
    """
    if position.stage != "play":
        return _staged(position, observed)
    scene = Scene(position.rules, position.board, observed, position.reserve)
    effort = Effort(STATES_LEGAL)
    suspect = Suspect(position, scene, position.to_move, declared, effort)
    plan = suspect.legal()
    if plan is not None:
        after = following(position, declared, observed, plan.cost)
        turn = turn_json(plan, position.to_move)
        return Judgement(
            legal=True,
            player=position.to_move,
            acts=by_rules(plan.acts),
            turn=turn,
            next=after.position,
            scores=after.scores,
        )
    if not effort.complete:
        return Judgement(False, position.to_move, violations=_certain(suspect), complete=False)
    return _illegal(suspect)


def _illegal(suspect: Suspect) -> Judgement:
    """Rule on a turn that no legal sequence explains."""
    position, scene, declared = suspect.position, suspect.scene, suspect.declared
    effort = suspect.effort
    effort.left = STATES
    others = [player for player in position.players if player != position.to_move]
    suspects = [suspect, *(Suspect(position, scene, player, declared, effort) for player in others)]
    sets = smallest_sets(suspects)
    if not effort.complete or not sets:
        return Judgement(False, position.to_move, violations=_certain(suspect), complete=False)
    first = sets[0]
    player, plan = first.suspect.player, first.found.plan
    return Judgement(
        legal=False,
        player=player,
        violations=_violations(first.suspect, first.lifted, first.found.task, plan),
        alternatives=tuple(in_order(other.lifted) for other in sets[1:]),
        acts=by_rules(plan.acts),
        turn=turn_json(plan, player),
        ask=_ask(first),
    )


def _ask(first: Explained) -> tuple[str, ...]:
    return kinds_to_ask(first) if first.lifted == frozenset({CARD_DECLARED}) else ()


def _certain(suspect: Suspect) -> tuple[Violation, ...]:
    """What the boards and the declaration alone show broken, where nothing more was found out."""
    task = suspect.task(suspect.forced, ())
    return _violations(suspect, suspect.forced, task, Plan((), 0))


def _violations(suspect: Suspect, lifted: Lifted, task: Task, plan: Plan) -> tuple[Violation, ...]:
    """What the players are told about a turn that breaks some rules."""
    position, declared = suspect.position, suspect.declared
    at = breaches(task, plan)
    facts = {
        "built": sum(1 for kind, _, _ in plan.acts if kind in ("build", "card.under")),
        "limit": task.limit,
        "cost": plan.cost + declared.spent,
        "has": budget(frozenset(task.cards)),
        "bought": declared.bought,
        "held": position.cards[suspect.player].held,
    }
    found = []
    for rule in in_order(lifted):
        fields = tuple(at.get(rule, ()))
        words = violation_words(
            Breach(rule, position.rules, suspect.player, position.to_move, fields, declared.card, facts)
        )
        found.append(Violation(rule, tuple(FIELDS[i] for i in fields), words))
    return tuple(found)


def _staged(position: TorresPosition, observed: TorresBoard) -> Judgement:
    result = judge_stage(position, observed)
    player = position.to_move
    if result.broken is None:
        acts: tuple[Act, ...] = () if result.act is None else ((result.act[0], result.act[1], result.act[1]),)
        turn = {"player": player, "acts": [act_json(act) for act in acts], "cost": 0}
        return Judgement(True, player, acts=acts, turn=turn, next=result.next)
    words = violation_words(Breach(result.broken, position.rules, player, player, result.fields, None, {}))
    violation = Violation(result.broken, tuple(FIELDS[i] for i in result.fields), words)
    return Judgement(False, player, violations=(violation,))
