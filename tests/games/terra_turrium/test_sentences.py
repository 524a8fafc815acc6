"""The sentences of the engine: each rule, edition and language has one, with the paragraph it rests on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from referee.cli import main
from referee.games.contract import RuleId
from referee.games.terra_turrium.colours import Colour, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.ruleset import (
    CAPTURE_CLOSED,
    CAPTURE_QUOTA,
    PREFERENCE,
    TURN_PHASE,
    RuleSet,
    rule_set,
)
from referee.games.terra_turrium.text import act_messages, messages, paragraphs
from referee.games.terra_turrium.text.messages import Breach, violation_words
from referee.games.terra_turrium.text.paragraphs import paragraph
from referee.values.words import LANGUAGES, Words
from tests.games.terra_turrium.positions import after, position

TABLES = [
    ("kosmos-1990", players, variants)
    for players, variants in [
        (2, ""),
        (3, ""),
        (4, ""),
        (4, "pro"),
        (4, "handicap"),
        (4, "team"),
        (4, "team handicap"),
        (2, "pro handicap"),
    ]
] + [("ludibay-fr", players, variants) for players in (2, 3, 4) for variants in ("", "burgenland")]
RULES = [rule_set(edition, count, frozenset(names.split()), "path", "allowed") for edition, count, names in TABLES]
HEADINGS = {
    "kosmos-1990": {
        "Vorbereitung",
        "Spielablauf",
        "Bausteine nehmen",
        "Türme bauen",
        "Turrianer ziehen",
        "Turrianer schlagen",
        "Geschlagene Turrianer einsetzen",
        "Teamspiel",
    },
    "ludibay-fr": {
        "Préparation",
        "Déroulement du jeu",
        "Prendre un ou plusieurs cubes",
        "Poser le ou les cubes",
        "Déplacer un drapeau",
        "Capturer un drapeau",
        "Attaquer et défendre",
        "Remettre en jeu un drapeau capturé",
        "Variante de Burgenland",
    },
}
SHEETS = {
    "kosmos-1990": {
        "en": "German rule sheet: “{}”",
        "de": "deutsche Spielregel: „{}“",
        "es": "hoja de reglas alemana: “{}”",
        "fr": "règle allemande : « {} »",
    },
    "ludibay-fr": {
        "en": "French rule sheet: “{}”",
        "de": "französische Spielregel: „{}“",
        "es": "hoja de reglas francesa: “{}”",
        "fr": "règle française : « {} »",
    },
}


def broken(rules: RuleSet) -> list[RuleId]:
    """Return the rules that can be broken at a table; turn.phase has sentences of its own."""
    captures = (CAPTURE_CLOSED, CAPTURE_QUOTA)
    return [rule for rule in PREFERENCE if rule != TURN_PHASE and (rules.opening or rule not in captures)]


BROKEN = [(rules, rule) for rules in RULES for rule in broken(rules)]


def read(words: Words) -> Iterator[tuple[str, str]]:
    """Yield the sentence in each language; it has no braces, and is another one in each."""
    texts = {language: words.text(language) for language in LANGUAGES}
    assert len(set(texts.values())) == len(LANGUAGES), texts
    for language, text in texts.items():
        assert not set(text) & set("{}"), text
        assert "  " not in text
        assert text.endswith(".")
        yield language, text.replace("\u00a0", " ")


@given(
    st.sampled_from(BROKEN),
    st.sampled_from(Colour),
    st.sampled_from(Colour),
    st.lists(st.integers(0, 99), max_size=12, unique=True),
    st.fixed_dictionaries({key: st.integers(0, 9) for key in ("taken", "placed", "fewer", "reserve", "points")}),
)
def test_every_broken_rule_has_a_sentence_in_every_language(
    case: tuple[RuleSet, RuleId], player: Colour, to_move: Colour, fields: list[int], facts: dict[str, int]
) -> None:
    rules, rule = case
    words = violation_words(Breach(rule, rules, player, to_move, tuple(fields), facts))
    assert Words.from_json(json.loads(json.dumps(words.to_json()))) == words
    heading = paragraph(rule, rules)
    assert heading in HEADINGS[rules.edition]
    for language, text in read(words):
        assert f"({SHEETS[rules.edition][language].format(heading)})." in text
        named = text.split(heading)[0]
        for field in fields[:8] if "taken" not in str(rule) and facts["taken"] else []:
            assert messages.FIELDS[field].name in named


@pytest.mark.parametrize("rules", RULES, ids=["-".join(map(str, table)) for table in TABLES])
def test_every_other_sentence_in_every_language(rules: RuleSet) -> None:
    red = Colour.RED
    sheet_words = [
        messages.setup_height(44, 1, 2, rules),
        messages.setup_height(44, 1, 0, rules),
        messages.setup_flag_foreign(3, red, rules),
        messages.setup_flag_idle(3, red, rules),
        messages.setup_flag_ground(3, red, rules),
        messages.setup_flag_count(red, 5, rules),
        messages.act_out_of_phase("-A1", "+B2", rules),
        messages.out_of_phase(red, True, (1,), (2,), rules),
        messages.out_of_phase(red, False, (1,), (2,), rules),
        act_messages.no_cube(3, rules),
        act_messages.no_flag(3, red, rules),
        act_messages.no_step(3, 5, rules),
        act_messages.shared_field(3, rules),
        act_messages.empty_hand(3, red, rules),
        act_messages.nothing_to_capture(3, rules),
        act_messages.captured_mate(3, rules),
    ]
    for words in sheet_words:
        for language, text in read(words):
            start = SHEETS[rules.edition][language].split("{}", maxsplit=1)[0]
            heading = text.split(start)[1].rstrip("“”»). ")
            assert heading in HEADINGS[rules.edition], text
    for words in (
        messages.FINISHED,
        messages.GAME_OVER,
        act_messages.too_tall(3, 35),
        act_messages.returned_cube((3,)),
    ):
        assert list(read(words))


def test_team_rules_are_cited_where_the_sheet_says_them_anew() -> None:
    team = rule_set("kosmos-1990", 4, frozenset({"team"}), "path", "allowed")
    plain = rule_set("kosmos-1990", 4, frozenset(), "path", "allowed")
    told = {rule: (paragraph(rule, plain), paragraph(rule, team)) for rule in broken(plain)}
    assert {rule: headings for rule, headings in told.items() if headings[0] != headings[1]} == {
        "take.territory": ("Bausteine nehmen", "Teamspiel"),
        "move.own": ("Turrianer ziehen", "Teamspiel"),
    }


GOLDEN = json.loads((Path(__file__).parent / "data" / "sentences.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN, ids=[case["rule"] for case in GOLDEN])
def test_sentences_as_players_read_them(case: dict[str, Any], tmp_path: Path) -> None:
    data = position(**case["game"])
    request = {"id": 1, "position": data, "observed": after(data["board"], *case["acts"])}
    file = tmp_path / "turn.jsonl"
    file.write_text(json.dumps(request), encoding="utf-8")
    for language in sorted(case.keys() & set(LANGUAGES)):
        result = CliRunner().invoke(main, ["check", "--language", language, str(file)])
        assert result.exit_code == 1
        (violation,) = json.loads(result.stdout)["violations"]
        assert (violation["rule"], violation["message"].replace("\u00a0", " ")) == (case["rule"], case[language])
    plain = json.loads(CliRunner().invoke(main, ["check", str(file)]).stdout)
    assert plain["violations"][0]["message"] == case["en"]


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        (
            ("-B6", "-C6"),
            "There are 2 cubes fewer on the board than before the turn of Red (B6 and C6): every cube taken ",
        ),
        (
            ("+B6", "+C6"),
            "There are 2 cubes more on the board than before the turn of Red (B6 and C6): none from outside ",
        ),
    ],
)
def test_cubes_that_are_missing_or_too_many_are_told_as_they_are_seen(acts: tuple[str, ...], told: str) -> None:
    game = GAME.position(position())
    ruling = GAME.check(game, parse_board(after(position()["board"], *acts)))
    assert [violation.rule for violation in ruling.violations] == ["cubes.conserved"]
    assert ruling.violations[0].words.text().startswith(told)


def test_a_finished_game_is_refused_in_the_language_asked_for(tmp_path: Path) -> None:
    data = position(finished=True, winners=["red"], final_round=True)
    file = tmp_path / "turn.jsonl"
    file.write_text(json.dumps({"id": 1, "position": data, "observed": data["board"]}), encoding="utf-8")
    answer = json.loads(CliRunner().invoke(main, ["check", "--language", "de", str(file)]).stdout)
    assert answer == {"id": 1, "error": {"code": "finished", "message": "Das Spiel ist zu Ende: Ein neues beginnen."}}


def test_an_unknown_language_is_refused() -> None:
    result = CliRunner().invoke(main, ["check", "--language", "xx"])
    assert (result.exit_code, f"'xx' is not one of {', '.join(map(repr, LANGUAGES))}" in result.stderr) == (2, True)


def test_headings_are_those_of_the_sheets() -> None:
    assert {edition: set(headings) for edition, headings in paragraphs._SHEETS.items()} == {
        edition: headings - {"Teamspiel", "Variante de Burgenland"} for edition, headings in HEADINGS.items()
    }


def test_seats_in_german() -> None:
    red = GAME.seats(GAME.position(position()))[0]
    assert [counter.words.text("de") for counter in red.counters] == ["Angriffe", "auf Hand"]
    assert red.goal is not None
    assert red.goal.text("de") == "Türme 1 von 6-5-4-3-2-1"


def test_a_set_up_is_told_in_french() -> None:
    start = GAME.position(position())
    found = GAME.setup_differences(start, parse_board(after(position()["board"], "-E5")))
    assert [violation.words.text("fr").replace("\u00a0", " ") for violation in found] == [
        "E5 commence avec 2 cubes, mais on y compte 1 (règle allemande : « Vorbereitung »)."
    ]
