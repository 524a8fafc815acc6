"""The shelf: what a card tells, what a search finds, and what is left after every accident."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.backup import BackupWishes, backup
from referee.archive.export import export
from referee.archive.removal import GOING, delete_game, losses
from referee.archive.repair import repair_game
from referee.archive.restore import BackupError, restore
from referee.archive.shelf import GameCard, GameResult, GameSearch, Shelf, card_file, card_of
from referee.cli import main
from referee.daemon.gamesfolder import GamesFolder
from referee.games import game_named
from referee.match.events import GameStarted, SeatsTaken
from referee.storage.checkpoint import Signer
from referee.storage.evidence import pictures_folder
from referee.storage.inuse import InUse
from referee.storage.journal import Journal, JournalError, read_journal
from referee.storage.retention import Limits, sweep
from tests.archive.game import write_journal
from tests.house.tmpfs import make_read_only, small_disk

ROOT = Path(__file__).parents[2]
STRIDE = "1" if os.environ.get("ALL_ARCHIVE") else "5"
"""At every so many steps of what is done the plug is pulled; make archive pulls it at every one."""


def run(*words: object, **environ: str) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), env=environ)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder with one game."""
    write_journal(tmp_path / "games" / "final.journal")
    return tmp_path


def damaged(journal: Path, number: int) -> None:
    """Change a byte of an event where it lies."""
    content = journal.read_bytes()
    at = content.index(f'"number":{number},"previous"'.encode()) + 20
    journal.write_bytes(content[:at] + b"x" + content[at + 1 :])


def test_a_card_tells_who_played_and_not_who_was_to_play(tmp_path: Path) -> None:
    game = game_named("terra-turrium")
    agreed, seen = (
        game.new_game({"edition": "kosmos-1990", "seats": dict(zip(("nw", "ne", "se", "sw"), words, strict=True))})
        for words in (("red", "yellow", "green", "blue"), ("blue", None, "yellow", "red"))
    )
    with Journal(tmp_path / "game.journal") as journal:
        for event in (GameStarted(agreed, "Table"), SeatsTaken("tablet", seen)):
            journal.append(event.kind, event.to_json())
    assert [word for word, _ in card_of(tmp_path / "game.journal").players] == ["blue", "yellow", "red"]


def test_a_card_tells_the_game(data: Path) -> None:
    card = card_of(data / "games" / "final.journal")
    assert (card.name, card.title, card.turns, card.result) == ("final", "Terra Turrium", 2, None)
    assert dict(card.players)["red"] == "Anna"
    assert (card.events, card.pictures, card.disputed, card.trouble) == (11, 6, False, "")
    assert card.head == read_journal(card.path)[-1].hash


def test_a_dispute_and_the_end_stand_on_the_card(data: Path) -> None:
    path = data / "games" / "final.journal"
    with Journal(path) as journal:
        journal.append("disputed", {"by": "Anna", "dispute": 1, "entry": 1, "words": ""})
    assert (card_of(path).disputed, card_of(path).disputes) == (True, 1)
    with Journal(path) as journal:
        journal.append("resolved", {"by": "Anna", "dispute": 1, "outcome": "stands", "words": ""})
        journal.append("game_ended", {"by": "Anna", "how": "agreement", "winners": ["red"]})
    card = card_of(path)
    assert (card.disputed, card.disputes, card.result) == (False, 1, GameResult("agreement", ("red",)))
    assert card.result_text() == "won by Anna, by agreement"


CARD = GameCard(
    Path("club-20260314-200000.journal"),
    "club-20260314-200000",
    "some-game",
    "Some Game",
    (("red", "Anna"), ("blue", "")),
    "2026-03-14T20:00:00.000+00:00",
    result=GameResult("rules", ("red",)),
    disputed=True,
)


@pytest.mark.parametrize(
    ("search", "found"),
    [
        (GameSearch(), True),
        (GameSearch(text="anna SOME 2026-03"), True),
        (GameSearch(text="anna other"), False),
        (GameSearch(player="ann"), True),
        (GameSearch(player="blue"), True),
        (GameSearch(player="Bernd"), False),
        (GameSearch(since="2026-03-14", until="2026-03-14"), True),
        (GameSearch(since="2026-03-15"), False),
        (GameSearch(until="2026-03-13"), False),
        (GameSearch(game="some"), True),
        (GameSearch(game="other"), False),
        (GameSearch(result="anna"), True),
        (GameSearch(result="rules"), True),
        (GameSearch(result="blue"), False),
        (GameSearch(result="running"), False),
        (GameSearch(disputed=True), True),
        (GameSearch(disputed=False), False),
    ],
)
def test_a_search_finds_what_it_asks_for(search: GameSearch, found: bool) -> None:
    assert search.finds(CARD) is found


def test_the_shelf_makes_a_card_anew_only_for_a_journal_that_changed(data: Path) -> None:
    shelf = Shelf(data / "games")
    (first,) = shelf.cards()
    assert shelf.cards()[0] is first
    with Journal(first.path) as journal:
        journal.append("paused", {"by": "Anna"})
    assert shelf.cards()[0].events == first.events + 1


def test_games_are_listed_and_shown(data: Path) -> None:
    listed = run("games", "list", "--folder", data / "games", "--json", "--player", "Anna")
    assert json.loads(listed.stdout)["name"] == "final"
    assert run("games", "list", "--folder", data / "games", "--player", "nobody").stdout == ""
    assert "final" in run("games", REFEREE_DATA_FOLDER=str(data)).stdout
    shown = run("games", "show", "--folder", data / "games", "final")
    assert "1. red" in shown.stdout
    unknown = run("games", "show", "--folder", data / "games", "other")
    assert (unknown.exit_code, "there is no game of this name" in unknown.output) == (2, True)


def test_a_report_is_asked_for_by_name(data: Path) -> None:
    out = data / "turn.html"
    done = run("games", "report", "--folder", data / "games", "final", "--turn", "1", "--out", out)
    assert (done.exit_code, out.is_file()) == (0, True), done.output


def test_deleting_says_what_is_lost_and_asks(data: Path) -> None:
    words = ("games", "delete", "--folder", data / "games", "final")
    asked = CliRunner().invoke(main, list(map(str, words)), input="yes\n")
    assert (asked.exit_code, "6 pictures" in asked.output) == (1, True)
    assert card_file(data / "games" / "final.journal").exists()
    assert (data / "games" / "final.journal").exists()
    assert CliRunner().invoke(main, list(map(str, words)), input="final\n").exit_code == 0
    assert Shelf(data / "games").cards() == []
    assert not pictures_folder(data / "games" / "final.journal").exists()
    assert not card_file(data / "games" / "final.journal").exists()


def test_a_game_that_is_played_is_neither_deleted_nor_repaired(data: Path) -> None:
    path = data / "games" / "final.journal"
    with Journal(path):
        for refuse in (delete_game, repair_game):
            with pytest.raises(JournalError, match="being played"):
                refuse(path)
    assert len(read_journal(path)) == 11


def test_what_is_lost_is_said_of_what_matters(data: Path) -> None:
    told = [words.text() for words in losses(card_of(data / "games" / "final.journal"))]
    assert "The record of 2 turns" in told
    assert "A game that is not over: it can’t be carried on" in told


def test_a_broken_off_deletion_spares_a_game_that_took_the_name(data: Path) -> None:
    path = data / "games" / "final.journal"
    path.with_name(path.name + GOING).write_bytes(b"")
    done = run("games", "repair", "--folder", data / "games")
    assert (done.exit_code, len(list(pictures_folder(path).iterdir()))) == (0, 6)
    assert len(read_journal(path)) == 11


def test_a_damaged_journal_is_repaired_as_far_as_it_holds(data: Path) -> None:
    path = data / "games" / "final.journal"
    before = read_journal(path)
    damaged(path, 8)
    content = path.read_bytes()
    assert "can’t be read" in run("games", "list", "--folder", data / "games", "--json").stdout
    done = run("games", "repair", "--folder", data / "games")
    assert (done.exit_code, "7 events are whole again" in done.output) == (0, True), done.output
    assert read_journal(path) == before[:7]
    assert path.with_name("final.journal.damaged").read_bytes() == content
    later = [json.loads(line)["number"] for line in path.with_name("final.journal.salvaged").read_text().splitlines()]
    assert later == [8, 9, 10, 11]
    assert run("journal", "verify", path).exit_code == 0
    with Journal(path) as journal:
        journal.append("paused", {"by": "Anna"})


def test_what_a_bit_made_bytes_of_is_kept_for_people_too(data: Path) -> None:
    """SQLite keeps a value's type in one byte beside it."""
    path = data / "games" / "final.journal"
    damaged(path, 8)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER events_no_update")
        db.execute("UPDATE events SET body = CAST(body AS BLOB) WHERE number = 9")
    assert repair_game(path).salvaged == 4
    later = path.with_name("final.journal.salvaged").read_text().splitlines()
    assert json.loads(json.loads(later[1])["event"])["kind"]


def test_a_damaged_picture_is_set_aside(data: Path) -> None:
    path = data / "games" / "final.journal"
    picture = sorted(pictures_folder(path).iterdir())[0]
    picture.write_bytes(b"\xff\xd8\xff something else")
    done = repair_game(path)
    assert (done.changed, done.bad_pictures, done.missing_pictures) == (False, 1, 1)
    assert picture.with_name(picture.name + ".damaged").exists()
    assert repair_game(path).whole


def test_a_journal_of_which_nothing_is_left_says_where_to_go(data: Path) -> None:
    path = data / "games" / "final.journal"
    path.write_bytes(b"\x00" * 5000)
    done = run("games", "repair", "--folder", data / "games")
    assert (done.exit_code, "referee restore" in done.output) == (2, True)
    assert path.read_bytes() == b"\x00" * 5000


def test_a_whole_referee_moves_to_another_machine(data: Path, tmp_path: Path) -> None:
    Signer.open(data / "checkpoint.key")
    (data / "devices.db").write_bytes(b"who may act")
    settings = tmp_path / "settings.toml"
    settings.write_text('[cameras]\ncam0 = "rtsp://me:secret@camera/one"\n')
    out, other = tmp_path / "out.zip", tmp_path / "other"
    done = run("backup", out, "--data", data, REFEREE_SETTINGS=str(settings))
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(out) as pack:
        assert {"checkpoint.key", "devices.db"}.isdisjoint(pack.namelist())
    assert b"secret" not in out.read_bytes()
    assert out.stat().st_mode & 0o077 == 0
    back = run("restore", out, "--data", other)
    assert (back.exit_code, "1 game is back" in back.output) == (0, True), back.output
    game = "games/final.journal"
    assert read_journal(other / game) == read_journal(data / game)
    assert run("journal", "verify", other / game).exit_code == 0
    assert "***" in (other / "restored-settings.toml").read_text()
    again = run("restore", out, "--data", other)
    assert (again.exit_code, "was there already" in again.output) == (0, True)


def test_secrets_travel_only_when_they_are_meant_to(data: Path, tmp_path: Path) -> None:
    Signer.open(data / "checkpoint.key")
    (data / "devices.db").write_bytes(b"who may act")
    settings = tmp_path / "settings.toml"
    settings.write_text('[cameras]\ncam0 = "rtsp://me:secret@camera/one"\n')
    out, other = tmp_path / "out.zip", tmp_path / "other"
    assert run("backup", out, "--data", data, "--with-secrets", REFEREE_SETTINGS=str(settings)).exit_code == 0
    assert run("restore", out, "--data", other).exit_code == 0
    assert (other / "checkpoint.key").read_bytes() == (data / "checkpoint.key").read_bytes()
    assert (other / "checkpoint.key").stat().st_mode & 0o077 == 0
    assert "me:secret" in (other / "restored-settings.toml").read_text()
    assert not (other / "devices.db").exists()


def test_a_game_is_backed_up_while_it_is_played(data: Path, tmp_path: Path) -> None:
    with Journal(data / "games" / "final.journal") as journal:
        journal.append("paused", {"by": "Anna"})
        backup(data, tmp_path / "out.zip", BackupWishes())
        journal.append("resumed", {"by": "Anna"})
    restore(tmp_path / "out.zip", tmp_path / "other")
    assert read_journal(tmp_path / "other" / "games" / "final.journal")[-1].kind == "paused"


def test_another_game_of_the_same_name_is_left_alone(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "out.zip", BackupWishes())
    other = tmp_path / "other" / "games" / "final.journal"
    with Journal(other) as journal:
        journal.append("paused", {"by": "Bernd"})
    done = run("restore", tmp_path / "out.zip", "--data", tmp_path / "other")
    assert (done.exit_code, "left as it is" in done.output) == (1, True)
    assert len(read_journal(other)) == 1


def test_nothing_is_restored_under_a_running_referee(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "out.zip", BackupWishes())
    with InUse(data), pytest.raises(BackupError, match="stop it first"):
        restore(tmp_path / "out.zip", data)


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "games/../../out", "games/devices.db", "elsewhere/file"])
def test_a_backup_reaches_nowhere_else(tmp_path: Path, name: str) -> None:
    packed, digest = tmp_path / "evil.zip", "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    with zipfile.ZipFile(packed, "w") as pack:
        pack.writestr(name, "1")
        files = {name: {"bytes": 1, "sha256": digest}}
        pack.writestr("backup.json", json.dumps({"format": "referee backup 1", "made_at": "", "files": files}))
    with pytest.raises(BackupError, match="no place in a backup"):
        restore(packed, tmp_path / "data")


def test_a_damaged_backup_writes_nothing(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.zip"
    backup(data, out, BackupWishes())
    content = bytearray(out.read_bytes())
    for at in range(40, len(content), len(content) // 25):
        out.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        done = run("restore", out, "--data", tmp_path / "other")
        if done.exit_code == 0:  # a byte that says nothing, such as a date
            assert read_journal(tmp_path / "other/games/final.journal") == read_journal(data / "games/final.journal")
            shutil.rmtree(tmp_path / "other")
        assert "please report" not in done.output
        assert not (tmp_path / "other" / "games").exists()


def test_a_full_disk_leaves_no_half_backup(data: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 8) as small:
        (small / "filler").write_bytes(b"x" * 4096)
        done = run("backup", small / "out.zip", "--data", data)
        assert (done.exit_code, "is not written" in done.output) == (2, True), done.output
        assert [path.name for path in small.iterdir()] == ["filler"]


def test_a_read_only_disk_is_not_taken_for_a_game_that_is_played(data: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 4000) as small:
        shutil.copytree(data / "games", small / "games")
        make_read_only(small)
        for words in (("delete", "final", "--yes"), ("repair", "final")):
            done = run("games", words[0], "--folder", small / "games", *words[1:])
            assert (done.exit_code, "read-only" in done.output) == (2, True), done.output
            assert "being played" not in done.output
        assert sweep(small, Limits(1.0, 0), 4e9) == []


def test_a_lock_that_can_t_be_opened_is_told(data: Path) -> None:
    (data / "games" / "final.journal.lock").unlink()
    (data / "games" / "final.journal.lock").mkdir()
    done = run("games", "delete", "--folder", data / "games", "final", "--yes")
    assert (done.exit_code, "can't be written (Is a directory)" in done.output) == (2, True), done.output
    assert (data / "games" / "final.journal").exists()


def test_a_damaged_journal_names_the_way_on_when_it_is_taken_up(data: Path) -> None:
    games, journal = data / "games", data / "games" / "table-20260314-200000.journal"
    for name in ("final.journal", "final.pictures"):
        (games / name).rename(games / name.replace("final", journal.stem))
    damaged(journal, 8)
    shelf, game = GamesFolder(games, "table"), game_named("terra-turrium")
    with pytest.raises(JournalError, match=r"event 8 was changed.*with --new another game begins") as told:
        shelf.carry_on(game)
    command = str(told.value).split("'")
    words = shlex.split(next(part for part in command if part.startswith("referee games repair")))
    assert run(*words[1:]).exit_code == 0
    carried = shelf.carry_on(game)
    assert carried is not None
    assert carried.journal.last == 7
    carried.close()
    journal.write_bytes(b"SQLite format 3\x00, and nothing else")
    with pytest.raises(JournalError, match="referee games repair"):
        shelf.carry_on(game)


def test_a_restore_says_how_much_room_it_needs(data: Path, tmp_path: Path) -> None:
    backup(data, tmp_path / "out.zip", BackupWishes())
    with small_disk(tmp_path / "small", 1000) as small:
        done = run("restore", tmp_path / "out.zip", "--data", small / "data")
        assert (done.exit_code, "make room" in done.output) == (2, True), done.output


@pytest.mark.long
@pytest.mark.parametrize("scene", ["delete", "backup", "export", "import", "restore", "repair"])
def test_a_plug_pulled_at_any_step_loses_nothing(data: Path, tmp_path: Path, scene: str) -> None:
    tries = tmp_path / "tries"
    start = tries / "start"
    start.mkdir(parents=True)
    shutil.copytree(data / "games", start / "games")
    if scene == "restore":
        backup(data, start / "packed.zip", BackupWishes())
    if scene == "import":
        export(data / "games" / "final.journal", start / "packed.zip")
    if scene == "repair":
        damaged(start / "games" / "final.journal", 4)
    child = [sys.executable, "-m", "tests.archive.pulled", scene, str(tries), STRIDE]
    done = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 5


def test_a_row_that_was_taken_out_is_a_gap(data: Path) -> None:
    path = data / "games" / "final.journal"
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_no_delete")
        db.execute("DELETE FROM events WHERE number = 5")
    db.close()
    done = repair_game(path)
    assert (done.events, done.salvaged, done.lost_at) == (4, 6, 5)
