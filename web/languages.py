"""Chooses the language in which a request wants its words."""

from __future__ import annotations

from flask import Flask, current_app, request

from referee.values.words import LANGUAGES, language_name


def language() -> str:
    """Return the language named by ``?lang=``, else the one the browser prefers, else the table's first."""
    asked = request.args.get("lang", "")
    if asked in LANGUAGES:
        return asked
    first: str = current_app.config["LANGUAGE"]
    return request.accept_languages.best_match(LANGUAGES, first) or first


def offer(app: Flask) -> None:
    """Have an app's pages know the languages there are: each by its code, with what it calls itself."""
    app.jinja_env.globals["languages"] = {each: language_name(each) for each in LANGUAGES}
