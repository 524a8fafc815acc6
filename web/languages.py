"""Chooses the language in which a request wants its words."""

from __future__ import annotations

from flask import current_app, request

from referee.values.words import LANGUAGES


def language() -> str:
    """Return the language named by ``?lang=``, else the one the browser prefers, else the table's first."""
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        return asked
    first: str = current_app.config["LANGUAGE"]
    return request.accept_languages.best_match(LANGUAGES, first) or first
