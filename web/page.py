"""The page itself: one document, the same for everybody; everything on it comes from the API."""

from __future__ import annotations

from flask import Blueprint, render_template

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
def table() -> str:
    """The table's page."""
    return render_template("table.html")
