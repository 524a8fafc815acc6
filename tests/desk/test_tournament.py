"""Pairings from a file, results from the tables: each game counts once, for those who played it."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

from referee.desk.hall import HeardHall
from referee.desk.tournament import read_pairings
from referee.desk.tournamentfiles import TournamentFiles
from referee.hall.messages import HallError, HallResult
from tests.desk.tables import NOTHING, Sent, Voice

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1 must be"),
        ("round,table,a,b\nx,Table 1,Ana,Ben\n", "line 2: it needs the number"),
        ("round,table,a,b\n1,Table 1,Ana\n", "line 2: it needs 2 to"),
        ("round,table,a,b\n1,Table 1,Ana,Ana\n", "each once"),
        ("round,table,a,b\n1,Table 1,Ana,Ben\n1,Table 1,Cleo,Dov\n", "line 3: table Table 1 is there twice"),
        (f"round,table,a,b\n1,Table 1,Ana,{'B' * 99}\n", "too long"),
        (f"round,table,a,b\n1,Table 1,Ana,{'B' * 200_000}\n", "no CSV file"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(HallError, match=told):
        read_pairings(text, "cup.csv")
