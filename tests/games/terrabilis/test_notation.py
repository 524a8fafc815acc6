"""Turn notation: acts as words, printed and parsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.terrabilis.copy.reading import parse_copy
from referee.games.terrabilis.declared.acts import Install
from referee.games.terrabilis.declared.reading import parse_acts
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.text.notation import ActsTextError, act_text, parse_turn, turn_text
from tests.games.terrabilis.acts import ACTS
from tests.games.terrabilis.positions import COPY, card, the_copy

PLAYERS = (Country.RED, Country.BLUE)
WRITTEN = (
    "roll 3+4; blue rolls 3+4; draw economic; install mill; discard farm; meet storm; blue joins; decline; "
    "answer expert money; answer normal wrong; blue pours green; pay energy; order yyg; borrow; repay; "
    "abandon mill+mill; count money=12000+yellow=0"
)


def test_every_act_has_its_words() -> None:
    assert turn_text(parse_acts(ACTS, PLAYERS, the_copy())) == WRITTEN


def test_words_are_read_again() -> None:
    assert parse_turn(WRITTEN, PLAYERS, the_copy()) == parse_acts(ACTS, PLAYERS, the_copy())


def test_spaces_may_stand_between_the_acts() -> None:
    assert parse_turn("roll 3+4; catastrophe;; blue pours yellow ;", PLAYERS, the_copy()) == parse_turn(
        "roll 3+4; blue pours yellow", PLAYERS, the_copy()
    )


@given(st.text(min_size=1).filter(str.strip))
def test_ids_of_any_letters_go_round(ident: str) -> None:
    copy = parse_copy(COPY | {"infrastructures": [card("x", "social", 1, 1, 0, 0) | {"id": ident, "name": "X"}]})
    text = act_text(Install(ident))
    assert parse_turn(text, PLAYERS, copy) == (Install(ident),)
    assert len(text.split()) == 2
    assert not set(".;{}") & set(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fly", "'fly' is no act"),
        ("blue", "'blue' is no act"),
        ("roll", "such as 'roll 3+4'"),
        ("roll three", "such as 'roll 3+4'"),
        ("roll 3+9", "from 1 to 6"),
        ("borrow much", "such as 'borrow'"),
        ("answer expert", "such as 'answer expert money'"),
        ("install casino", "no infrastructure 'casino'"),
        ("green pours yellow", "does not play"),
        ("count money", "such as 'count money=12000'"),
    ],
)
def test_what_is_no_turn(text: str, words: str) -> None:
    with pytest.raises(ActsTextError, match=re.escape(words)):
        parse_turn(text, PLAYERS, the_copy())
