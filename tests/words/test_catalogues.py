"""The catalogues hold a text for every sentence of the code and the page, and no other."""

from __future__ import annotations

import ast
import itertools
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

from referee.values.words import LANGUAGES, placeholders
from scripts.messages import KEYWORDS, ROOMS, ROOT, catalogues, names, template, texts, wanted

ADVICE = "run `make messages` and write the texts into the .po files"


@cache
def read() -> dict[Path, Catalog]:
    return dict(catalogues())


@cache
def in_code() -> dict[Any, Message]:
    return {message.id: message for message in template() if message.id}


@cache
def held_by(name: str) -> dict[Any, Message]:
    """Return what a catalogue must hold."""
    return {message.id: message for message in wanted(name) if message.id}


def ids(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def test_every_language_has_a_catalogue() -> None:
    for name in names():
        own = [str(each.locale) for path, each in read().items() if path.stem == name]
        assert own == list(LANGUAGES[1:])
    assert all(path.is_file() for path in read())


@pytest.mark.long
def test_the_code_was_searched() -> None:
    assert "Red" in in_code()
    assert len(in_code()) >= 6


def test_every_sentence_has_a_text_and_every_text_a_sentence() -> None:
    for path, catalogue in read().items():
        held = held_by(path.stem)
        texts_of = {message.id: texts(message) for message in catalogue if message.id}
        assert not [each for each in held if not (texts_of.get(each) and all(texts_of[each]))], (path, ADVICE)
        assert not [each for each in texts_of if each not in held], (path, ADVICE)
        assert not catalogue.obsolete, (path, ADVICE)
        doubtful = [message.id for message in catalogue if message.fuzzy and message.id]
        assert not doubtful, f"{path}: check them, then drop the mark"


def test_a_text_has_the_placeholders_of_its_sentence_and_ends_as_it_does() -> None:
    for path, catalogue in read().items():
        for message in catalogue:
            if not message.id:
                continue
            singular, *plural = ids(message)
            # Only the number may be left out, where the form says it in words.
            spare = {"n"} if plural else set()
            forms = [placeholders(singular), *(placeholders(each) for each in plural)]
            for text in texts(message):
                found = placeholders(text)
                assert any(found <= form <= found | spare for form in forms), f"{path}: {message.id!r}: {text!r}"
                assert text == text.strip(), f"{path}: {message.id!r}: {text!r}"
                assert (text[-1] in ".!?:") == (singular[-1] in ".!?:"), f"{path}: {message.id!r}: {text!r}"
            assert len(texts(message)) == (catalogue.num_plurals if plural else 1), (path, message.id)


def test_no_catalogue_holds_the_texts_of_another() -> None:
    """Two languages may share a text only where it is the English one as well, such as a name, or a single word."""
    known: dict[str, dict[str, tuple[str, ...]]] = {language: {} for language in LANGUAGES[1:]}
    for catalogue in read().values():
        known[str(catalogue.locale)] |= {message.id: texts(message) for message in catalogue if message.id}
    for one, other in itertools.combinations(known.values(), 2):
        same = [each for each in in_code() if one.get(each) == other.get(each)]
        worded = [each for each in same if re.search(r"[^\W\d_] +[^\W\d_]", re.sub(r"\{\w+\}", "", str(each)))]
        assert [each for each in worded if one.get(each) != ids(in_code()[each])] == []


FRENCH_VOUS = re.compile(
    r"\b(?!assez\b|chez\b|nez\b)\w+ez\b|\bvous\b|\bv(?:otre|os|ôtres?)\b|\b(?:dites|faites)\b[ -]", re.I
)
FRENCH_PAIRED = re.compile(r"appair|appari|jumel|couplé|coupler", re.I)
"""Words for *paired* beside *associé*."""


def test_french_uses_tu_and_one_word_for_paired() -> None:
    french = [catalogue for catalogue in read().values() if str(catalogue.locale) == "fr"]
    said = [text for catalogue in french for message in catalogue if message.id for text in texts(message)]
    assert said
    assert [text for text in said if FRENCH_VOUS.search(text) or FRENCH_PAIRED.search(text)] == []


SPANISH_AVOIDED = re.compile(
    r"\b(?:usted(?:es)?|vosotr[oa]s|vuestr[oa]s?|os|cog(?:er|es?)|(?:orden|comput)ador\w*|móvil(?:es)?|celular\w*)\b",
    re.I,
)
"""Forms beside *tú*, and words that are not understood, or not the same, on both sides of the Atlantic."""


def test_spanish_uses_tu_and_words_of_every_country() -> None:
    spanish = [catalogue for catalogue in read().values() if str(catalogue.locale) == "es"]
    said = [text for catalogue in spanish for message in catalogue if message.id for text in texts(message)]
    assert said
    assert [text for text in said if SPANISH_AVOIDED.search(text)] == []
    asked = [re.sub(r"\(\?\)|\?(?=lang|theme)", "", text) for text in said]  # signs in a picture and in an address
    assert [text for text in asked if text.count("¿") != text.count("?") or text.count("¡") != text.count("!")] == []


@pytest.mark.long
def test_sentences_are_literal() -> None:
    """Only sentences written out in the call are found in the code; one put together elsewhere has no text."""
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                    for argument in node.args[: 2 if node.func.id == "say_n" else 1]:
                        literal = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                        assert literal, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_sentences_have_good_placeholders() -> None:
    for message in in_code().values():
        for sentence in ids(message):
            placeholders(sentence)


def test_catalogues_stand_where_the_package_takes_them() -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"*.po"' in settings
