"""Describes the API for programs: OpenAPI 3.1, made from what every address declares."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from werkzeug.routing import Rule

from referee.values.words import LANGUAGES
from web.api import models
from web.auth.guard import CSRF_HEADER
from web.contract import KEY_HEADER, Access, Contract, contract_of, endpoint
from web.services import services_of

blueprint = Blueprint("description", __name__)

VERSION = "1.0.0"
"""Version of the API: the first number changes when something is taken away or means something else."""

_REASONS = {
    304: "Nothing new since the state or picture you have",
    400: "The request can't be understood",
    401: "Only paired devices may do this",
    403: "Not from this table's page, or without the session's token, or a wrong code",
    404: "There is no such thing",
    409: "The table can't do this now, or what became of an earlier sending is not known",
    413: "The request is too large",
    415: "The request is not JSON",
    422: "The key was used for another request",
    429: "Too many wrong codes, or asked too often: wait as long as Retry-After says",
    503: "So many are listening that this one should poll, or nothing could be written down",
}


@endpoint(blueprint, "GET", "/openapi.json", Access.PUBLIC, "This description")
def openapi() -> Response:
    """Return the description of the API."""
    return jsonify(describe(current_app))


def describe(app: Flask) -> dict[str, Any]:
    """Return the app's API as an OpenAPI document."""
    paths: dict[str, dict[str, Any]] = {}
    used: set[type[BaseModel]] = {models.ProblemAnswer, models.EventAnswer}
    for rule in app.url_map.iter_rules():
        contract = contract_of(app, rule.endpoint) if rule.endpoint != "static" else None
        if contract is None or not rule.rule.startswith("/api/"):
            continue
        used |= {model for model in (contract.body, contract.answer) if model is not None}
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        for method in methods:
            paths.setdefault(path, {})[method.lower()] = _operation(app, rule, contract)
    auth = services_of(app).parts.auth
    _, schemas = models_json_schema(
        [(model, "validation") for model in sorted(used, key=lambda model: model.__name__)],
        ref_template="#/components/schemas/{model}",
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Referee",
            "version": VERSION,
            "description": (
                "A refereed table: its state, its events, and what players tell it. See docs/reference/http.md."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(schemas["$defs"].items())),
            "securitySchemes": {
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": auth.name if auth is not None else "referee",
                    "description": "Set by pairing. Over HTTPS its name begins with __Host-.",
                },
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": CSRF_HEADER,
                    "description": "From GET /api/session; belongs to the session.",
                },
            },
        },
    }


def _operation(app: Flask, rule: Rule, contract: Contract) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": rule.endpoint.split(".")[-1],
        "summary": contract.summary,
        "description": f"{(app.view_functions[rule.endpoint].__doc__ or '').strip()}\n\nFor {contract.access}.",
        "parameters": _parameters(rule, contract),
        "responses": _responses(contract),
        "security": [],
    }
    if contract.access is Access.ACT:
        told["security"] = [{"session": [], "token": []}]
    elif contract.access is Access.WATCH:
        told["security"] = [{}, {"session": []}]
    if contract.body is not None:
        schema = {"$ref": f"#/components/schemas/{contract.body.__name__}"}
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return told


def _parameters(rule: Rule, contract: Contract) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name in sorted(rule.arguments):
        number = f"<int:{name}>" in rule.rule
        schema = {"type": "integer", "minimum": 0} if number else {"type": "string", "minLength": 1}
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    if contract.query is not None:
        for name, schema in contract.query.model_json_schema()["properties"].items():
            found.append({"name": name, "in": "query", "required": False, "schema": schema})
    found.append(
        {
            "name": "lang",
            "in": "query",
            "required": False,
            "description": "Language of the words; else Accept-Language decides.",
            "schema": {"type": "string", "enum": list(LANGUAGES)},
        }
    )
    if contract.once:
        found.append(
            {
                "name": KEY_HEADER,
                "in": "header",
                "required": True,
                "description": "A key of your own for this request. Sent again with it, the first answer comes back.",
                "schema": {"type": "string", "minLength": 8, "maxLength": 64, "pattern": "^[!-~]+$"},
            }
        )
    return found


def _responses(contract: Contract) -> dict[str, Any]:
    answers: dict[str, Any] = {str(contract.status): {"description": "Done"}}
    if contract.answer is not None:
        schema: dict[str, Any] = {"$ref": f"#/components/schemas/{contract.answer.__name__}"}
        answers[str(contract.status)]["content"] = {contract.media: {"schema": schema}}
    elif contract.status != 204:
        schema = {"type": "object"} if contract.media == "application/json" else {"type": "string"}
        answers[str(contract.status)]["content"] = {contract.media: {"schema": schema}}
    for status in sorted(contract.all_refusals()):
        answers[str(status)] = {"description": _REASONS[status]}
        if status != 304:
            schema = {"$ref": f"#/components/schemas/{models.ProblemAnswer.__name__}"}
            answers[str(status)]["content"] = {"application/problem+json": {"schema": schema}}
    return answers
