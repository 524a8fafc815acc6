"""The page itself: one document, the same for everybody; everything on it comes from the API."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, current_app, render_template

from web.contract import Access, Contract, declared

blueprint = Blueprint("page", __name__)

STATIC = Path(__file__).with_name("static")
APART = ("app.js", "first.js", "setup.js", "stream-worker.js", "sw.js")
"""Scripts that are named for themselves, or that no page loads as a module."""


@declared(blueprint, "GET", "/", Contract(Access.PUBLIC, "The tablet page", media="text/html"))
def table() -> str:
    """The table's page."""
    modules = sorted(path.name for path in STATIC.glob("*.js") if path.name not in APART)
    return render_template("table.html", modules=modules)


@declared(blueprint, "GET", "/setup", Contract(Access.PUBLIC, "Setting the table up", media="text/html"))
def setup() -> str:
    """The page that leads from a table folder to a certificate."""
    return render_template("setup.html")


@declared(blueprint, "GET", "/sw.js", Contract(Access.PUBLIC, "Makes the page an app", media="text/javascript"))
def worker() -> Response:
    """The service worker; it must lie beside the page to look after it."""
    return current_app.send_static_file("sw.js")
