"""Takes commands for the table: one address for all of them, each carried out once however often it is sent."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.values.words import say
from web.api.models import CommandBody
from web.api.outcomes import command_endpoint, outcome_answer
from web.contract import acting_device
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("commands", __name__)

UNDONE = frozenset({"busy", "closed", "disk"})
"""Refusals that have nothing to do with the game: the same request may well be done a moment later."""


@command_endpoint(blueprint, "POST", "/commands/<name>", "Tell the table something in the players' name", own=True)
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
    return outcome_answer(outcome, dict.fromkeys(UNDONE, 503))
