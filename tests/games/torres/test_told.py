"""What is told beside rulings: what is to be done, points castle by castle, acts as the page draws them."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.torres.engine import GAME
from referee.games.torres.geometry import INDEX
from referee.games.torres.position.position import Declared
from referee.games.torres.text.notation import page_acts
from tests.games.torres.tables import BEFORE, finish_phase, position_data, text_of


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            {"stage": "castles", "variants": ["master"], "board": {"A1": "1"}},
            "Blue lays one block on the ground, at least 3 steps from every other, then ends the turn.",
        ),
        (
            {"stage": "knights", "board": {"A1": "1"}},
            "Blue puts one knight on a free castle, then ends the turn.",
        ),
        (
            {"stage": "king", "board": {"A1": "1"}},
            "Blue puts the king on a free castle, then ends the turn.",
        ),
        (
            {"stage": "king", "phase": 2, "first": "orange", "turn": 11},
            "Blue is last and may put the king on a free block of any castle, or leave him, then ends the turn. "
            "After that Orange starts phase 2.",
        ),
        ({"phase": 2, "round": 3, "turn": 13}, "Phase 2, round 3 of 4."),
    ],
)
def test_the_player_is_told_what_to_do(keys: dict[str, Any], told: str) -> None:
    keys = dict(keys)
    assert str(GAME.prompt(GAME.position(position_data(keys.pop("board", BEFORE), **keys)))) == told


def told(phase: int = 1, said: dict[str, object] | None = None, **keys: Any) -> list[Any]:
    """Return the account of a phase that ends: every player's lines, score before and after, and place."""
    before = GAME.position(finish_phase(phase, keys.pop("board", BEFORE), **keys))
    account = GAME.account(before, GAME.check(before, before.observed, (), said or {}))
    assert account is not None
    assert str(account.title) == f"Scores of phase {phase}"
    shares = [
        (
            share.player.word,
            [(str(line.words), line.points, [field.name for field in line.fields]) for line in share.lines],
            share.score,
            share.place,
        )
        for share in account.shares
    ]
    return [*shares, *map(str, account.notes)]


def test_a_phase_is_accounted_for_castle_by_castle() -> None:
    castle = "Castle of 3 fields, highest knight on level 1"
    assert told(score={"blue": 1}) == [
        ("blue", [(castle, 3, ["A1", "B1", "A2"])], (1, 4), 1),
        ("orange", [(castle, 3, ["D4", "E4", "D5"])], (0, 3), 2),
        "Blue is ahead and starts phase 2.",
    ]


def test_the_kings_castle_and_points_on_the_track_are_told_apart() -> None:
    board = {"A1": "1b", "A2": "1k", "D4": "1o", "H8": "1"}
    blue, orange, _ = told(board=board, said={"points": 2}, score={"blue": 1, "orange": 0})
    assert [(words, points) for words, points, _ in blue[1]] == [
        ("Castle of 2 fields, highest knight on level 1", 2),
        ("A knight on level 1 in the king’s castle", 5),
        ("Over occupied fields of the score track", 1),
    ]
    assert (blue[2], blue[3]) == ((1, 9), 1)
    assert [(words, points) for words, points, _ in orange[1]] == [
        ("Castle of 1 fields, highest knight on level 1", 1),
        ("Action points on the score track", 2),
        ("Over occupied fields of the score track", 2),  # Blue on 1, then on 4
    ]
    assert (orange[2], orange[3]) == ((0, 5), 2)


@pytest.mark.parametrize(
    ("options", "said", "note"),
    [
        ({"phase_start": "same"}, {}, "Blue starts phase 2, as the first."),
        ({"phase_start": "chosen"}, {"start": "orange"}, "Orange starts phase 2: the last player chooses."),
    ],
)
def test_who_starts_is_told_with_the_reason(options: dict[str, str], said: dict[str, object], note: str) -> None:
    assert told(options=options, said=said)[-1] == note


def test_acts_are_drawn_by_their_fields_and_what_was_said_is_told() -> None:
    at = INDEX.__getitem__
    acts = [
        ("build", at("A1"), at("A1")),
        ("place", at("B1"), at("B1")),
        ("move", at("B1"), at("C1")),
        ("door", at("C1"), at("D2")),
        ("card.jump", at("D2"), at("D4")),
        ("card.extra", at("E5"), at("E5")),
        ("king", at("H8"), at("H8")),
    ]
    said = Declared(card="leap", bought=1, points=2, stack=3, leftover=(2, 1))
    found = [(act.kind, [field.name for field in act.fields], act.text) for act in page_acts(acts, said)]
    assert [(kind, fields) for kind, fields, _ in found] == [
        ("build", ["A1"]),
        ("enter", ["B1"]),
        ("move", ["B1", "C1"]),
        ("move", ["C1", "D2"]),
        ("move", ["D2", "D4"]),
        ("build", ["E5"]),
        ("king", ["H8"]),
        *[("declared", [])] * 5,
    ]
    assert [text for _, _, text in found] == [
        *("+A1", "@B1", "B1-C1", "C1=D2", "[jump]D2-D4", "[extra]+E5", "kH8"),
        *("[leap]", "$1", "#2", "^3", "~2+1"),
    ]
    played = page_acts([("card.jump", at("D2"), at("D4"))], Declared(card="jump"))
    assert [act.text for act in played] == ["[jump]D2-D4"]  # what was played is not told twice


def test_a_card_that_was_declared_and_not_played_is_asked_about() -> None:
    """Blue holds no card: without one the block is legal, so nobody puts it back before that is asked."""
    before, said = GAME.position(position_data()), {"card": "leap", "bought": 1}
    ruling = GAME.check(before, GAME.observation(text_of({**BEFORE, "A2": "2"})), (), said)
    assert not ruling.legal
    assert GAME.details(ruling.to_json()) == ruling.details
    question = GAME.question(before, ruling, said)
    assert question is not None
    assert str(question.words) == "Was no card played after all?"
    assert [(str(reply.name), reply.declared) for reply in question.replies] == [
        ("No card was played", {"bought": 1})
    ]
    (reply,) = question.replies
    assert GAME.check(before, GAME.observation(text_of({**BEFORE, "A2": "2"})), (), reply.declared).legal
    assert GAME.question(before, ruling, reply.declared) is None  # it is taken out already
