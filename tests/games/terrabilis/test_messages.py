"""Every breach has a sentence of its own, in every language."""

from __future__ import annotations

import pytest

from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.lifting import Broken, LedgerDifference
from referee.games.terrabilis.ruleset import LAP_PAWNS, PREFERENCE, RANK, in_order, preference
from referee.games.terrabilis.text.messages import breach_words, question
from referee.values.words import LANGUAGES
from tests.games.terrabilis.broken import BROKEN
from tests.games.terrabilis.positions import request

DIFFERENCES = (
    LedgerDifference("count", Country.RED, "money", (3,), (4,)),
    LedgerDifference("zone", None, "", (1, 2), ("?", 2)),
    LedgerDifference("pawn", Country.BLUE, "", (3,), (4,)),
    LedgerDifference("cards", Country.BLUE, "", (3,), (4,)),
    LedgerDifference("dice", Country.RED, "", (1, 2), (3, 4)),
)


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.kind)
def test_a_difference_is_a_question_first(difference: LedgerDifference) -> None:
    asked = {question(difference).text(language) for language in LANGUAGES}
    assert len(asked) == len(LANGUAGES)
    assert all("{" not in words for words in asked)
    assert breach_words(difference.under(LAP_PAWNS)).text() in question(difference).text()


@pytest.mark.parametrize("name", BROKEN)
def test_a_breach_is_told_in_every_language(name: str) -> None:
    before, acts, seen, _ = BROKEN[name]
    told = [
        [violation["message"] for violation in answer(request(before, acts, **seen), language)["violations"]]
        for language in LANGUAGES
    ]
    for sentences in zip(*told, strict=True):
        assert len(set(sentences)) == len(LANGUAGES)
        assert not any("{" in sentence or "was broken" in sentence for sentence in sentences)


def test_an_unknown_breach_is_told_all_the_same() -> None:
    assert str(breach_words(Broken(LAP_PAWNS, "somehow"))) == "The rule lap.pawns was broken."


def test_the_mildest_rule_comes_first() -> None:
    assert in_order(frozenset(PREFERENCE)) == PREFERENCE
    assert [RANK[rule] for rule in PREFERENCE] == list(range(31))
    assert preference(frozenset(PREFERENCE[3:1:-1])) == (2, 3)
