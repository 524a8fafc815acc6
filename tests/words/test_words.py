"""Words: what is filled in, how it reads in each language, and the way through JSON."""

from __future__ import annotations

import json
import re
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.terra_turrium.colours import Colour
from referee.values.board import Field
from referee.values.words import LANGUAGES, MOST_NAMES, Value, Words, WordsError, placeholders, say, say_n, verbatim
from tests.untyped import untyped
from web.api.words import page_words

FIELDS = tuple(Field.from_name(name) for name in ("A1", "A2", "B3"))
TEN = tuple(Field(0, col) for col in range(10))


@pytest.mark.parametrize(
    ("value", "english", "german", "spanish", "french"),
    [
        pytest.param("J. Doe", "J. Doe", "J. Doe", "J. Doe", "J. Doe", id="text stays as it is"),
        pytest.param("{who}", "{who}", "{who}", "{who}", "{who}", id="text is not filled in again"),
        pytest.param(3, "3", "3", "3", "3", id="number"),
        pytest.param(Colour.GREEN, "Green", "Grün", "Verde", "Vert", id="player"),
        pytest.param(FIELDS[0], "A1", "A1", "A1", "A1", id="field"),
        pytest.param(FIELDS[:1], "A1", "A1", "A1", "A1", id="one field"),
        pytest.param(FIELDS[:2], "A1 and A2", "A1 und A2", "A1 y A2", "A1 et A2", id="two fields"),
        pytest.param(FIELDS, "A1, A2 and B3", "A1, A2 und B3", "A1, A2 y B3", "A1, A2 et B3", id="three fields"),
        pytest.param(
            TEN,
            "A1, B1, C1, D1, E1, F1, G1, H1 and 2 more",
            "A1, B1, C1, D1, E1, F1, G1, H1 und 2 weitere",
            "A1, B1, C1, D1, E1, F1, G1, H1 y 2 más",
            "A1, B1, C1, D1, E1, F1, G1, H1 et 2 autres",
            id="many fields",
        ),
        pytest.param(
            (Colour.RED, Colour.BLUE), "Red and Blue", "Rot und Blau", "Rojo y Azul", "Rouge et Bleu", id="players"
        ),
        pytest.param(say("{who}", who=Colour.RED), "Red", "Rot", "Rojo", "Rouge", id="words in words"),
    ],
)
def test_values_in_each_language(value: Value, english: str, german: str, spanish: str, french: str) -> None:
    words = Words("<{it}>", (("it", value),))
    assert [words.text(language) for language in LANGUAGES] == [
        f"<{text}>" for text in (english, german, spanish, french)
    ]


def test_a_longer_list_names_only_some() -> None:
    assert len(TEN) > MOST_NAMES
    assert Words("{at}", (("at", TEN[:MOST_NAMES]),)).text() == "A1, B1, C1, D1, E1, F1, G1 and H1"
    assert Words("{at}", (("at", TEN[: MOST_NAMES + 1]),)).text("fr").endswith("H1 et 1 autre")


def test_the_number_chooses_the_form_of_each_language() -> None:
    english = [say_n("{n} cube", "{n} cubes", n).text() for n in (0, 1, 2)]
    assert english == ["0 cubes", "1 cube", "2 cubes"]
    catalogue = [
        Words("{names} and {n} more", (("n", n), ("names", "A1")), "{names} and {n} more").text("fr")
        for n in (0, 1, 2)
    ]
    assert catalogue == ["A1 et 0 autre", "A1 et 1 autre", "A1 et 2 autres"], "French counts 0 as one"


def test_no_translation_falls_back_to_english() -> None:
    words = Words("Nobody translated {it}.", (("it", Colour.RED),))
    assert words.text("de") == "Nobody translated Rot."
    assert words.text() == str(words)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Words("{a} and {b}", (("a", 1),)), "b"),
        (lambda: Words("{a}", (("a", 1), ("b", 2))), "b"),
        (lambda: Words("{a}", (("a", 1), ("a", 2))), "twice"),
        (lambda: Words("{a.b}", (("a", 1),)), "brace"),
        (lambda: Words("{A}", (("A", 1),)), "brace"),
        (lambda: Words("a }"), "brace"),
        (lambda: Words("cube", (), "cubes"), "n must be a number"),
        (lambda: Words("cube", (("n", "3"),), "cubes"), "n must be a number"),
        (lambda: say("{at}", at=()), "empty"),
        (lambda: Words("{at}", (("at", True),)), "bool"),
        (lambda: Words("{at}", (("at", untyped([1])),)), "list"),
        (lambda: Words("{at}", (("at", untyped((1.5,))),)), "float"),
        (lambda: say("yes").text("nl"), "'nl' is no language"),
    ],
)
def test_words_that_do_not_fit_are_refused(make: Any, told: str) -> None:
    with pytest.raises(WordsError, match=told):
        make()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "not nothing"),
        ("sentence", "not a str"),
        ({}, "template of words is text, not nothing"),
        ({"template": 3}, "template of words is text"),
        ({"template": "a", "plural": 3}, "plural of words is text"),
        ({"template": "a", "values": []}, "values of words are an object"),
        ({"template": "a", "language": "de"}, "no 'language'"),
        ({"template": "{a}", "values": {"a": 1.5}}, "not a float"),
        ({"template": "{a}", "values": {"a": None}}, "not nothing"),
        ({"template": "{a}", "values": {"a": {"colour": ""}}}, "no .colour."),
        ({"template": "{a}", "values": {"a": {"field": "1A"}}}, "1A"),
        ({"template": "{a}", "values": {"a": {"field": "A1", "colour": "red"}}}, "no 'colour'"),
        ({"template": "{a}", "values": {"a": [[1]]}}, "not a list"),
        ({"template": "{a}"}, "differ: a"),
    ],
)
def test_json_that_is_no_words_is_refused(data: object, told: str) -> None:
    with pytest.raises(WordsError, match=told):
        Words.from_json(data)


ONE = st.one_of(
    st.text(),
    st.integers(),
    st.sampled_from(Colour),
    st.builds(Field, st.integers(0, 9), st.integers(0, 9)),
)
VALUE = st.one_of(ONE, st.lists(ONE, min_size=1, max_size=12).map(tuple))
NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=5).filter(lambda name: name != "n")


@st.composite
def some_words(draw: st.DrawFn) -> Words:
    values: dict[str, Any] = draw(st.dictionaries(NAMES, st.one_of(VALUE, st.builds(say, st.just("Red")))))
    text = draw(st.text(st.characters(exclude_characters="{}"), min_size=1))
    template = text + "".join(f"{{{name}}}" for name in values)
    plural = draw(st.none() | st.just("{n} " + template))
    if plural is not None:
        values["n"] = draw(st.integers(0, 100))
    return Words(template, tuple(sorted(values.items(), key=lambda item: item[0])), plural)


@pytest.mark.long
@given(some_words())
def test_words_go_through_json(words: Words) -> None:
    back = Words.from_json(json.loads(json.dumps(words.to_json())))
    assert back == words
    assert hash(back) == hash(words)
    assert [back.text(language) for language in LANGUAGES] == [words.text(language) for language in LANGUAGES]


@given(st.dictionaries(NAMES, st.text(string.ascii_letters), min_size=1))
def test_every_value_stands_in_the_sentence(values: dict[str, str]) -> None:
    template = " ".join(f"{{{name}}}" for name in values)
    assert placeholders(template) == values.keys()
    for language in LANGUAGES:
        assert say(template, **values).text(language) == " ".join(values.values())


@given(st.text())
def test_verbatim_text_is_the_same_everywhere(text: str) -> None:
    words = Words.from_json(verbatim(text).to_json())
    assert {words.text(language) for language in LANGUAGES} == {text}


def test_in_french_no_line_breaks_before_a_high_sign() -> None:
    """Nor within its quotation marks: neither in the table's sentences nor in the page's own."""
    told = say("{name}: {value}", name="A", value="b")
    assert (told.text("fr"), told.text("de")) == ("A\N{NO-BREAK SPACE}: b", "A: b")
    texts = [text for found in page_words("fr").values() for text in ([found] if isinstance(found, str) else found)]
    assert any("\N{NO-BREAK SPACE}:" in text for text in texts)
    assert not [text for text in texts if re.search(r" [:;!?»]|« ", text)]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (999, ["999", "999", "999", "999"]),
        (9999, ["9,999", "9.999", "9.999", "9\N{NARROW NO-BREAK SPACE}999"]),
        (22000, ["22,000", "22.000", "22.000", "22\N{NARROW NO-BREAK SPACE}000"]),
        (
            -1234567,
            ["-1,234,567", "-1.234.567", "-1.234.567", "-1\N{NARROW NO-BREAK SPACE}234\N{NARROW NO-BREAK SPACE}567"],
        ),
    ],
)
def test_large_numbers_are_written_in_groups(number: int, told: list[str]) -> None:
    assert [say("{n}", n=number).text(language) for language in LANGUAGES] == told
