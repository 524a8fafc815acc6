"""Takes commands for the table: one address for all of them, each carried out once however often it is sent."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.values.words import say
from web.api.models import CommandBody, OutcomeAnswer
from web.api.outcomes import told
from web.contract import Access, Contract, acting_device, declared
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("commands", __name__)

UNDONE = frozenset({"busy", "closed", "disk"})
"""Refusals that have nothing to do with the game: the same request may well be done a moment later."""


@declared(
    blueprint,
    "POST",
    "/commands/<name>",
    Contract(
        Access.ACT,
        "Tell the table something in the players' name",
        body=CommandBody,
        answer=OutcomeAnswer,
        refusals=(400, 401, 403, 404, 409, 415, 422, 503),
        once=True,
        own=True,
    ),
)
def command(name: str, body: CommandBody) -> Response:
    """Do what the players ask for; 409 with words when the table can't do it now."""
    served = services()
    commands = served.parts.commands
    if commands is None or name not in commands.names():
        raise ApiError(404, "no-command", say("The table knows no such command."))
    if not served.acting.acquire(blocking=False):
        busy = say("The referee is busy with other commands: try again in a moment.")
        raise ApiError(503, "busy", busy, {"Retry-After": "1"})
    try:
        device = acting_device()
        outcome = commands.command(name, body.arguments, device.name, body.seen, device.player)
    finally:
        served.acting.release()
    return told(outcome, dict.fromkeys(UNDONE, 503))
