"""The page itself: one document, the same for everybody; everything on it comes from the API."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.contract import Access, Contract, declared

blueprint = Blueprint("page", __name__)


@declared(blueprint, "GET", "/", Contract(Access.PUBLIC, "The tablet page", media="text/html"))
def table() -> str:
    """The table's page."""
    return render_template("table.html")
