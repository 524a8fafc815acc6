"""Serves the pages: documents that are the same for everybody; everything on them comes from the API."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, current_app, g, render_template, request

from referee.values.words import Words, say
from web import addons, kinds, packed
from web.contract import Access, endpoint
from web.helptopics import TOPICS
from web.languages import language
from web.problems import ApiError
from web.qr import qr_rows
from web.services import services
from web.tableparts import TableParts


@dataclass(frozen=True, slots=True)
class Trust:
    """A certificate authority of the table's own.

    der: its certificate; fingerprint: SHA-256 as phones show it; secure_host: HOST:PORT of the page over HTTPS.
    """

    der: bytes
    fingerprint: str
    secure_host: str


blueprint = Blueprint("page", __name__)


@endpoint(blueprint, "GET", "/", Access.PUBLIC, "The tablet page", media="text/html")
def table() -> str:
    """Return the table's page; with ``?plain`` each of its modules comes from a file of its own."""
    joined = _joined(packed.APP)
    own = packed.own_folders() if joined else {}
    return render_template(
        "table.html",
        pack=joined,
        modules=packed.pack().ahead(),
        widgets=kinds.parts(kinds.WIDGET),
        addons=addons.files(),
        sheets=kinds.parts(kinds.BOARD, kinds.TABLET),
        own=lambda address: packed.is_own(address, own),
        tour=_tour(services().parts),
    )


def _joined(name: str) -> packed.JoinedPage | None:
    """Return a page's modules joined, and let its import map run; ``None`` where they are asked for one by one."""
    if "plain" in request.args:
        return None
    joined = packed.pack(name)
    g.import_map = joined.policy()
    return joined


def _tour(parts: TableParts) -> str:
    """Return how a first visitor is led: "plays" where the table can play a turn for them, empty without a tour."""
    if not parts.tour:
        return ""
    return "plays" if parts.virtual is not None and parts.virtual.view("en")["ideas"] else "first"


@endpoint(blueprint, "GET", "/setup", Access.PUBLIC, "Setting the table up", media="text/html")
def setup() -> str:
    """Return the page that leads from a table folder to a certificate."""
    return render_template("setup.html", addons=addons.files())


@endpoint(blueprint, "GET", "/mat", Access.PUBLIC, "Showing the mat to the cameras", media="text/html")
def mat() -> str:
    """Return the page on which a mat's places are tapped in a picture."""
    return render_template("mat.html")


@endpoint(
    blueprint,
    "GET",
    "/virtual",
    Access.PUBLIC,
    "A virtual table to play at, where there is one",
    media="text/html",
    refusals=(404,),
)
def virtual() -> str:
    """Return the table that exists in the computer, with the tablet's page beside it."""
    _ = services().virtual  # raises where there is none
    return render_template("virtual.html", widgets=kinds.parts(kinds.VIRTUAL), lent=services().parts.lent)


@endpoint(blueprint, "GET", "/camera", Access.PUBLIC, "A phone as a camera", media="text/html")
def camera() -> str:
    """Return the page that sends what a phone's camera sees; ``?plain`` as of the table's."""
    return render_template("camera.html", pack=_joined("camera"))


@endpoint(blueprint, "GET", "/watch", Access.PUBLIC, "A screen for the room", media="text/html")
def watch() -> str:
    """Return the page for a television or a beamer; with ``?overlay`` what is laid over a film of the table."""
    return render_template(
        "watch.html", widgets=kinds.parts(kinds.WIDGET), sheets=kinds.parts(kinds.BOARD, kinds.ROOM)
    )


@endpoint(blueprint, "GET", "/help", Access.PUBLIC, "What to do about what the page says", media="text/html")
def help_page() -> str:
    """Return all topics on one page, in the language asked for; ``#id`` leads to one."""
    spoken = language()
    return render_template("help.html", topics=TOPICS, language=spoken, say=lambda text: Words(text, ()).text(spoken))


@endpoint(
    blueprint, "GET", "/trust", Access.PUBLIC, "How a device comes to trust the page over HTTPS", media="text/html"
)
def trust() -> str:
    """Return the steps for each kind of device, in the language asked for."""
    ours: Trust | None = current_app.config["TRUST"]
    spoken = language()
    host = request.host.partition(":")[0]
    secure = f"https://{host}:{ours.secure_host.rpartition(':')[2]}/" if ours else ""
    return render_template(
        "trust.html",
        trust=ours,
        secure=secure,
        language=spoken,
        qr=qr_rows(f"{secure}camera"),
        say=lambda text, **values: Words(text, tuple(sorted(values.items()))).text(spoken),
    )


@endpoint(
    blueprint,
    "GET",
    "/authority.crt",
    Access.PUBLIC,
    "The table's certificate authority",
    media="application/x-x509-ca-cert",
    refusals=(404,),
)
def authority() -> Response:
    """Return the certificate to be trusted, as phones install it."""
    ours: Trust | None = current_app.config["TRUST"]
    if ours is None:
        why = say("The table has no certificates yet: “referee https” on its computer makes them.")
        raise ApiError(404, "no-https", why)
    answer = Response(ours.der, mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="referee.crt"'
    return answer


@endpoint(blueprint, "GET", "/sw.js", Access.PUBLIC, "Makes the page an app", media="text/javascript")
def worker() -> Response:
    """Return the service worker; it must lie beside the page to look after it."""
    return current_app.send_static_file("sw.js")
