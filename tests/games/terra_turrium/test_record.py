"""Game records: the frame goes round, errors name the line, headers make the position again, acts are ruled on."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games import records_named
from referee.games.contract import RequestError
from referee.games.record import MOST_CHARACTERS, Record, RecordEntry, RecordError, entry_of, parse_record
from referee.games.terra_turrium.colours import parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import INDEX, NAMES, NEIGHBOURS
from referee.games.terra_turrium.record import RECORDS
from tests.games.terra_turrium.play import Turn
from tests.games.terra_turrium.positions import after, position, start_flags
from tests.games.terra_turrium.spoil import scrambled
from tests.games.terra_turrium.tables import TABLES
from tests.untyped import untyped

HEADERS = RECORDS.headers(GAME.position(position()))
WORD = st.text(st.characters(exclude_characters="{}", exclude_categories=["Z", "C"]), min_size=1, max_size=6)
PROSE = st.text(max_size=20).map(lambda text: text.translate(dict.fromkeys(map(ord, "{}\r"))).strip())
NOTE = PROSE.filter(lambda text: text and not text.startswith(("legal", "illegal", "unsure")))
VALUE = st.text(max_size=20).map(lambda text: " ".join(text.splitlines()))


def is_no_number(word: str) -> bool:
    return not (word[-1] == "." and word[:-1].isdecimal())


@st.composite
def entries(draw: st.DrawFn) -> RecordEntry:
    words = WORD.filter(is_no_number)
    return RecordEntry(
        draw(st.integers(0, 10**9 - 1)),
        draw(words),
        " ".join(draw(st.lists(words, max_size=4))),
        draw(st.sampled_from(["", "legal", "illegal: take.count A1", "unsure: C3"])),
        tuple(draw(st.lists(NOTE, max_size=2))),
    )


@pytest.mark.long
@given(
    st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), VALUE, max_size=4),
    st.lists(entries(), max_size=4),
    st.lists(PROSE.filter(bool), max_size=2),
)
def test_any_record_goes_round(headers: dict[str, str], turns: list[RecordEntry], comments: list[str]) -> None:
    record = Record(headers, tuple(turns), tuple(comments))
    assert parse_record(record.text) == record
    assert list(parse_record(record.text).headers) == list(headers)


@given(st.text(alphabet='[]"\\{}1.a \n\r-+x*', max_size=40))
def test_any_text_is_refused_or_goes_round(text: str) -> None:
    with suppress(RecordError):
        record = parse_record(text)
        assert parse_record(record.text) == record


def test_what_a_record_may_look_like() -> None:
    record = parse_record(
        '\ufeff[Game "terra-turrium"]\r\n[table "by the \\"window\\""]\r\n\r\n{Windy}\r\n{}1. red -C1\n +D4'
        " {a\nb} -C2 {c}\n"
        "2. yellow {illegal: take.count} {why?}\n\n2. yellow -A1"
    )
    assert record.headers == {"game": "terra-turrium", "table": 'by the "window"'}
    assert record.comments == ("Windy",)
    assert record.turns == (
        RecordEntry(1, "red", "-C1 +D4 -C2", "", ("a\nb", "c")),
        RecordEntry(2, "yellow", "", "illegal: take.count", ("why?",)),
        RecordEntry(2, "yellow", "-A1"),
    )
    assert [entry.line for entry in record.turns] == [5, 8, 10]
    assert [entry.ruled_illegal for entry in record.turns] == [False, True, False]


def test_nothing_is_an_empty_record() -> None:
    assert parse_record("") == parse_record("\n\n") == Record({}, ())
    assert parse_record('[game "x"]') == Record({"game": "x"}, ())


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[game "x"', 1, "is no header"),
        ('[game "x"]\n[game "x"]', 2, "stands twice"),
        ('[game "a\\b"]', 1, "is no header"),
        ("\nred -C1", 2, "begin turns with 1."),
        ("{a}\n[game", 2, "headers stand ahead"),
        ("1. red {a", 1, "never closed"),
        ("1. red\n{a {b}}", 2, "never closed or holds another"),
        ("1. red\n\n}", 3, "closes nothing"),
        ("1. red -C1\n2.", 2, "names no player"),
        ("1.\n2. red", 1, "names no player"),
    ],
)
def test_errors_name_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(RecordError, match=words) as caught:
        parse_record(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_too_long_a_record() -> None:
    with pytest.raises(RecordError, match="longer"):
        parse_record(" " * (MOST_CHARACTERS + 1))


@pytest.mark.parametrize(
    "entry",
    [
        {"player": ""},
        {"player": "a b"},
        {"player": "1."},
        {"acts": "-C1  +D4"},
        {"acts": " -C1"},
        {"acts": "{-C1"},
        {"ruling": "fine"},
        {"comments": ("illegal",)},
        {"comments": ("a}",)},
        {"comments": (" a",)},
        {"ruling": "legal: {"},
    ],
)
def test_turns_that_could_not_be_read_again(entry: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        RecordEntry(**({"number": 1, "player": "red"} | entry))


@pytest.mark.parametrize(
    "record",
    [
        {"headers": {"Game": "x"}},
        {"headers": {"game": "a\nb"}},
        {"headers": {"game": "a\n"}},
        {"comments": ("{",)},
    ],
)
def test_records_that_could_not_be_read_again(record: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        Record(**({"headers": {}, "turns": ()} | record))


POSITIONS: dict[str, dict[str, Any]] = {
    **TABLES,
    "in the middle": {
        "turn": 6,
        "to_move": "yellow",
        "flags": {k: v for k, v in start_flags("kosmos-1990", 4).items() if k != "A10"},
        "in_hand": {"red": 1},
        "attacks": {"blue": 2},
    },
    "pro, held": {"variants": ["pro"], "turn": 2, "to_move": "yellow", "holding": {"red": ["A10", "B9"]}},
    "won": {"winners": ["red", "blue"], "final_round": True, "first": "green", "to_move": "green"},
    "finished": {"winners": ["red"], "final_round": True, "finished": True},
    "opened": {
        "edition": "ludibay-fr",
        "variants": ["burgenland"],
        "captures_open": True,
        "captures_left": {"red": 2, "yellow": 1, "green": 0, "blue": 2},
    },
    "handicap": {
        "variants": ["handicap"],
        "board": after(position()["board"], "-C10"),
        "reserve": {"red": 1},
    },
}


@pytest.mark.parametrize("table", POSITIONS)
def test_headers_make_the_position_again(table: str) -> None:
    start = GAME.position(position(**POSITIONS[table]))
    record = parse_record(Record(RECORDS.headers(start), ()).text)
    assert RECORDS.start(record) == start


def test_headers_are_few() -> None:
    assert list(HEADERS) == ["game", "edition", "seats", "first", "board"]
    assert HEADERS["seats"] == "nw=red ne=yellow se=green sw=blue"


def test_the_first_player_begins() -> None:
    headers = {key: value for key, value in HEADERS.items() if key != "first"}
    assert RECORDS.start(Record(headers, (RecordEntry(1, "green"),))).first.word == "green"
    with pytest.raises(RecordError, match="first"):
        RECORDS.start(Record(headers, ()))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("board", None),
        ("board", "1/2"),
        ("seats", "red yellow"),
        ("seats", "nw=red"),
        ("edition", "x"),
        ("turn", "one"),
        ("turn", "12345678901"),
        ("turn", "²"),
        ("attacks", "red"),
        ("attacks", "red=x"),
        ("captures_open", "maybe"),
        ("options", "exterior"),
        ("first", "purple"),
        ("holding", "red=A1"),
    ],
)
def test_headers_that_make_no_position(key: str, value: str | None) -> None:
    headers = {k: v for k, v in (HEADERS | {key: value}).items() if v is not None}
    with pytest.raises(RecordError, match=key):
        RECORDS.start(Record(headers, ()))


def test_no_such_game() -> None:
    with pytest.raises(RequestError, match="use one of"):
        records_named("chess")


@pytest.mark.long
@pytest.mark.parametrize("table", TABLES)
def test_recorded_games_replay(table: str) -> None:
    """Legal turns stay legal with the acts given and lead to the same positions; others break what was named."""
    rnd = random.Random(f"record {table}")
    now = start = GAME.position(position(**TABLES[table]))
    turns = []
    for _ in range(25):
        board = Turn(rnd, now).play()
        for seen in (board, scrambled(rnd, board, 0.03)):
            ruling = GAME.check(now, seen)
            played = RECORDS.play(now, entry_of(now, ruling))
            named = {violation.rule for violation in ruling.violations}
            if not named & {"move.own", "flag.count", "turn.order"}:
                assert {violation.rule for violation in played.violations} == named
                assert (played.turn, played.next, played.acts) == (ruling.turn, ruling.next, ruling.acts)
            else:
                assert not played.legal or named & {"move.own", "flag.count"}
        ruling = GAME.check(now, board)
        if ruling.next is not None:
            turns.append(entry_of(now, ruling))
            assert not turns[-1].ruling
            now = untyped(ruling.next)
    record = parse_record(Record(RECORDS.headers(start), tuple(turns)).text)
    replayed = RECORDS.start(record)
    for entry in record.turns:
        replayed = RECORDS.play(replayed, entry).next
    assert replayed == now


def rules_broken(acts: str, player: str = "red", **changes: Any) -> list[str]:
    ruling = RECORDS.play(GAME.position(position(**changes)), RecordEntry(1, player, acts))
    assert ruling.legal == (not ruling.violations)
    assert all(violation.message for violation in ruling.violations)
    return [violation.rule for violation in ruling.violations]


HOLD = "-E8 -E7 -E6 +E8 +E7 +E6"
TEAM = {"variants": ["team"], "teams": [["red", "yellow"], ["green", "blue"]]}
MIXED = {"flags": start_flags("kosmos-1990", 4) | {"E7": "yellow"}}
MIXED["flags"].pop(next(k for k, v in MIXED["flags"].items() if v == "yellow" and k != "E7"))
RETURNING = {"flags": {k: v for k, v in start_flags("kosmos-1990", 4).items() if k != "A10"}, "in_hand": {"red": 1}}


@pytest.mark.parametrize(
    ("acts", "broken", "changes"),
    [
        (HOLD, [], {}),
        (HOLD, ["take.count"], {"options": {"returned_cubes": "forbidden"}}),
        ("-E8 -E7 +E8 +E7", ["take.count"], {}),
        ("-E8 -E7 +E8 +E7", ["take.count"], {"options": {"returned_cubes": "forbidden"}}),
        ("", ["take.count"], {}),
        ("-E8 -E7 -E6 +E8 +E7", ["cubes.conserved"], {}),
        ("-E8 -E7 +E8 -E6 +E7 +E6", ["turn.phase"], {}),
        ("-E8 -E7 -E6 +E8 +E7 A10-A9 +E6", ["turn.phase"], {}),
        ("*A10 -E8", ["turn.phase"], {}),
        ("-E8 -E8 -E6", ["cubes.conserved"], {}),
        ("-E8" + " +E8" * 36, ["cubes.conserved"], {}),
        (f"{HOLD} E8-E7", ["flag.count"], {}),
        (f"{HOLD} E7-E6", ["move.own"], MIXED),
        (f"{HOLD} B10-E10", ["move.step"], {}),
        (f"{HOLD} A10-B10", ["move.blocked"], {}),
        (f"{HOLD} A10-B10-C10-D10", ["move.blocked"], {}),
        (f"{HOLD} A10xA9", ["capture"], {}),
        (f"{HOLD} A10xB10", ["capture"], {}),
        (f"{HOLD} *A10", ["flag.count"], {}),
        (f"{HOLD} *A10", [], RETURNING),
        (f"{HOLD} *B10", ["move.blocked"], RETURNING),
        (f"{HOLD} *E6", ["enter.cell"], RETURNING),
        (HOLD, ["turn.order"], {"player": "green"}),
        (HOLD, ["turn.order"], {"winners": ["red"], "final_round": True, "finished": True}),
    ],
)
def test_acts_are_ruled_on(acts: str, broken: list[str], changes: dict[str, Any]) -> None:
    broken_by_acts = rules_broken(acts, **changes)
    if changes.get("player"):
        assert "turn.order" in broken_by_acts
    else:
        assert broken_by_acts == broken


def test_a_mate_is_not_captured() -> None:
    flags = start_flags("kosmos-1990", 4)
    flags.pop(next(name for name, colour in flags.items() if colour == "yellow"))
    red, beside = next(
        (name, NAMES[j])
        for name, colour in flags.items()
        for j in NEIGHBOURS[INDEX[name]]
        if colour == "red" and NAMES[j] not in flags
    )
    flags[beside] = "yellow"
    acts = f"-F5 -F5 -F4 +E6 +E6 +E7 {red}x{beside}"
    assert "move.own" in rules_broken(acts, flags=flags, **TEAM)


@pytest.mark.parametrize(("player", "acts"), [("red", "A1"), ("red", "-C1 what"), ("purple", "-C1"), ("red", "*K1")])
def test_acts_that_can_t_be_read(player: str, acts: str) -> None:
    with pytest.raises(RecordError) as caught:
        RECORDS.play(GAME.position(position()), RecordEntry(3, player, acts, line=7))
    assert str(caught.value).startswith("line 7: turn 3: ")


def test_what_was_ruled_stands_in_the_record() -> None:
    start = GAME.position(position())
    ruling = GAME.check(start, parse_board(after(start.board.text, "-E8")))
    entry = entry_of(start, ruling, ("Look!",))
    assert entry.ruling == f"illegal: {ruling.violations[0].rule} {ruling.violations[0].fields[0].name}"
    assert Record({}, (entry,)).text.endswith(f" {{{entry.ruling}}} {{Look!}}\n")


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        ("-A1 -E8 +E7", ["take.occupied A1"]),
        ("+E7 -E8", ["turn.phase E8"]),
        ("*E6", ["flag.count E6"]),
        ("E7-E6", ["flag.count E7"]),
        ("J10-J9", ["move.own J10"]),
        ("A10-C10", ["move.step C10"]),
        ("A10-B10", ["move.blocked B10"]),
        ("A10-A9-A8xB8", ["capture B8"]),
    ],
)
def test_a_turn_that_can_t_have_happened(acts: str, told: list[str]) -> None:
    start = GAME.position(position())
    ruling = RECORDS.play(start, RecordEntry(1, "red", acts))
    found = [" ".join((v.rule, *(field.name for field in v.fields))) for v in ruling.violations]
    assert set(told) <= set(found)
    assert ruling.alternatives == ()
    assert (ruling.legal, ruling.next, ruling.winners, ruling.finished) == (False, None, (), False)
    assert " ".join(act.text for act in ruling.acts) == acts


def test_a_turn_after_the_end_and_the_one_that_ends() -> None:
    over = GAME.position(position(winners=["red"], final_round=True, finished=True))
    ruling = RECORDS.play(over, RecordEntry(1, "red", "-E8 -E9 -D8 +E8 +E9 +D8"))
    assert [v.rule for v in ruling.violations] == ["turn.order"]
    assert (ruling.finished, ruling.winners, ruling.alternatives) == (True, over.winners, ())
    last = GAME.position(position(winners=["red"], final_round=True, first="yellow", turn=4))
    ruling = RECORDS.play(last, RecordEntry(4, "red", "-E8 -E9 -D8 +E8 +E9 +D8"))
    assert (ruling.legal, ruling.finished, ruling.winners) == (True, True, last.winners)
