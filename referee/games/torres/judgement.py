"""Rule on one turn, or on one step of a stage outside turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import Act, Ruling, Violation
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import FIELDS
from referee.games.torres.outcome.details import TorresDetails
from referee.games.torres.outcome.following import following
from referee.games.torres.outcome.scoring import PhaseScore
from referee.games.torres.position.position import Declared, TorresPosition
from referee.games.torres.position.stages import judge_stage
from referee.games.torres.ruleset import (
    AP_BUDGET,
    CARD_BUY,
    CARD_DECLARED,
    CARD_FRESH,
    CARD_HELD,
    Lifted,
    budget,
    in_order,
)
from referee.games.torres.search.breaches import breaches
from referee.games.torres.search.effort import SearchEffort
from referee.games.torres.search.suspect import Suspect
from referee.games.torres.search.task import Plan, TorresScene, TurnTask
from referee.games.torres.text.messages import TorresBreach, violation_words
from referee.games.torres.text.notation import page_acts
from referee.games.torres.text.report import by_rules, turn_json
from referee.games.torres.verdict import ExplainedBreach, kinds_to_ask, smallest_sets

STATES_LEGAL = 60_000
"""States looked at for a legal sequence."""
STATES = 60_000
"""States looked at for smallest sets."""

_COUNTS = frozenset({CARD_HELD, CARD_FRESH, CARD_BUY})
"""Rules that no field shows broken."""


def judge(position: TorresPosition, observed: TorresBoard, declared: Declared) -> Ruling:
    """Rule on what led from a position to an observed board.

    The details of the ruling hold the points where the turn ended a phase, and the cards of which one explains it.
    Where the search was cut short only what is certain is named, which may be nothing. Raises RequestError for a
    declared leftover that can't be.
    """
    if position.stage != "play":
        return _staged(position, observed)
    scene = TorresScene(position.rules, position.board, observed, position.reserve)
    effort = SearchEffort(STATES_LEGAL)
    suspect = Suspect(position, scene, position.to_move, declared, effort)
    plan = suspect.legal()
    if plan is not None:
        after = following(position, declared, observed, plan.cost)
        acts = page_acts(by_rules(plan.acts), declared)
        ruling = legal(acts, turn_json(plan, position.to_move), after.position, after.scores)
    else:
        ruling = _illegal(suspect) if effort.complete else _undecided(suspect)
    return replace(ruling, states=effort.spent)


def _illegal(suspect: Suspect) -> Ruling:
    """Rule on a turn that no legal sequence explains."""
    position, scene, declared = suspect.position, suspect.scene, suspect.declared
    effort = suspect.effort
    effort.left = STATES
    others = [player for player in position.players if player != position.to_move]
    suspects = [suspect, *(Suspect(position, scene, player, declared, effort) for player in others)]
    sets = smallest_sets(suspects)
    if not effort.complete:
        return _undecided(suspect)
    if not sets:
        return _beyond(suspect)
    first = sets[0]
    player, plan = first.suspect.player, first.found.plan
    return Ruling(
        legal=False,
        violations=_violations(first.suspect, first.lifted, first.found.task, plan),
        alternatives=tuple(in_order(other.lifted) for other in sets[1:]),
        acts=page_acts(by_rules(plan.acts), declared),
        turn=turn_json(plan, player),
        next=None,
        details=_details(suspect, _ask(first)),
    )


def legal(
    acts: tuple[Act, ...],
    turn: Mapping[str, object],
    after: TorresPosition,
    scores: Mapping[KnightColour, PhaseScore] | None = None,
) -> Ruling:
    """Return the ruling on a legal turn, the position after it, and the points where it ended a phase."""
    return Ruling(
        legal=True,
        violations=(),
        alternatives=(),
        acts=acts,
        turn=turn,
        next=after,
        winners=after.winners,
        finished=after.finished,
        details=TorresDetails(scores=scores) if scores is not None else None,
    )


def _undecided(suspect: Suspect) -> Ruling:
    """Rule on a turn of which only what is broken at sight is certain: the search was cut short."""
    return Ruling(False, _certain(suspect), (), (), None, None, complete=False)


def _ask(first: ExplainedBreach) -> tuple[str, ...]:
    return kinds_to_ask(first) if first.lifted == frozenset({CARD_DECLARED}) else ()


def _details(suspect: Suspect, asked: tuple[str, ...]) -> TorresDetails | None:
    """Return what is asked before a turn is called illegal; ``None`` where nothing is."""
    declared = suspect.declared
    unplayed = False
    if declared.card is not None:
        effort = SearchEffort(STATES_LEGAL)
        without = Suspect(suspect.position, suspect.scene, suspect.player, replace(declared, card=None), effort)
        unplayed = without.legal() is not None
    return TorresDetails(asked, unplayed=unplayed) if asked or unplayed else None


def _beyond(suspect: Suspect) -> Ruling:
    """Rule on a turn that no small set of rules explains: besides what is broken at sight, too much was done."""
    lifted = suspect.forced or frozenset({AP_BUDGET})
    violations = _violations(suspect, lifted, suspect.task(lifted, ()), Plan((), 0))
    return Ruling(False, violations, (), (), None, None, details=_details(suspect, ()))


def _certain(suspect: Suspect) -> tuple[Violation, ...]:
    """Return what the boards and the declaration alone show broken, where nothing more was found out."""
    task = suspect.task(suspect.forced, ())
    return _violations(suspect, suspect.forced, task, Plan((), 0))


def _violations(suspect: Suspect, lifted: Lifted, task: TurnTask, plan: Plan) -> tuple[Violation, ...]:
    """Return what the players are told about a turn that breaks some rules."""
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
        fields = at.get(rule) or (() if rule in _COUNTS else suspect.scene.changed)
        words = violation_words(
            TorresBreach(rule, position.rules, suspect.player, position.to_move, fields, declared.card, facts)
        )
        found.append(Violation(rule, tuple(FIELDS[i] for i in fields), words))
    return tuple(found)


def _staged(position: TorresPosition, observed: TorresBoard) -> Ruling:
    result = judge_stage(position, observed)
    player = position.to_move
    if result.next is not None:
        acts = () if result.act is None else ((result.act[0], result.act[1], result.act[1]),)
        return legal(page_acts(acts, Declared()), turn_json(Plan(acts, 0), player), result.next)
    assert result.broken is not None
    words = violation_words(TorresBreach(result.broken, position.rules, player, player, result.fields, None, {}))
    violation = Violation(result.broken, tuple(FIELDS[i] for i in result.fields), words)
    return Ruling(False, (violation,), (), (), None, None)
