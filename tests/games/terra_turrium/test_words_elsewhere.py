"""Codes and sentences of refusals outside the position, and the small words the page shows, letter by letter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.games.contract import RequestError
from referee.games.record import Record, RecordError, parse_record
from referee.games.terra_turrium.colours import LETTERS, Colour, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.record import RECORDS
from referee.games.terra_turrium.text.notation import NotationError, parse_turn
from referee.values.board import Board
from tests.games.terra_turrium.positions import SEATS, after, position, start_flags
from tests.untyped import untyped

START = GAME.position(position())
SMALL = Board.parse("11/11", 2, 2, LETTERS)
BARE = parse_board("/".join(["1" * 10] * 10))
THREE = GAME.position(position(players=3))
STRANGER = parse_board(after(position(players=3)["board"], "blue>E5"))

REFUSED: dict[str, tuple[Callable[[], object], str, str]] = {
    "observed": (lambda: GAME.check(START, SMALL), "board", "observed: the board has ten rows of ten fields"),
    "frames": (
        lambda: GAME.check(START, START.board, [SMALL]),
        "board",
        "frames: the board has ten rows of ten fields",
    ),
    "seen before a game": (
        lambda: GAME.infer_setup({}, SMALL),
        "board",
        "observed: the board has ten rows of ten fields",
    ),
    "not of a set-up": (
        lambda: GAME.infer_setup({"players": 4}, START.board),
        "key",
        "players says nothing of a set-up: use edition, seats, variants, options, teams",
    ),
    "seats not seen": (
        lambda: GAME.infer_setup({}, BARE),
        "seats",
        "the flags do not show who sits where (nw nobody, ne nobody, se nobody, sw nobody): "
        "set them up, or give the seats",
    ),
    "no object": (lambda: GAME.position(untyped([])), "position", "position is an object {...}, not a list"),
    "a flag without a seat": (
        lambda: GAME.check(THREE, STRANGER),
        "flags",
        "observed: a flag of Blue stands on E5, but Blue has no seat",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_word_for_word(case: str) -> None:
    call, code, message = REFUSED[case]
    with pytest.raises(RequestError) as caught:
        call()
    assert (caught.value.code, str(caught.value)) == (code, message)


def test_options_of_a_set_up_are_kept() -> None:
    options = {"exterior": "line", "returned_cubes": "forbidden"}
    found = GAME.infer_setup({"options": options, "variants": ["pro"]}, START.board)
    written = found.to_json()
    assert written["options"] == options
    assert written["variants"] == ["pro"]
    assert GAME.infer_setup({"seats": SEATS[3]}, THREE.board).to_json()["seats"] == SEATS[3]


def test_an_empty_seat_is_seen() -> None:
    assert GAME.infer_setup({}, THREE.board).to_json()["seats"] == SEATS[3]


def test_what_the_page_shows_of_a_turn_and_of_a_player() -> None:
    shown = [(part.id, part.words.text("en"), part.value, part.of) for part in GAME.progress(START, [])]
    assert shown == [
        ("taken", "cubes taken", 0, 3),
        ("placed", "cubes placed", 0, None),
        ("in_hand", "cubes in hand", 0, None),
        ("points", "movement points used", 0, 5),
    ]
    burgenland = position(
        "ludibay-fr", 4, variants=["burgenland"], captures_open=True, captures_left={"red": 1, "yellow": 2}
    )
    seats = GAME.seats(GAME.position(burgenland))
    counters = {counter.id: (counter.value, counter.of) for counter in seats[0].counters}
    assert counters == {"attacks": (0, 5), "in_hand": (0, 6), "captures_left": (1, 2)}
    assert all(counter.words.text("en") for counter in seats[0].counters)
    assert [seat.places for seat in seats] == [("nw",), ("ne",), ("se",), ("sw",)]


def test_a_turn_out_of_phase_shows_what_it_came_to() -> None:
    """Built before the last cube was taken: the end is legal, so its acts and its turn are shown."""
    before = position()["board"]
    acts = ("-J7", "+E7", "-J5", "-E1", "+E7", "+E7")
    boards = [parse_board(after(before, *acts[:n])) for n in range(1, 7)]
    ruling = GAME.check(START, boards[-1], boards[:-1])
    assert [violation.rule for violation in ruling.violations] == ["turn.phase"]
    assert [field.name for field in ruling.violations[0].fields] == ["E7", "J5"]
    assert sorted(act.text for act in ruling.acts) == ["+E7", "+E7", "+E7", "-E1", "-J5", "-J7"]
    assert ruling.turn is not None
    assert (ruling.winners, ruling.next, ruling.alternatives, ruling.finished) == ((), None, (), False)


def test_a_record_of_a_stranger() -> None:
    text = GAME_TEXT + "1. pink -A1 +A1\n"
    with pytest.raises(RecordError) as caught:
        RECORDS.play(START, parse_record(text).turns[0])
    assert str(caught.value).endswith("'pink' does not play: use red, yellow, green, blue")


GAME_TEXT = '[Game "terra-turrium"]\n'


def test_a_long_word_is_quoted_in_part() -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn("?" * 60)
    assert repr("?" * 40) in str(caught.value)
    assert "?" * 41 not in str(caught.value)


@pytest.mark.parametrize(
    ("flags", "attacks", "hand"),
    [
        ({"D7": "red", "D6": "yellow"}, 0, {"red": 0, "yellow": 1}),
        ({"E5": "red", "F5": "yellow"}, 1, {"red": 0, "yellow": 1}),
    ],
)
def test_an_accepted_capture(flags: dict[str, str], attacks: int, hand: dict[str, int]) -> None:
    """Whose flag went is in hand again; at home it is no attack; nothing else changes."""
    placed = start_flags("kosmos-1990", 4)
    for colour in ("red", "yellow"):
        placed.pop(next(name for name, it in placed.items() if it == colour))
    red, yellow = flags
    now = GAME.position(position(flags=placed | flags))
    then = GAME.accepted(now, parse_board(after(now.board.text, f"{red}>{yellow}")))
    assert (then.turn, then.to_move) == (2, Colour.YELLOW)
    assert {colour.word: count for colour, count in then.in_hand.items()} == {"green": 0, "blue": 0} | hand
    assert {colour.word: count for colour, count in then.attacks.items()} == {
        "red": attacks,
        "yellow": 0,
        "green": 0,
        "blue": 0,
    }
    assert then.reserve == now.reserve


def test_headers_letter_by_letter() -> None:
    now = GAME.position(
        position(
            "ludibay-fr",
            3,
            variants=["burgenland"],
            captures_open=True,
            final_round=True,
            winners=["yellow"],
            turn=2,
            to_move="yellow",
            options={"exterior": "line"},
        )
    )
    written = RECORDS.headers(now)
    assert list(RECORDS.headers(START)) == ["game", "edition", "seats", "first", "board"]
    assert written == {
        "game": "terra-turrium",
        "edition": "ludibay-fr",
        "variants": "burgenland",
        "options": "exterior=line",
        "seats": "nw=red ne=yellow se=green sw=none",
        "first": "red",
        "to_move": "yellow",
        "turn": "2",
        "board": now.board.text,
        "captures_open": "yes",
        "winners": "yellow",
        "final_round": "yes",
    }
    assert RECORDS.start(Record(written, ())) == now
    commas = written | {"seats": "nw=red,ne=yellow, se=green,sw=none", "turn": "0000000002", "captures_open": "yes"}
    assert RECORDS.start(Record(commas, ())) == now


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("turn", "00000000002"),
        ("turn", "²"),
        ("turn", "\uff12"),
        ("captures_open", "YES"),
        ("seats", "nw=red ne=yellow se=green sw="),
        ("seats", "nw=red ne=yellow se=green =blue"),
    ],
)
def test_headers_that_can_t_be_read(key: str, value: str) -> None:
    headers = RECORDS.headers(GAME.position(position("ludibay-fr", 4, variants=["burgenland"])))
    with pytest.raises(RecordError) as caught:
        RECORDS.start(Record(headers | {key: value}, ()))
    assert f"header {key}: {value!r} can't be read" in str(caught.value)


@pytest.mark.parametrize(("red", "yellow", "attack"), [("D7", "D6", False), ("E5", "F5", True)])
def test_an_attack_is_reported(red: str, yellow: str, attack: bool) -> None:
    placed = start_flags("kosmos-1990", 4)
    for colour in ("red", "yellow"):
        placed.pop(next(name for name, it in placed.items() if it == colour))
    now = GAME.position(position(flags=placed | {red: "red", yellow: "yellow"}))
    acts = ("-E8", "-D8", "-E9", "+D9", "+D9", "+C9", f"{red}>{yellow}")
    ruling = GAME.check(now, parse_board(after(now.board.text, *acts)))
    assert ruling.legal
    assert ruling.turn is not None
    assert ruling.turn["attack"] is attack
    assert [act.kind for act in ruling.acts] == ["take"] * 3 + ["build"] * 3 + ["move"]
