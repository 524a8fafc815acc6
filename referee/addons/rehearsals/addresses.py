"""Lead through a rehearsal from the set-up page."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response

from referee.addons.rehearsals.rehearsing import Rehearsing
from referee.values.words import say
from web.api.outcomes import command_endpoint, outcome_answer
from web.contract import acting_device
from web.problems import ApiError
from web.services import services
from web.tableview import Outcome

blueprint = Blueprint("rehearsals", __name__)
_NO_STEP = say("There is no such step.")


@command_endpoint(blueprint, "POST", "/setup/rehearsal/<step>", "Lead through a rehearsal of the table")
def setup_rehearsal(step: str) -> Response:
    """Do one step: begin, check (the short one), look, skip or stop. What comes of it is told with the set-up."""
    _ = services().setup  # raises where there are no cameras
    desk, by = services().of(Rehearsing, "no-step", _NO_STEP), acting_device().name
    steps: dict[str, Callable[[], Outcome]] = {
        "begin": lambda: desk.begin(short=False),
        "check": lambda: desk.begin(short=True),
        "look": lambda: desk.look(by),
        "skip": lambda: desk.skip(by),
        "stop": desk.stop,
    }
    if step not in steps:
        raise ApiError(404, "no-step", _NO_STEP)
    return outcome_answer(steps[step]())
