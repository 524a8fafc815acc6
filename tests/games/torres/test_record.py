"""Records: notation goes round, headers make the position again, and acts are ruled on one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.contract import Ruling
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.torres.engine import GAME
from referee.games.torres.geometry import INDEX
from referee.games.torres.laying import laid
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.record import RECORDS
from referee.games.torres.ruleset import CARD_RULE, KINDS
from referee.games.torres.text.notation import TorresNotationError, act_text, parse_turn
from tests.games.torres.tables import BEFORE, check, position_data, text_of
from tests.games.torres.wrong import NO_ACTS

FIELD = st.integers(0, 63)
ONE_FIELD = st.sampled_from(["build", "place", "king", "castle", "card.extra", "card.under"])
TWO_FIELDS = st.sampled_from(
    ["move", "door", *(CARD_RULE[kind] for kind in KINDS if kind not in ("extra", "under", "ap6", "ap7"))]
)
ACT = st.one_of(
    st.tuples(ONE_FIELD, FIELD).map(lambda act: (act[0], act[1], act[1])), st.tuples(TWO_FIELDS, FIELD, FIELD)
)


@given(st.lists(ACT, max_size=6))
def test_acts_go_round(acts: list[tuple[str, int, int]]) -> None:
    text = " ".join(act_text(act) for act in acts)
    assert list(parse_turn(text).acts) == acts


def test_every_act_of_the_formats_has_its_notation() -> None:
    turn = parse_turn("+D7 @C5 C6-C7 C5=D6 [jump]D6-D4 [under]+D7 kD7 *D8")
    assert [act[0] for act in turn.acts] == [
        "build",
        "place",
        "move",
        "door",
        "card.jump",
        "card.under",
        "king",
        "castle",
    ]
    assert turn.acts[2] == ("move", INDEX["C6"], INDEX["C7"])
    assert turn.declared == {"card": "jump"}
    said = parse_turn("[ap6] $1 #2 ^3 ~3+2 >red")
    assert (said.acts, said.declared) == (
        (),
        {"card": "ap6", "bought": 1, "points": 2, "stack": 3, "leftover": [3, 2], "start": "red"},
    )
    assert parse_turn("~").declared == {"leftover": []}


@pytest.mark.parametrize("word", NO_ACTS)
def test_what_is_no_act_is_quoted(word: str) -> None:
    with pytest.raises(TorresNotationError) as refused:
        parse_turn(f"+D7 {word}")
    assert word in str(refused.value)
    for read in (RECORDS.declared, lambda entry: RECORDS.play(position(), entry)):
        with pytest.raises(RecordError, match="turn 4"):
            read(RecordEntry(4, "blue", word))


def position(**keys: Any) -> TorresPosition:
    return GAME.position(position_data(**keys))


def play(acts: str, player: str = "blue", held: int = 0, **keys: Any) -> Ruling:
    cards = keys.pop("cards", {"blue": {"held": held}, "orange": {"held": held}})
    return RECORDS.play(position(cards=cards, **keys), RecordEntry(4, player, acts))


LEGAL = [
    "",
    "+A2 A1-A2",
    "@B1 +C1",
    "A1-B1 +A1 $1 #1",
    "[leap]",
    "[diagonal]A1-B2 +A1",
    "[under]+A1 +A2",
    "[extra]+A2",
    "[ap7] A1-A2 A2-B2 +A1 +A2 #3",
    "[shift]A2-C7",
    "~3+3+3 ^3",
]


@pytest.mark.parametrize("acts", LEGAL)
def test_a_legal_turn_is_legal_when_it_is_written(acts: str) -> None:
    ruling = play(acts, held=1)
    assert ruling.legal, [violation.message for violation in ruling.violations]
    assert ruling.turn is not None
    done = [word for word in acts.split() if word[0] not in "$#^~" and not word.endswith("]")]
    assert [act.text for act in ruling.acts if act.kind != "declared"] == done
    assert ruling.next is not None
    assert ruling.next.turn == 5


@pytest.mark.parametrize("acts", LEGAL)
def test_blocks_lie_where_a_written_turn_laid_them(acts: str) -> None:
    heights = list(position().board.heights)
    for kind, at, to in parse_turn(acts).acts:
        if kind in ("build", "card.extra", "card.under"):
            heights[at] += 1
        elif kind == "card.shift":
            heights[at] -= 1
            heights[to] += 1
    after = play(acts, held=1).next
    assert isinstance(after, TorresPosition)
    assert list(after.board.heights) == heights


def test_written_acts_are_laid_and_impossible_ones_refused() -> None:
    assert laid(position(), RecordEntry(4, "blue", "+A2 A1-A2")) == text_of({**BEFORE, "A1": "1", "A2": "2b"})
    for acts in ("C7-C6", "[shift]C7-A2"):
        with pytest.raises(RecordError, match="nothing stands there"):
            laid(position(), RecordEntry(4, "blue", acts))
    with pytest.raises(RecordError, match="does not play"):
        laid(position(), RecordEntry(4, "white", "+A2"))


BROKEN: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "high": ("+A8", {}, ["build.height"]),
    "alone": ("+C7", {}, ["build.new"]),
    "joined": ("+G8", {}, ["build.join"]),
    "on a knight": ("+D4", {}, ["build.occupied"]),
    "four blocks": ("+A2 +A2 +B1 +C1", {}, ["build.supply"]),
    "too dear": ("+A2 +A2 +B1 #3", {}, ["ap.budget"]),
    "too far": ("A1-A3", {}, ["knight.step"]),
    "too high": ("A1-A2", {"board": BEFORE | {"A2": "3"}}, ["knight.climb"]),
    "no door": ("A1=H5", {}, ["knight.door"]),
    "onto a piece": ("A1-D4", {}, ["knight.blocked"]),
    "nobody's knight": ("C7-C6", {}, ["knight.own"]),
    "placed alone": ("@C7", {}, ["knight.place"]),
    "placed on a piece": ("@D4", {}, ["knight.place"]),
    "a seventh": ("@F3", {"board": BEFORE | {f"{c}3": "0b" for c in "ABCDE"}}, ["knight.supply"]),
    "two cards": ("[under]+A1 [extra]+A2", {}, ["card.one"]),
    "no card": ("[extra]+A2", {"held": 0}, ["card.held"]),
    "a fresh card": ("[extra]+A2 $1", {"held": 0}, ["card.fresh"]),
    "three bought": ("$3", {}, ["card.buy"]),
    "no leap": ("[leap]A1-A2", {}, ["card.leap"]),
    "a jump over nobody": ("[jump]A1-A3", {}, ["card.jump"]),
    "a shift of what carries a knight": ("[shift]A1-C7", {}, ["card.shift"]),
    "a shift of nothing": ("[shift]C6-C7", {}, ["card.shift"]),
    "a card's knight that is not there": ("[leap]C6-C7", {}, ["knight.own"]),
    "under nobody": ("[under]+A2", {}, ["card.under"]),
    "no reserve": ("[extra]+A2", {"reserve": 0}, ["card.extra"]),
    "the king": ("kA2", {}, ["king.still"]),
    "a start block": ("*C7", {}, ["blocks.fixed"]),
    "not the turn": ("D4-D5", {"player": "orange"}, ["turn.order"]),
    "the game is over": ("+A2", {"stage": "finished"}, ["turn.order"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_acts_that_break_rules_are_named(name: str) -> None:
    acts, keys, rules = BROKEN[name]
    ruling = play(acts, **({"held": 1} | keys))
    assert [str(violation.rule) for violation in ruling.violations] == rules
    assert not ruling.legal
    assert ruling.violations[0].words.text("de")


def test_stages_are_played_as_they_are_written() -> None:
    start = text_of(dict.fromkeys(("D8", "C6", "F6", "H5", "A4", "C3", "F3", "E1"), "1"))
    knights = position(stage="knights")
    knights = GAME.position(knights.to_json() | {"board": start})
    for acts, player in (("@C6", "blue"), ("@F6", "orange"), ("kD8", "orange")):
        ruling = RECORDS.play(knights, RecordEntry(1, player, acts))
        assert ruling.legal
        assert isinstance(ruling.next, TorresPosition)
        knights = ruling.next
    assert knights.stage == "play"
    master = GAME.new_game({"edition": "fr-1999", "players": ["blue", "orange"], "variants": ["master"]})
    assert RECORDS.play(master, RecordEntry(1, "blue", "*A1")).legal
    assert not RECORDS.play(master, RecordEntry(1, "orange", "*A1")).legal
    with pytest.raises(RecordError, match="outside turns"):
        RECORDS.play(master, RecordEntry(1, "blue", "+A1"))


def test_who_does_not_play_is_refused() -> None:
    with pytest.raises(RecordError, match="'red' does not play"):
        play("", player="red")


def test_headers_make_the_position_again() -> None:
    for keys in (
        {},
        {"options": {"doors": "path", "master_min": 2}, "score": {"blue": 3}, "reserve": 12},
        {"stacks": {"blue": [3, 2], "orange": []}, "cards": {"blue": {"held": 1, "played": ["door", "leap"]}}},
        {"variants": ["master"], "master": "edge", "start_fields": ["A1", "D1"], "phase": 2, "round": 2, "turn": 11},
        {"stage": "finished", "winners": ["blue"]},
    ):
        now = position(**({"cards": {}} | keys))
        headers = RECORDS.headers(now)
        assert RECORDS.start(Record(headers, ())) == now, headers


def test_who_began_may_be_left_to_the_first_turn() -> None:
    headers = {k: v for k, v in RECORDS.headers(position(cards={})).items() if k != "first"}
    assert RECORDS.start(Record(headers, (RecordEntry(4, "blue", ""),))).first.word == "blue"
    with pytest.raises(RecordError, match="first is missing"):
        RECORDS.start(Record(headers, ()))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("board", None, "header board is missing"),
        ("reserve", "many", "write a whole number"),
        ("options", "doors", "write key=value"),
        ("options", "doors=open", "doors is 'open'"),
        ("stacks", "blue=x", "write blue="),
        ("held", "blue", "write blue="),
    ],
)
def test_headers_that_cannot_be_read_are_named(key: str, value: str | None, told: str) -> None:
    headers = RECORDS.headers(position(cards={})) | ({key: value} if value is not None else {})
    if value is None:
        del headers[key]
    with pytest.raises(RecordError) as refused:
        RECORDS.start(Record(headers, ()))
    assert told in str(refused.value)


def test_what_was_ruled_is_what_is_written() -> None:
    """The acts of a ruling, with all that was declared, are read back as they were."""
    said = {"card": "leap", "bought": 1, "points": 1, "stack": 3, "leftover": [3, 3, 3], "start": "orange"}
    ruling = check({"A2": "2"}, declared=said, held=1)
    text = " ".join(act.text for act in ruling.acts)
    assert text == "+A2 [leap] $1 #1 ^3 ~3+3+3 >orange"
    assert parse_turn(text).declared == said
