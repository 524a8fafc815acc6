"""Views in every language at once: what differs between languages stands as ``{"en": ..., "de": ...}``.

The table makes its page's view once a language; a hall gets one view, as large as one language and its texts.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from referee.values.words import LANGUAGES, Words


def said(words: Words) -> dict[str, str]:
    """Return a sentence in every language."""
    return {language: words.text(language) for language in LANGUAGES}


def joined(views: Mapping[str, JsonValue]) -> JsonValue:
    """Return one view from the same view in each language; what does not differ stands once."""
    first, *others = (views[language] for language in LANGUAGES)
    if all(one == first for one in others):
        return first
    if isinstance(first, dict) and all(isinstance(one, dict) and one.keys() == first.keys() for one in others):
        return {key: joined({name: _at(view, key) for name, view in views.items()}) for key in first}
    if isinstance(first, list) and all(isinstance(one, list) and len(one) == len(first) for one in others):
        return [joined({name: _at(view, at) for name, view in views.items()}) for at in range(len(first))]
    return {language: views[language] for language in LANGUAGES}


def spoken(view: JsonValue, language: str) -> JsonValue:
    """Return a joined view in one language: what ``joined`` was given for it, else the English one.

    The table that joined it may know other languages than whoever reads it.
    """
    if isinstance(view, dict):
        if LANGUAGES[0] in view:
            return view.get(language, view[LANGUAGES[0]])
        return {key: spoken(value, language) for key, value in view.items()}
    return [spoken(value, language) for value in view] if isinstance(view, list) else view


def _at(view: JsonValue, key: str | int) -> JsonValue:
    if isinstance(view, dict) and isinstance(key, str):
        return view[key]
    assert isinstance(view, list)
    assert isinstance(key, int)
    return view[key]
