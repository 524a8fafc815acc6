"""A game packed to be sent in, and the commands that look after journals."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.measures import keep_measures
from referee.cli import main
from referee.games import game_named
from referee.games.contract import Ruling
from referee.games.record import parse_record
from referee.games.terra_turrium.colours import parse_board
from referee.match.events import CameraNote, Event, GameStarted, LookTaken, ReadingMade, TurnRuled
from referee.storage.evidence import EvidenceStore, content_id, pictures_folder
from referee.storage.journal import GENESIS, Journal, canonical, chain
from tests.games.terra_turrium.positions import after, position

JPEG = b"\xff\xd8\xff a picture of the table"
GAME = game_named("terra-turrium")


def run(*words: object, **environ: str) -> Result:
    return CliRunner().invoke(main, list(map(str, words)), env=environ)


def looked(number: int, ruling: Ruling, board: str, pictures: dict[str, str]) -> list[Event]:
    """Return the events of a look."""
    notes = (CameraNote("cam0", 8, 0.2),)
    reading = ReadingMade(board, ((1.0,) * 10,) * 10, (), True, (), notes, 50.0, tuple(pictures.items()))
    return [LookTaken(number), reading, TurnRuled.by_rules(board, ruling)]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Write a game: Red's turn was illegal and played again; each look has a picture."""
    path = tmp_path / "games" / "final.journal"
    begun = GAME.position(position())
    boards = [after(begun.board.text, "-E8"), begun.board.text, begun.board.text]
    store = EvidenceStore(pictures_folder(path), spare_bytes=0)
    now, events = begun, [GameStarted(begun, "tests")]
    for number, text in enumerate(boards, 1):
        ruling = GAME.check(now, parse_board(text))
        events += looked(number, ruling, text, store.keep({"cam0": JPEG + str(number).encode()}))
        now = ruling.next or now
    with Journal(path) as written:
        for event in events:
            written.append(event.kind, event.to_json())
    return path


def pack(journal: Path, *options: object) -> zipfile.ZipFile:
    out = journal.parent / "out.zip"
    done = run("journal", "export", journal, "-o", out, *options)
    assert done.exit_code == 0, done.output
    return zipfile.ZipFile(out)


def test_a_game_is_packed_whole(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "table" / "calibration").mkdir(parents=True)
    for name in ("table.json", "calibration/cam0.json"):
        (tmp_path / "table" / name).write_text("{}")
    with pack(journal, "--table", tmp_path / "table") as packed:
        assert packed.testzip() is None
        pictures = [f"pictures/{content_id(JPEG + str(n).encode())}.jpg" for n in (1, 2, 3)]
        assert sorted(packed.namelist()) == sorted(
            [
                "README.txt",
                "manifest.json",
                "verify.py",
                "journal.jsonl",
                "record.txt",
                "table/table.json",
                "table/calibration/cam0.json",
                *pictures,
            ]
        )
        assert packed.read(pictures[0]) == JPEG + b"1"
        previous = GENESIS
        for line in packed.read("journal.jsonl").decode().splitlines():
            said = json.loads(line)
            assert line.startswith('{"event":' + canonical(said["event"]) + ',"hash"')
            previous = chain(previous, canonical(said["event"]))
            assert said["hash"] == previous
        assert previous in packed.read("README.txt").decode()
        record = packed.read("record.txt").decode()
    turns = parse_record(record).turns
    assert [(turn.number, turn.player, turn.ruled_illegal) for turn in turns] == [
        (1, "red", True),
        (1, "red", False),
        (2, "yellow", False),
    ]
    (tmp_path / "record.txt").write_text(record, encoding="utf-8")
    assert run("replay", tmp_path / "record.txt").exit_code == 0
    assert not list(journal.parent.glob("*.part"))


def test_the_tables_measures_are_in_it_unless_they_are_left_out(journal: Path) -> None:
    keep_measures(journal, {"table.json": b"{}", "calibration/cam0.json": b"[]"})
    with pack(journal) as packed:
        assert {"table/table.json", "table/calibration/cam0.json"} <= set(packed.namelist())
    with pack(journal, "--without-table") as packed:
        assert not [name for name in packed.namelist() if name.startswith("table/")]


def test_a_game_whose_table_is_not_known_says_so(journal: Path) -> None:
    with pack(journal) as packed:
        assert "measures are not known here: add them with --table" in packed.read("README.txt").decode()


def test_what_was_packed_is_verified_and_played_again(journal: Path) -> None:
    pack(journal).close()
    out = journal.parent / "out.zip"
    done = run("journal", "verify", out)
    assert (done.exit_code, "the chain holds" in done.output) == (0, True)
    assert "3 pictures named, 3 kept and as they were" in done.output
    made = run("journal", "checkpoint", journal).stdout
    (journal.parent / "note.txt").write_text(made)
    assert run("journal", "verify", out, "--checkpoint", journal.parent / "note.txt").exit_code == 0
    assert run("replay", out).exit_code == 0
    assert "2 turns, all legal" in run("replay", out).output


def _changed(out: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Pack anew with one member changed."""
    with zipfile.ZipFile(out) as before:
        members = {each: before.read(each) for each in before.namelist()}
    members[next(each for each in members if each.startswith(name))] = change(
        next(content for each, content in members.items() if each.startswith(name))
    )
    with zipfile.ZipFile(out, "w") as after_:
        for each, content in members.items():
            after_.writestr(each, content)


@pytest.mark.parametrize(
    ("member", "change", "told"),
    [
        ("journal.jsonl", lambda text: text.replace(b'"legal":true', b'"legal":false', 1), "was changed after"),
        ("journal.jsonl", lambda text: text.replace(b"\n", b"\xff\n", 1), "event 1 was changed"),
        ("journal.jsonl", lambda text: b"".join(text.splitlines(True)[1:]), "event 1 "),
        ("pictures/", lambda picture: picture + b"!", "was changed after it was kept"),
    ],
)
def test_a_pack_that_was_changed_is_told(
    journal: Path, member: str, change: Callable[[bytes], bytes], told: str
) -> None:
    pack(journal).close()
    out = journal.parent / "out.zip"
    _changed(out, member, change)
    done = run("journal", "verify", out)
    assert done.exit_code == 1, done.output
    assert told in done.output


def test_a_zip_of_something_else_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("holiday.txt", "sun")
    done = run("journal", "verify", tmp_path / "other.zip")
    assert (done.exit_code, "there is no journal.jsonl in it" in done.output) == (2, True)
    assert run("replay", tmp_path / "other.zip").exit_code == 2


def test_pictures_that_are_gone_are_told(journal: Path) -> None:
    next(pictures_folder(journal).iterdir()).unlink()
    with pack(journal) as packed:
        assert "Pictures named by events and kept no longer: 1." in packed.read("README.txt").decode()
        assert len([name for name in packed.namelist() if name.startswith("pictures/")]) == 2


def test_a_broken_journal_is_packed_too(journal: Path) -> None:
    db = sqlite3.connect(journal)
    db.execute("DROP TRIGGER events_no_update")
    db.execute("UPDATE events SET body = replace(body, 'tests', 'chess') WHERE number = 1")
    db.commit()
    db.close()
    with pack(journal) as packed:
        assert "event 1 was changed" in packed.read("README.txt").decode()
        assert packed.read("final.journal") == journal.read_bytes()
        assert len([name for name in packed.namelist() if name.startswith("pictures/")]) == 3


def test_a_journal_of_something_else_has_no_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "x.journal") as journal:
        journal.append("note", {})
    with pack(tmp_path / "x.journal") as packed:
        assert "record.txt" not in packed.namelist()
        assert "There is no record.txt" in packed.read("README.txt").decode()


def test_what_cannot_be_packed_is_said(journal: Path, tmp_path: Path) -> None:
    missing = run("journal", "export", tmp_path / "no.journal")
    assert missing.exit_code == 2
    assert "there is no such journal" in missing.output
    unwritable = run("journal", "export", journal, "-o", tmp_path / "no" / "out.zip")
    assert unwritable.exit_code == 2
    assert f"{tmp_path / 'no'}: there is no such folder; make it" in unwritable.output


def test_verify_looks_at_the_pictures(journal: Path) -> None:
    right = run("journal", "verify", journal)
    assert right.exit_code == 0
    assert "10 events, the chain holds" in right.output
    assert "3 pictures named, 3 kept and as they were" in right.output
    picture = next(pictures_folder(journal).iterdir())
    picture.write_bytes(JPEG)
    wrong = run("journal", "verify", journal)
    assert wrong.exit_code == 1
    assert f"the picture {picture.stem} was changed" in wrong.output
    picture.unlink()
    assert "3 pictures named, 2 kept" in run("journal", "verify", journal).output


def test_verify_names_the_first_bad_event(journal: Path) -> None:
    db = sqlite3.connect(journal)
    db.execute("DROP TRIGGER events_no_delete")
    db.execute("DELETE FROM events WHERE number = 4")
    db.commit()
    db.close()
    wrong = run("journal", "verify", journal)
    assert wrong.exit_code == 1
    assert "event 4 is missing" in wrong.output


def test_prune_and_keep(journal: Path) -> None:
    with Journal(journal) as written:
        written.append("game_ended", {"by": "all", "how": "draw", "winners": []})
    for picture in pictures_folder(journal).iterdir():
        os.utime(picture, (0, 0))
    folder = journal.parent
    assert "pictures are kept for good" in run("journal", "keep", journal).output
    assert "Nothing is too old" in run("journal", "prune", "--folder", folder).output
    run("journal", "keep", journal, "--release")
    assert "3 pictures (0.0 MB) would go: too old" in run("journal", "prune", "--dry-run", "--folder", folder).output
    assert len(list(pictures_folder(journal).iterdir())) == 3
    gone = run("journal", "prune", REFEREE_DATA_FOLDER=str(folder))
    assert "3 pictures (0.0 MB) gone: too old" in gone.output
    assert not list(pictures_folder(journal).iterdir())
    assert run("journal", "keep", folder / "no.journal").exit_code == 2
