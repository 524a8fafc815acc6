"""Every rule has a sentence, in three languages, that names who and where."""

from __future__ import annotations

import pytest

from referee.games.turris.bars import BarColour
from referee.games.turris.cells import parse_cell
from referee.games.turris.messages import BrokenRule, violation_words
from referee.games.turris.paragraphs import paragraph
from referee.games.turris.ruleset import BIT, OPTIONS, PLAN_FOOTPRINT, PREFERENCE, TurrisRules, in_order, preference
from tests.games.turris.positions import ask, built

NAMED = [rule for rule in PREFERENCE if rule != PLAN_FOOTPRINT]


def sentence(rule: str, cells: tuple[int, ...], language: str = "en", **options: str) -> str:
    found = next(each for each in PREFERENCE if each == rule)
    return violation_words(BrokenRule(found, TurrisRules(options), BarColour.LIGHT, BarColour.DARK, cells)).text(
        language
    )


@pytest.mark.parametrize("rule", NAMED)
def test_every_rule_has_a_sentence_with_its_cells_and_source(rule: str) -> None:
    said = sentence(rule, (parse_cell("b2.4"), parse_cell("c2.4")))
    assert paragraph(next(each for each in PREFERENCE if each == rule)) in said
    assert said.endswith(").")
    if rule not in ("turn.pass", "turn.order"):
        assert "b2.4 and c2.4" in said
    if rule != "bar.fixed":
        assert "Light" in said


@pytest.mark.parametrize("rule", NAMED)
def test_sentences_stand_without_cells_and_with_many(rule: str) -> None:
    assert "{" not in sentence(rule, ())
    assert "{" not in sentence(rule, tuple(range(20)))


def test_of_many_cells_some_are_counted() -> None:
    assert "b3.1 and 12 more" in sentence("bar.fixed", tuple(range(20)))


@pytest.mark.parametrize(
    ("rule", "option", "value"),
    [
        ("level.centre", "centre_edge", "corner"),
        ("bonus.last", "last_bars", "turn"),
        ("turn.pass", "pass", "never"),
    ],
)
def test_readings_have_sentences_of_their_own(rule: str, option: str, value: str) -> None:
    assert value in OPTIONS[option]
    assert sentence(rule, (1,), **{option: value}) != sentence(rule, (1,))


def test_an_answer_speaks_the_language_asked_for() -> None:
    found = ask(built("D a1.1^, L a2.1^"), built("D a1.1^, L a2.1^"))
    assert found["violations"][0]["message"].startswith("Light laid no bar")


def test_a_set_of_rules_is_written_in_order() -> None:
    broken = BIT[PREFERENCE[7]] | BIT[PREFERENCE[2]]
    assert in_order(broken) == (PREFERENCE[2], PREFERENCE[7])
    assert preference(broken) == (2, 7)
    assert paragraph(PREFERENCE[0]) != paragraph(PREFERENCE[1])
