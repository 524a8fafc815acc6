"""Serves the page's own sentences in a language: what its scripts say, from the referee's catalogue."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path

from flask import Blueprint, Response, jsonify

from referee.addons import addon_names, addon_page
from referee.kinds import kind_names, page_folder
from referee.values.words import LANGUAGES, LOCALE, WordsError, catalogue_file, plural_forms, read_catalogue
from web.api.models import WordsAnswer
from web.contract import Access, endpoint
from web.languages import language

blueprint = Blueprint("words", __name__)

SCRIPT = re.compile(r"(?:web/static|(?:[\w-]+/)+page)/")
"""Files whose sentences a page says: its own scripts, and those of kinds and add-ons."""


@endpoint(blueprint, "GET", "/words", Access.PUBLIC, "The page's sentences", answer=WordsAnswer)
def words() -> Response:
    """Return English sentence to sentence; where something is counted, to a list of the language's plural forms."""
    spoken = language()
    answer = jsonify(language=spoken, words=page_words(spoken), plurals=plural_forms(spoken))
    answer.headers["Content-Language"] = spoken
    answer.headers["Vary"] = "Accept-Language"
    return answer


@cache
def page_words(spoken: str) -> dict[str, str | list[str]]:
    """Return the translated sentences of the page's scripts; none for English, which is written in the scripts."""
    if spoken == LANGUAGES[0]:
        return {}
    found: dict[str, str | list[str]] = {}
    for path in _catalogues(spoken):
        with suppress(WordsError):  # the sentences themselves say so in the log
            for message in read_catalogue(path, spoken):
                if message.translated() and any(SCRIPT.match(name) for name, _ in message.occurrences):
                    plural = [message.msgstr_plural[index] for index in sorted(message.msgstr_plural)]
                    found[message.msgid] = plural or message.msgstr
    return found


def _catalogues(spoken: str) -> list[Path]:
    """Return the files with the page's sentences: the referee's, then what other distributions bring."""
    pages = (*map(page_folder, kind_names()), *map(addon_page, addon_names()))
    folders = (catalogue_file(page.parent / "locale", spoken).parent for page in pages if page is not None)
    return [catalogue_file(LOCALE, spoken), *chain.from_iterable(sorted(folder.glob("*.po")) for folder in folders)]
