"""The page's own sentences in a language: what its scripts say, out of the catalogue the referee speaks from."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, jsonify

from referee.values.words import LANGUAGES, LOCALE
from web.api.models import WordsAnswer
from web.contract import Access, Contract, declared
from web.languages import language

blueprint = Blueprint("words", __name__)

OURS = "web/static/"


@declared(blueprint, "GET", "/words", Contract(Access.PUBLIC, "The page's sentences", answer=WordsAnswer))
def words() -> Response:
    """English sentence to sentence; where something is counted, to a list: for one, for more."""
    spoken = language()
    answer = jsonify(language=spoken, words=page_words(spoken))
    answer.headers["Content-Language"] = spoken
    answer.headers["Vary"] = "Accept-Language"
    return answer


@cache
def page_words(spoken: str) -> dict[str, str | list[str]]:
    """The translated sentences of the page's scripts; none for English, which stands in the scripts."""
    if spoken == LANGUAGES[0]:
        return {}
    from babel.messages.pofile import read_po  # only when a page asks for another language

    with (LOCALE / spoken / "LC_MESSAGES" / "referee.po").open("rb") as stream:
        catalogue = read_po(stream, locale=spoken, abort_invalid=True)
    found: dict[str, str | list[str]] = {}
    for message in catalogue:
        if not message.id or message.fuzzy or not any(name.startswith(OURS) for name, _ in message.locations):
            continue
        if isinstance(message.id, str) and message.string:
            found[message.id] = str(message.string)
        elif not isinstance(message.id, str) and message.string and all(message.string):
            found[message.id[0]] = [str(text) for text in message.string]
    return found
