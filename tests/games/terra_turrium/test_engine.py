"""What other rooms ask of the engine: set-up, seats, sighting, frames, a game that is over."""

from __future__ import annotations

import pytest

from referee.games import game_named
from referee.games.contract import Game, RequestError
from referee.games.terra_turrium.colours import LETTERS, Colour, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.values.board import Board, Field
from tests.games.terra_turrium.positions import after, position, start_flags, start_stacks, text


def test_the_contract() -> None:
    game: Game[object] = game_named("terra-turrium")
    assert (game.name, game.title) == ("terra-turrium", "Terra Turrium")


@pytest.mark.parametrize(("edition", "players"), [(e, n) for e in ("kosmos-1990", "ludibay-fr") for n in (2, 3, 4)])
def test_a_right_set_up(edition: str, players: int) -> None:
    start = GAME.position(position(edition, players))
    assert GAME.setup_differences(start, start.board) == ()


def test_a_wrong_set_up_is_told_field_by_field() -> None:
    start = GAME.position(position())
    board = parse_board(after(position()["board"], "-E5", "+J1", "A10>J10"))
    found = GAME.setup_differences(start, board)
    assert {field.name for violation in found if violation.rule == "setup.height" for field in violation.fields} == {
        "E5",
        "J1",
    }
    flags = [violation.message for violation in found if violation.rule == "setup.flags"]
    assert flags == [
        "Red’s flag on J10 must start in Red’s own territory (German rule sheet: “Vorbereitung”).",
        "Yellow starts with 6 flags on the board, but has 5 there (German rule sheet: “Vorbereitung”).",
    ]
    assert [v.message for v in found if v.fields == (Field.from_name("E5"),)] == [
        "E5 starts with 2 cubes, but has 1 (German rule sheet: “Vorbereitung”)."
    ]


def test_missing_flags_and_strangers_in_the_set_up() -> None:
    start = GAME.position(position(players=3))
    flags = {"C9": "red", "E6": "blue", "A10": "red"}
    board = parse_board(text(start_stacks("kosmos-1990", 3), flags))
    messages = [violation.message for violation in GAME.setup_differences(start, board)]
    assert "A flag of Blue’s stands on E6, but Blue does not play (German rule sheet: “Vorbereitung”)." in messages
    assert "Red’s flag on A10 must start on a cube (German rule sheet: “Vorbereitung”)." in messages
    assert "Green starts with 6 flags on the board, but has 0 there (German rule sheet: “Vorbereitung”)." in messages


def test_cubes_in_reserve_are_missing_from_the_set_up() -> None:
    stacks = start_stacks("kosmos-1990", 4) | {"E8": 0}
    start = GAME.position(position(stacks=stacks, variants=["handicap"], reserve={"blue": 1}))
    assert GAME.setup_differences(start, start.board) == ()


def test_seats() -> None:
    red, *_ = GAME.seats(GAME.position(position(players=2, attacks={"red": 2})))
    assert red.places == ("nw", "sw")
    assert [(c.id, c.words.text(), c.value, c.of) for c in red.counters] == [
        ("attacks", "attacks", 2, 5),
        ("in_hand", "in hand", 0, 6),
    ]
    assert red.goal is not None
    assert red.goal.text() == "towers 1 of 6-5-4-3-2-1"
    game = position(edition="ludibay-fr", variants=["burgenland"], captures_open=True)
    assert ("captures_left", 2, 2) in [(c.id, c.value, c.of) for c in GAME.seats(GAME.position(game))[0].counters]
    game = position(variants=["handicap"])
    assert ("reserve", 0, 116) in [(c.id, c.value, c.of) for c in GAME.seats(GAME.position(game))[0].counters]


def test_sighting() -> None:
    start = GAME.position(position(players=3, attacks={"red": 2, "green": 5}))
    sighting = GAME.prior_after(start)
    assert sighting.colours == {Colour.RED, Colour.YELLOW, Colour.GREEN}
    assert sighting.flags_each == 6
    assert sighting.previous == start.board
    assert len(sighting.outside) == 36
    assert dict(sighting.tracks) == {"nw": 3, "ne": 1, "se": 0}


def test_a_finished_game_is_not_judged() -> None:
    over = GAME.position(position(finished=True, final_round=True, winners=["red"]))
    with pytest.raises(RequestError, match="over"):
        GAME.check(over, over.board)


def test_boards_that_don_t_fit() -> None:
    start = GAME.position(position(players=3))
    with pytest.raises(RequestError, match="ten"):
        GAME.check(start, Board.parse("11/11", 2, 2, LETTERS))
    with pytest.raises(RequestError, match="ten") as caught:
        GAME.setup_differences(start, Board.parse("11/11", 2, 2, LETTERS))
    assert caught.value.code == "board"
    with pytest.raises(RequestError, match="Blue"):
        GAME.check(start, parse_board(after(position(players=3)["board"], "blue>E5")))


def test_a_scrambled_board_is_answered() -> None:
    """Everything everywhere else: still an explanation, all sets of one size, and no end of time."""
    start = GAME.position(position())
    rows = position()["board"].split("/")
    ruling = GAME.check(start, parse_board("/".join(row[::-1] if row.isdigit() else row for row in rows[::-1])))
    assert not ruling.legal
    assert ruling.complete
    assert {len(rules) for rules in ruling.alternatives} <= {len(ruling.violations)}
    assert ruling.turn is not None


def test_what_is_wrong_with_a_set_up_and_where() -> None:
    start = GAME.position(position(players=3))
    flags = {"C9": "red", "E6": "blue", "A10": "red", "D4": "red", "J5": "green"}
    board = parse_board(text(start_stacks("kosmos-1990", 3) | {"E5": 1, "A1": 1}, flags))
    found = GAME.setup_differences(start, board)
    assert [" ".join((v.rule, *(field.name for field in v.fields))) for v in found] == [
        "setup.height A1",
        "setup.height E5",
        "setup.flags D4",
        "setup.flags A10",
        "setup.flags D4 C9 A10",
        "setup.flags",
        "setup.flags J5",
        "setup.flags J5",
        "setup.flags E6",
    ]


@pytest.mark.parametrize("edition", ["kosmos-1990", "ludibay-fr"])
def test_two_players_start_in_both_their_territories(edition: str) -> None:
    start = GAME.position(position(edition, 2, seats={"nw": "red", "ne": "blue", "se": "blue", "sw": "red"}))
    left, right = ("C3", "C8", "D3", "D8", "E3", "E8"), ("H3", "H8", "G3", "G8", "F3", "F8")
    board = parse_board(text(start_stacks(edition, 2), dict.fromkeys(left, "red") | dict.fromkeys(right, "blue")))
    assert GAME.setup_differences(start, board) == ()
    board = parse_board(text(start_stacks(edition, 2), dict.fromkeys(left, "blue") | dict.fromkeys(right, "red")))
    assert len(GAME.setup_differences(start, board)) == 12


def counted(data: dict[str, object]) -> list[list[tuple[str, int, int]]]:
    return [[(c.id, c.value, c.of) for c in seat.counters] for seat in GAME.seats(GAME.position(data))]


def test_players_and_what_is_counted_of_them() -> None:
    game = position(
        edition="ludibay-fr",
        variants=["burgenland"],
        captures_open=True,
        captures_left={"yellow": 1},
        in_hand={"green": 1},
        flags={k: v for k, v in start_flags("ludibay-fr", 4).items() if k != "J1"},
    )
    assert [(seat.colour.word, seat.places) for seat in GAME.seats(GAME.position(game))] == [
        ("red", ("nw",)),
        ("yellow", ("ne",)),
        ("green", ("se",)),
        ("blue", ("sw",)),
    ]
    assert [(name, of) for name, _, of in counted(game)[1]] == [(name, of) for name, _, of in counted(game)[2]]
    assert [value for _, value, _ in counted(game)[1]] == [0, 0, 1]
    assert [value for _, value, _ in counted(game)[2]] == [0, 1, 2]
    closed = position(edition="ludibay-fr", variants=["burgenland"])
    assert [(value, of) for _, value, of in counted(closed)[0]] == [(0, 5), (0, 6)]


def test_the_tracks_of_two_players() -> None:
    sighting = GAME.prior_after(GAME.position(position(players=2, attacks={"red": 4, "blue": 5})))
    assert sighting.tracks == (("nw", 5), ("ne", 0))
    assert {field.name for field in GAME.prior_after(GAME.position(position())).outside} == set()


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        ("-E8 +A1", ["build.outside A1"]),
        ("-E8 -E7 -D8 +D4 +A1 +A2", ["build.outside A1 A2"]),
        ("-E8", ["cubes.conserved E8"]),
        ("-E8 -E8 +E7 +D7", None),
    ],
)
def test_the_fields_of_a_violation(acts: str, told: list[str] | None) -> None:
    data = position(players=3)
    ruling = GAME.check(GAME.position(data), parse_board(after(data["board"], *acts.split())))
    found = [" ".join((v.rule, *(field.name for field in v.fields))) for v in ruling.violations]
    assert found == told or (told is None and all(v.fields for v in ruling.violations))
