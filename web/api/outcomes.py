"""Answers with the outcome of a command, in the same way for every desk."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flask import Blueprint, Response, jsonify

from referee.values.words import say
from web.api.models import OutcomeAnswer
from web.contract import LARGEST_BODY, Access, Decorator, endpoint
from web.languages import language
from web.problems import ApiError
from web.tableview import Outcome

_ALL_409: Mapping[str, int] = MappingProxyType({})


def command_endpoint(
    blueprint: Blueprint, method: str, rule: str, summary: str, own: bool = False, largest: int = LARGEST_BODY
) -> Decorator:
    """Register a view that does something once, however often it is asked for, and answers what became of it."""
    return endpoint(
        blueprint, method, rule, Access.ACT, summary, answer=OutcomeAnswer, once=True, own=own, largest=largest
    )


def outcome_answer(outcome: Outcome, statuses: Mapping[str, int] = _ALL_409) -> Response:
    """Answer with what was done. Raises ApiError for what was not, 409 where ``statuses`` knows no other.

    statuses: HTTP status by the outcome's code; 503 says that the very same request may do later.
    """
    if not outcome.accepted:
        status = statuses.get(outcome.code, 409)
        later = {"Retry-After": "1"} if status == 503 else None
        raise ApiError(status, outcome.code, outcome.words or say("This can’t be done now."), later)
    return jsonify(words=outcome.words.text(language()) if outcome.words else "", result=dict(outcome.result))


def json_answer(content: bytes) -> Response:
    """Answer with JSON that was made elsewhere."""
    return Response(content, mimetype="application/json")
