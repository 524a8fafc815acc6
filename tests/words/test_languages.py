"""A language is there when its catalogue is: offered, spoken, and English where it has no usable text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from referee.values import words
from referee.values.words import LANGUAGES, language_name, languages_in, plural_forms

ROOT = Path(__file__).parents[2]
POLISH = r"""
msgid ""
msgstr ""
"Language: pl\n"
"X-Language-Name: Polski\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 "
"|| n%100>=20) ? 1 : 2);\n"

msgid "Red"
msgstr "Czerwony"

#, fuzzy
msgid "Blue"
msgstr "Zielony"

msgid "{who} wins"
msgstr "{winner} wygrywa"

#: web/static/settings.js
msgid "Language"
msgstr "Język"

#: web/static/situation.js
msgid "{n} field"
msgid_plural "{n} fields"
msgstr[0] "{n} pole"
msgstr[1] "{n} pola"
msgstr[2] "{n} pól"
"""
SPEAKING = """
from referee.daemon import ViewPublisher
from referee.values.words import LANGUAGES, say, say_n
from web.app import create_app

assert {"pl", "pt-BR"} < set(LANGUAGES), LANGUAGES
assert say("Red").text("pl") == "Czerwony"
assert say("{who} wins", who=say("Blue")).text("pl") == "Blue wins"
assert [say_n("{n} field", "{n} fields", n).text("pl") for n in (1, 2, 5)] == ["1 pole", "2 pola", "5 pól"]
assert say("Red").text("pt-BR") == "Red"
client = create_app(ViewPublisher()).test_client()
page = client.get("/setup").text
assert '["pl", "Polski"], ["pt-BR", "pt-BR"]]' in page, page[:300]
for accepted, spoken in (("pl-PL", "pl"), ("pt", "pt-BR"), ("es-MX", "es"), ("xx", "en")):
    assert client.get("/help", headers={"Accept-Language": accepted}).text.count(f'<html lang="{spoken}"') == 1
told = client.get("/api/words?lang=pl").json
assert told["words"] == {"Language": "Język", "{n} field": ["{n} pole", "{n} pola", "{n} pól"]}, told["words"]
assert told["plurals"][:6] == [2, 0, 1, 1, 1, 2]
assert client.get("/api/words?lang=pt-BR").json["words"] == {}
"""


def added(folder: Path, language: str, text: str) -> None:
    """Write a language's catalogue into a folder."""
    path = folder / language / "LC_MESSAGES" / "referee.po"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def test_a_language_that_is_added_as_a_folder_is_spoken(tmp_path: Path) -> None:
    """Half translated, with a text that fits no sentence; and one whose catalogue is broken stops nothing."""
    (tmp_path / "referee" / "locale").mkdir(parents=True)
    for path in [*(ROOT / "referee").iterdir(), *(ROOT / "referee" / "locale").iterdir()]:
        if path.name not in ("locale", "__pycache__"):
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    for room in ("web", "vision", "calibration"):
        (tmp_path / room).symlink_to(ROOT / room)
    added(tmp_path / "referee" / "locale", "pl", POLISH)
    added(tmp_path / "referee" / "locale", "pt_BR", 'msgid "Red"\nVermelho\n')
    done = subprocess.run([sys.executable, "-c", SPEAKING], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "referee.po: not a catalogue of pt-BR" in done.stderr
    assert "shown in English" in done.stderr


def test_each_language_calls_itself_by_its_name() -> None:
    assert LANGUAGES[0] == "en"
    names = {language: language_name(language) for language in LANGUAGES}
    assert names | {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français"} == names


def test_where_there_is_no_catalogue_english_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert languages_in(tmp_path) == ("en",)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    added(tmp_path, "xx", '"Plural-Forms: nplurals=2; plural=import os;\\n"\n')
    assert (language_name("xx"), plural_forms("xx")[:3]) == ("xx", (1, 0, 1))
