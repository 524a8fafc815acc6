"""Sets a table up: what each camera sees and lacks, the steps, and the check that ends in a certificate."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from referee.certificate.values import Certificate
from referee.values.words import say
from web.api.models import AtQuery, SetupAnswer
from web.api.outcomes import command_endpoint, outcome_answer
from web.api.stills import still
from web.certificate import page
from web.contract import Access, acting_device, endpoint
from web.languages import language
from web.problems import ApiError
from web.services import services

blueprint = Blueprint("setup", __name__)

PAPER = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Content security policy of a certificate: its own style, nothing else."""


@endpoint(blueprint, "GET", "/setup", Access.WATCH, "How far the table is set up", answer=SetupAnswer)
def setup() -> Response:
    """Return each camera's light with its reasons, the steps, and the newest certificate."""
    return jsonify(services().setup.view(language()))


@endpoint(
    blueprint,
    "GET",
    "/setup/pictures/<camera>",
    Access.WATCH,
    "What a camera sees, with the grid at the board and three levels above it",
    media="image/jpeg",
)
def setup_picture(camera: str, query: AtQuery) -> Response:
    """Return a picture of a camera that is at most a second old."""
    return still(services().setup.picture(camera))


@endpoint(
    blueprint,
    "GET",
    "/setup/certificate",
    Access.WATCH,
    "The table's newest certificate, to read and to print",
    media="text/html",
)
def setup_certificate() -> Response:
    """Return the certificate as one page that needs nothing else.

    Its style is in the page, so its policy allows that style and no script.
    """
    kept = services().setup.certificate()
    if kept is None:
        raise ApiError(404, "no-certificate", say("The table has no certificate yet."))
    answer = Response(page(Certificate.from_json(kept), language()), mimetype="text/html")
    answer.headers["Content-Security-Policy"] = PAPER
    return answer


@command_endpoint(blueprint, "POST", "/setup/check", "Check the table with what the cameras see now")
def setup_check() -> Response:
    """Begin a check; what comes of it is told with the set-up, and written into the game's journal."""
    return outcome_answer(services().setup.check(acting_device().name))
