"""Pairings from a file, results from the tables: each game counts once, for those who played it."""

from __future__ import annotations

import csv
import os
from functools import reduce
from pathlib import Path

import pytest

from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.tournament import read_pairings, seated
from referee.addons.hall.desk.tournamentfiles import TournamentFiles
from referee.addons.hall.messages import HallError, HallResult
from referee.addons.hall.show import pairings_of, shown_games
from referee.addons.hall.showntable import ShownTable
from tests.addons.hall.desk.tables import NOTHING, Sent, Voice
from tests.untyped import untyped

PAIRINGS = "round,table,player 1,player 2\n1,Table 1,Ana,Ben\n1,Table 2,Cleo,Dov\n2,Table 1,Ana,Cleo\n"
ONE, TWO = Voice(1), Voice(2)


def hall(*messages: Sent) -> HeardHall:
    return reduce(lambda so_far, one: so_far.heard(*one, 1), (ONE.about(), TWO.about(), *messages), HeardHall())


def over(*winners: str) -> HallResult:
    return HallResult(how="rules", winners=winners, words=NOTHING)


def test_each_game_counts_once_and_only_where_it_was_seen_under_way(tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    file.write_text(PAIRINGS, encoding="utf-8")
    cup = TournamentFiles(file)
    ended = [ONE.stands(2, result=over("yellow")), TWO.stands(2, result=over("red"))]
    cup.follow(hall(ONE.stands(1), ended[1]))
    for _ in range(2):
        cup.follow(hall(*ended))
    assert (tmp_path / "cup-standings.csv").read_text().splitlines() == [
        "player,games,points", "Ben,1,1", "Cleo,0,0", "Dov,0,0", "Ana,1,0",
    ]  # fmt: skip
    again = TournamentFiles(file)
    again.follow(hall(ONE.stands(3)))
    again.follow(hall(*ended))
    assert again.view() == cup.view(), "after a restart nothing counts twice"
    again.follow(hall(ONE.stands(4, game=2)))
    again.follow(hall(ONE.stands(5, game=2, result=over())))
    rows = (tmp_path / "cup-results.csv").read_text().splitlines()
    assert [row.split(",")[:2] + row.split(",")[3:4] for row in rows[1:]] == [
        ["1", "Table 1", "Ben"],
        ["2", "Table 1", ""],
    ]


def test_the_hall_that_plays_by_itself_has_pairings() -> None:
    games = shown_games()
    tables = [ShownTable(f"Table {n}", games[n % len(games)], "", "", n, "en") for n in range(1, 7)]
    found = read_pairings(pairings_of(tables), "pairings.csv")
    assert [(one.round, one.table) for one in found] == [(turn, table.name) for turn in (1, 2) for table in tables]
    for turn in (1, 2):
        people = [player for one in found if one.round == turn for player in one.players]
        assert len(set(people)) == len(people), "nobody sits at two tables"


def test_a_result_is_put_right_while_the_desk_is_open(tmp_path: Path) -> None:
    file, results = tmp_path / "cup.csv", tmp_path / "cup-results.csv"
    file.write_text(PAIRINGS, encoding="utf-8")
    cup = TournamentFiles(file)
    cup.follow(hall(ONE.stands(1)))
    cup.follow(hall(ONE.stands(2, result=over("yellow"))))
    written = results.read_text()
    results.write_text(written.replace(",Ben,Ana", ",Ana,Ana"), encoding="utf-8")
    os.utime(results, ns=(1, 1))
    cup.follow(hall(ONE.stands(2, result=over("yellow"))))
    assert untyped(cup.view())["games"][0]["winners"] == ["Ana"]
    assert "Ana,1,1" in (tmp_path / "cup-standings.csv").read_text()
    results.write_text("round,table\nnonsense,1,2,3\n", encoding="utf-8")
    os.utime(results, ns=(2, 2))
    cup.follow(hall(ONE.stands(2, result=over("yellow"))))
    assert untyped(cup.view())["games"][0]["winners"] == ["Ana"], "what can't be read changes nothing"


@pytest.mark.parametrize(
    ("players", "winner", "counted"),
    [
        ({"red": "Ben", "yellow": "Ana"}, "red", "Ben"),
        ({"red": "Ben", "yellow": "Yellow"}, "red", "Ben"),  # who is left has the colour without a name
        ({"red": "Ben", "yellow": "Yellow"}, "yellow", "Ana"),
        ({"red": "ben ", "yellow": "  ANA"}, "red", "Ben"),
        ({"red": "Red", "yellow": "Yellow"}, "red", "Ana"),  # no names: in order
        ({"red": "Ben", "yellow": "Zoe"}, "yellow", None),
        ({"red": "Ben", "yellow": "Ben"}, "red", None),
        ({"red": "Ana", "yellow": "Yellow", "green": "Green"}, "red", None),
    ],
)
def test_a_win_goes_to_whoever_has_the_colour_or_to_nobody(
    tmp_path: Path, players: dict[str, str], winner: str, counted: str | None
) -> None:
    file = tmp_path / "cup.csv"
    file.write_text("round,table,player 1,player 2\n1,Table 1,Ana,Ben\n", encoding="utf-8")
    cup = TournamentFiles(file)
    cup.follow(hall(ONE.stands(1, players=players)))
    cup.follow(hall(ONE.stands(2, players=players, result=over(winner))))
    (game,) = untyped(cup.view()["games"])
    assert (game["over"], game["others"]) == (counted is not None, counted is None)
    assert game["winners"] == ([counted] if counted else [])


def test_of_three_only_some_have_names() -> None:
    (pairing,) = read_pairings("round,table,a,b,c\n1,Table 1,Ana,Ben,Cleo\n", "cup.csv")

    def sit(red: str, yellow: str, green: str) -> dict[str, str]:
        named = {"red": red, "yellow": yellow, "green": green}
        state = hall(ONE.stands(1, players=named)).tables[ONE.id].state
        assert state is not None
        return seated(pairing, state)

    assert sit("", "Ben", "") == {"red": "Ana", "yellow": "Ben", "green": "Cleo"}
    assert sit("Ben", "", "") == {}, "the others may sit in either order"
    assert sit("Ben", "Cleo", "") == {"red": "Ben", "yellow": "Cleo", "green": "Ana"}


@pytest.mark.parametrize(
    ("paired", "name"),
    [
        *((name, name) for name in ("=1+1", "+Ana", "-Ana", "@SUM(1)", "＝1", "'t Hooft", "Ana")),
        ("'=1+1", "=1+1"),  # by a program that has made it harmless, too
        ("''=1+1", "'=1+1"),
    ],
)
def test_a_name_that_is_a_formula_is_none_in_a_spreadsheet(tmp_path: Path, paired: str, name: str) -> None:
    file = tmp_path / "cup.csv"
    file.write_text(f"round,table,player 1,player 2\n1,Table 1,{paired},Ben\n", encoding="utf-8")
    cup = TournamentFiles(file)
    cup.follow(hall(ONE.stands(1)))
    cup.follow(hall(ONE.stands(2, result=over("red"))))
    for written in (tmp_path / "cup-results.csv", tmp_path / "cup-standings.csv"):
        cells = [cell for row in csv.reader(written.read_text(encoding="utf-8").splitlines()) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "＝"))]
    assert TournamentFiles(file).view() == cup.view(), "and is the name again when it is read"
    (game,) = untyped(cup.view()["games"])
    assert game["winners"] == [name]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1 must be"),
        ("round,table,a,b\nx,Table 1,Ana,Ben\n", "line 2: it needs the number"),
        ("round,table,a,b\n1,Table 1,Ana\n", "line 2: it needs 2 to"),
        ("round,table,a,b\n1,Table 1,Ana,Ana\n", "each once"),
        ("round,table,a,b\n1,Table 1,Ana,Ben\n1,Table 1,Cleo,Dov\n", "line 3: table Table 1 is there twice"),
        ("round,table,a,b\n1,Table 1,Ana,ANA\n", "each once"),
        (f"round,table,a,b\n1,Table 1,Ana,{'B' * 99}\n", "too long"),
        (f"round,table,a,b\n1,Table 1,Ana,{'B' * 200_000}\n", "no CSV file"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(HallError, match=told):
        read_pairings(text, "cup.csv")
