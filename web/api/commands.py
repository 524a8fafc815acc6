"""Telling the table something: one address for every command, done once however often it is sent."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from referee.words import say
from web.api.models import CommandBody, OutcomeAnswer
from web.contract import Access, Contract, acting_device, declared
from web.languages import language
from web.problems import ApiError
from web.tableview import TableCommands

blueprint = Blueprint("commands", __name__)


@declared(
    blueprint,
    "POST",
    "/commands/<name>",
    Contract(
        Access.ACT,
        "Tell the table something in the players' name",
        body=CommandBody,
        answer=OutcomeAnswer,
        refusals=(400, 401, 403, 404, 409, 415, 422),
        once=True,
    ),
)
def command(name: str, body: CommandBody) -> Response:
    """Do what the players ask for; 409 with words when the table can't do it now."""
    commands: TableCommands | None = current_app.extensions["commands"]
    if commands is None or name not in commands.names():
        raise ApiError(404, "no-command", say("The table knows no such command."))
    outcome = commands.command(name, body.arguments, acting_device().name, body.seen)
    if not outcome.accepted:
        raise ApiError(409, outcome.code, outcome.words or say("This can’t be done now."))
    words = outcome.words.text(language()) if outcome.words is not None else ""
    answer = jsonify(words=words, result=dict(outcome.result))
    answer.headers["Cache-Control"] = "no-store"
    return answer
