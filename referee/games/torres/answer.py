"""The answer to one request of ``referee check``."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.torres.board import TorresBoard
from referee.games.torres.following import Outcome, following
from referee.games.torres.geometry import NAMES
from referee.games.torres.position import Declared, TorresPosition
from referee.games.torres.reading import check_pieces, parse_board, parse_declared, parse_position
from referee.games.torres.ruleset import CARD_DECLARED, in_order
from referee.games.torres.search import Effort
from referee.games.torres.stages import judge_stage
from referee.games.torres.suspect import Suspect
from referee.games.torres.task import Act, Plan, Scene
from referee.games.torres.verdict import kinds_to_ask, smallest_sets
from referee.ruling import RequestError

STATES_LEGAL = 100_000
STATES = 60_000
KEYS = ("id", "position", "observed", "declared")


def act_json(act: Act) -> dict[str, object]:
    kind, a, b = act
    if kind in ("build", "place"):
        return {kind: NAMES[a]}
    if kind in ("move", "door") :
        return {kind: NAMES[a], "to": NAMES[b]}
    if kind in ("card.extra", "card.under"):
        return {"card": kind.removeprefix("card."), "build": NAMES[a]}
    return {"card": kind.removeprefix("card."), "from": NAMES[a], "to": NAMES[b]}


def answer(request: Mapping[str, object]) -> dict[str, object]:
    for key in request:
        if key not in KEYS:
            raise RequestError("request", f"unknown key {key[:40]!r}: a request has {', '.join(KEYS)}")
    for key in ("position", "observed"):
        if key not in request:
            raise RequestError("request", f"key {key!r} is missing: a request has position and observed")
    position = parse_position(request["position"])
    observed = parse_board(request["observed"], "observed")
    check_pieces(observed, position.players, "observed")
    declared = parse_declared(request.get("declared"), position)
    if position.finished:
        raise RequestError("finished", "the game is over")
    if position.stage != "play":
        res = judge_stage(position, observed)
        if res.broken:
            return {"legal": False, "violations": [{"rule": res.broken, "fields": [NAMES[i] for i in res.fields], "message": "x"}],
                    "alternatives": [], "turn": None, "next": None, "winners": [], "finished": False}
        return {"legal": True, "violations": [], "alternatives": [], "turn": None, "next": res.next.to_json(), "winners": [], "finished": False}
    scene = Scene(position.rules, position.board, observed, position.reserve)
    effort = Effort(STATES_LEGAL)
    suspect = Suspect(position, scene, position.to_move, declared, effort)
    if not suspect.forced:
        for task in suspect.tasks(frozenset()):
            search = suspect.search(task)
            plan = search.cheapest() if search else None
            if plan is not None:
                out = following(position, declared, observed, plan.cost)
                ans = {"legal": True, "violations": [], "alternatives": [], "turn": turn(plan, position.to_move), "next": out.position.to_json(),
                        "winners": list(out.position.winners), "finished": out.position.finished}
                if out.scores is not None:
                    ans["scores"] = {p: s.to_json() for p, s in out.scores.items()}
                return ans
    effort.left = STATES
    suspects = [suspect] + [Suspect(position, scene, p, declared, effort) for p in position.players if p != position.to_move]
    sets = smallest_sets(suspects)
    ans = {"legal": False, "alternatives": [list(in_order(e.lifted)) for e in sets[1:]], "next": None, "winners": [], "finished": False, "turn": None, "violations": []}
    if not effort.complete: ans["complete"] = False
    if sets:
        first = sets[0]
        ans["violations"] = [{"rule": r, "fields": [], "message": "x"} for r in in_order(first.lifted)]
        ans["turn"] = turn(first.found.plan, first.found.task.player)
        if first.lifted == frozenset({CARD_DECLARED}):
            ans["ask"] = list(kinds_to_ask(first))
    ans["_states"] = STATES - effort.left
    return ans


def turn(plan: Plan, player: str) -> dict[str, object]:
    return {"player": player, "acts": [act_json(a) for a in plan.acts], "cost": plan.cost}
