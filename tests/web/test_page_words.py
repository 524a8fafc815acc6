"""The page's own sentences: found in its scripts, said in every language, delivered as JSON."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.values.words import LANGUAGES
from web.api.words import page_words

ROOT = Path(__file__).parents[2]
SCRIPTS = [*ROOT.glob("web/static/*.js"), *ROOT.glob("referee/*/*/page/*.js")]
SAID = re.compile(r'\btranslate(N?)\("((?:[^"\\]|\\.)*)"')
SENTENCES = sorted({found for path in SCRIPTS for found in SAID.findall(path.read_text(encoding="utf-8"))})


def test_the_scripts_speak() -> None:
    assert len(SENTENCES) > 100


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_of_a_script_is_delivered(client: FlaskClient, language: str) -> None:
    answer = client.get(f"/api/words?lang={language}").json
    assert answer is not None
    missing = [text for counts, text in SENTENCES if isinstance(answer["words"].get(text), list) is not bool(counts)]
    assert missing == []


def test_english_stands_in_the_scripts() -> None:
    assert page_words("en") == {}
