"""One request of ``referee check``, answered."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.reading import parse_copy
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.reading import act_json, parse_acts, parse_observed
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.replay.whole import position_after, title_of
from referee.games.terrabilis.ruleset import in_order
from referee.games.terrabilis.text.messages import violations
from referee.games.terrabilis.verdict import LedgerVerdict, judge

KEYS = ("id", "position", "copy", "declared", "observed")
REQUIRED = ("position", "copy", "declared")


def answer(request: Mapping[str, object], language: str = "en") -> dict[str, object]:
    """Rule on one request and return the answer without its id. Raises RequestError, saying what to do."""
    case = parse_case(request)
    return answer_json(case, judge(case), language)


def parse_case(request: Mapping[str, object]) -> TurnCase:
    """Validate a request. Raises RequestError, naming the key."""
    for key in request:
        if key not in KEYS:
            raise RequestError("request", f"unknown key {key[:40]!r}: a request has {', '.join(KEYS)}")
    for key in REQUIRED:
        if key not in request:
            raise RequestError("request", f"key {key!r} is missing: a request has {', '.join(REQUIRED)}")
    copy = parse_copy(request["copy"])
    position = parse_position(request["position"], copy)
    if position.finished:
        raise RequestError("finished", "position: the game is over, start a new one")
    acts = parse_acts(request["declared"], position.players, copy)
    observed = parse_observed(request.get("observed", {}), position.players, copy)
    return TurnCase(position, copy, acts, observed)


def answer_json(case: TurnCase, verdict: LedgerVerdict, language: str = "en") -> dict[str, object]:
    """The answer to a judged turn, its sentences in a language."""
    turn = verdict.replay.turn
    after = position_after(turn) if verdict.legal else None
    winners = [who.word for who in after.winners] if after else []
    data: dict[str, object] = {
        "legal": verdict.legal,
        "violations": [violation.to_json(language) for violation in violations(verdict)],
        "alternatives": [list(in_order(lifted)) for lifted in verdict.sets[1:]],
        "turn": {
            "player": turn.player.word,
            "acts": [act_json(act) for act in case.acts],
            "entries": [entry.to_json() for entry in turn.books.entries],
        },
        "next": after.to_json() if after else None,
        "winners": winners,
        "finished": bool(after and after.finished),
    }
    if verdict.legal is None:
        data["offers"] = [offer.to_json() for offer in verdict.offers]
    if winners:
        data["title"] = title_of(turn)
    return data if verdict.complete else data | {"complete": False}
