"""Records: headers make the position again, turns are ruled on act by act, what can't be read is named."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.record import Record, RecordEntry, RecordError, entry_of, parse_record
from referee.games.turris.engine import GAME
from referee.games.turris.parsing import parse_position
from referee.games.turris.record import RECORDS
from referee.games.turris.tower import parse_tower
from tests.games.turris.positions import built, position, some_options, some_world
from tests.games.turris.reference import text_of

HEADERS = {"game": "turris", "edition": "fr", "seats": "south=light north=dark"}


def record(**headers: str) -> Record:
    return Record(HEADERS | headers, (RecordEntry(1, "light", "+a1b1.1"),))


@pytest.mark.long
@given(seed=st.integers(0, 10**9))
def test_headers_make_the_position_again(seed: int) -> None:
    rnd = random.Random(seed)
    now = parse_position(some_world(rnd, rnd.randrange(15), some_options(rnd, ())).data)
    headers = RECORDS.headers(now)
    text = Record(headers, ()).text
    assert RECORDS.start(parse_record(text)) == now


def test_a_plain_start_needs_few_headers() -> None:
    start = RECORDS.start(record())
    assert RECORDS.headers(start) == HEADERS | {"first": "light"}
    ended = GAME.resigned(position(built("L a1b1.1"), turn=2), frozenset({GAME.player("dark")}))
    headers = RECORDS.headers(ended)
    assert headers["finished"] == "yes"
    assert RECORDS.start(Record(headers, ())) == ended


def test_every_header_is_read() -> None:
    found = RECORDS.start(
        record(
            options="pass=free, refill=same",
            first="dark",
            to_move="light",
            turn="7",
            tower=built("L a1b1.1, D c1.1^"),
            left="light=19 dark=19",
            last="light=a1b1.1+b2.1^ dark=c1.1^",
            barred="a3.1 b3.1",
            variants="",
            finished="no",
            date="2026-03-14",
        )
    )
    assert found == position(
        built("L a1b1.1, D c1.1^"),
        options={"pass": "free", "refill": "same"},
        first="dark",
        turn=7,
        last={"light": ["a1b1.1", "b2.1^"], "dark": ["c1.1^"]},
        barred=["a3.1", "b3.1"],
    )


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"turn": "x"}, "header turn: 'x' can't be read: write a whole number"),
        ({"turn": "12345678901"}, "can't be read"),
        ({"left": "light"}, "header left: 'light' can't be read: write light=19 dark=20"),
        ({"left": "light=many"}, "can't be read"),
        ({"seats": "south"}, "write south=light north=dark"),
        ({"finished": "maybe"}, "write yes or no"),
        ({"tower": "zzz"}, "headers: tower: level 1 has 3 characters"),
        ({"first": "red"}, "headers: first is 'red': use one of light, dark"),
        ({"edition": "de"}, "headers: edition"),
    ],
)
def test_headers_that_cannot_be_read_are_named(headers: dict[str, str], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        RECORDS.start(record(**headers))
    assert message in str(caught.value)


@pytest.mark.parametrize("key", HEADERS)
def test_headers_that_must_be_there(key: str) -> None:
    with pytest.raises(RecordError, match=f"header {key} is missing"):
        RECORDS.start(Record({k: v for k, v in HEADERS.items() if k != key}, ()))


def test_a_record_must_say_who_began() -> None:
    with pytest.raises(RecordError, match="say who began"):
        RECORDS.start(Record(HEADERS, ()))


START = position(built("D a1.1^, L a2.1^, D b3c3.1"))


def test_acts_are_ruled_on_in_their_order() -> None:
    assert RECORDS.play(START, RecordEntry(1, "light", "+b1b2.1 -b3c3.1")).legal
    wrong = RECORDS.play(START, RecordEntry(1, "light", "-b3c3.1 +b1b2.1"))
    assert [violation.rule for violation in wrong.violations] == ["bonus.earned"]
    own = RECORDS.play(START, RecordEntry(1, "light", "+b1b2.1 -a2.1^"))
    assert [violation.rule for violation in own.violations] == ["bonus.remove"]
    other = RECORDS.play(START, RecordEntry(1, "dark", "+b1b2.1"))
    assert "turn.order" in [violation.rule for violation in other.violations] or not other.legal
    passed = RECORDS.play(START, RecordEntry(1, "light"))
    assert [violation.rule for violation in passed.violations] == ["turn.pass"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (RecordEntry(4, "red", "+a1b1.1", line=9), "line 9: turn 4: 'red' does not play: use light, dark"),
        (RecordEntry(4, "light", "a1b1.1", line=9), "line 9: turn 4: declared: 'a1b1.1' is no act"),
        (RecordEntry(4, "light", "+a1c1.1", line=9), "is no bar"),
        (RecordEntry(4, "light", "+a1b1.1", line=9), "line 9: turn 4: +a1b1.1: there is no room"),
        (RecordEntry(4, "light", "-b1b2.1", line=9), "line 9: turn 4: -b1b2.1: no bar lies there"),
        (RecordEntry(4, "light", "+b1b2.1 -b1b2.1", line=9), "line 9: turn 4: the declared bars do not lead"),
    ],
)
def test_acts_that_cannot_be_made_are_named(entry: RecordEntry, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        RECORDS.play(START, entry)
    assert message in str(caught.value)


def test_what_was_declared_are_the_acts() -> None:
    assert RECORDS.declared(RecordEntry(1, "light", "+b1b2.1 -b3c3.1")) == {"bars": ["+b1b2.1", "-b3c3.1"]}


@settings(max_examples=settings().max_examples // 4)
@given(seed=st.integers(0, 10**9))
def test_a_legal_turn_written_is_the_turn_played(seed: int) -> None:
    rnd = random.Random(seed)
    world = some_world(rnd, rnd.randrange(12), some_options(rnd))
    ends = sorted(world.legal_ends(2), key=sorted)
    if ends:
        before = parse_position(world.data)
        ruling = GAME.check(before, parse_tower(text_of(rnd.choice(ends))))
        again = RECORDS.play(before, entry_of(before, ruling))
        assert again.next == ruling.next
