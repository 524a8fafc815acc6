"""The answer to one request of ``referee check``: the request validated, the turn judged."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.torres.judgement import judge
from referee.games.torres.position.parsing import check_pieces, parse_board, parse_declared, parse_position

KEYS = ("id", "position", "observed", "declared")


def answer(request: Mapping[str, object], language: str = "en") -> dict[str, object]:
    """Rule on one request and return the answer without its id, its sentences in a language.

    Raises RequestError for what is no request.
    """
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
        raise RequestError("finished", "the game is over: there is no turn to judge")
    return judge(position, observed, declared).to_json(language)
