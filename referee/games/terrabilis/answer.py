"""Answer one request of ``referee check``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.reading import parse_copy
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.reading import parse_acts, parse_observed
from referee.games.terrabilis.judgement import ruling
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.verdict import judge

KEYS = ("id", "position", "copy", "declared", "observed")
REQUIRED = ("position", "copy", "declared")


def answer(request: Mapping[str, object], language: str = "en") -> dict[str, object]:
    """Rule on one request and return the answer without its id. Raises RequestError, saying what to do."""
    case = parse_case(request)
    verdict = judge(case)
    found = ruling(case, verdict)
    return found.to_json(language) if found.undecided else replace(found, questions=()).to_json(language)


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
