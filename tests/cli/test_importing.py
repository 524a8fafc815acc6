"""Typed records and photographs that become games: what is in them, and where an import ends rather than guess."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pillow_heif
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from calibration.exif import picture_note
from referee.archive.export import record_of
from referee.archive.shelf import card_of
from referee.cli import main
from referee.daemon.photographs import found_photographs, gathered
from referee.demo.recording import BUNDLED, Recording
from referee.games import names, package_named
from referee.games.record import parse_record
from referee.storage.journal import read_journal
from tests.archive.game import write_journal
from tests.calibration.exif import noted

PLAYED = [name for name in names() if package_named(name).playthrough is not None]


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["import", *map(str, words)])


@pytest.mark.parametrize("game", PLAYED)
def test_a_whole_record_becomes_a_game_and_its_record_again(game: str, tmp_path: Path) -> None:
    path = package_named(game).playthrough
    assert path is not None
    done = run(path, "--data", tmp_path)
    assert done.exit_code == 0, done.output
    (journal,) = (tmp_path / "games").glob("*.journal")
    entries = read_journal(journal)
    before, after = parse_record(path.read_text(encoding="utf-8")), record_of(entries)
    assert [(turn.number, turn.player, turn.acts) for turn in after.turns] == [
        (turn.number, turn.player, turn.acts) for turn in before.turns
    ]
    assert card_of(journal).turns == len(before.turns)
    assert not list(tmp_path.glob(".importing-*"))


def test_a_turn_that_was_taken_back_is_illegal_and_played_again(tmp_path: Path) -> None:
    record = record_of(read_journal(write_journal(tmp_path / "made.journal"))).text
    path = tmp_path / "typed.txt"
    path.write_text(record, encoding="utf-8")
    assert run(path, "--data", tmp_path).exit_code == 0
    journal = tmp_path / "games" / "imported-typed.journal"
    entries = read_journal(journal)
    assert [str(entry.data["ruling"]) for entry in entries if entry.kind == "ruling"] == ["illegal", "legal", "legal"]
    assert record_of(entries).text == record
    shown = CliRunner().invoke(main, ["report", str(journal), "--turn", "1", "--out", str(tmp_path / "t.html")])
    assert shown.exit_code == 0, shown.output
    assert run(path, "--data", tmp_path).exit_code == 2  # it is there already
    assert run(path, "--data", tmp_path, "--again").exit_code == 0


def test_an_import_ends_where_a_turn_was_illegal_and_stood(tmp_path: Path) -> None:
    record = record_of(read_journal(write_journal(tmp_path / "made.journal"))).text
    first, _, second = record.strip().splitlines()[-3:]
    head = record[: record.index("1. red")]
    path = tmp_path / "typed.txt"
    path.write_text(f"{head}{first}\n{second}\n", encoding="utf-8")
    done = run(path, "--data", tmp_path)
    assert done.exit_code == 1
    assert "turn 1: illegal (cubes.conserved)" in done.output
    assert "1 later turn is not in the game" in done.output


def test_a_record_with_an_error_is_named(tmp_path: Path) -> None:
    path = tmp_path / "typed.txt"
    path.write_text("what is this\n", encoding="utf-8")
    done = run(path, "--data", tmp_path)
    assert (done.exit_code, done.stderr.startswith(f"referee import: {path}: line 1: ")) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[game "no-game"]\n\n1. red +D4\n', "no-game"),
        ("1. red +D4\n", "header game: no game is named: use one of "),
        ('[Event "?"]\n\n1. e4 e5 2. Nf3\n', "header game: no game is named: use one of "),
        ('[game "terra-turrium"]\n\n1. red +D4\n', "header edition is missing"),
        ("{never closed", "never closed"),
    ],
)
def test_a_record_that_cant_be_read_says_where(text: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "typed.txt"
    path.write_text(text, encoding="utf-8")
    done = run(path, "--data", tmp_path / "data")
    assert (done.exit_code, why in done.output) == (2, True), done.output
    assert not (tmp_path / "data" / "games").exists()


def photographed(folder: Path, cameras: tuple[str, ...], looks: int = 7) -> Path:
    """Lay the bundled game out as phones would have photographed it: a picture a turn, a minute apart."""
    for number, look in enumerate(Recording.open(BUNDLED).looks[:looks]):
        for phone, camera in enumerate(cameras):
            content = look.pictures[camera].read_bytes()
            taken = f"2026:03:14 20:{number:02}:{3 * phone:02}"
            place = folder / camera
            place.mkdir(parents=True, exist_ok=True)
            # Named so that only their times put them in order.
            (place / f"IMG_{(number * 5) % 7}.jpg").write_bytes(noted(content, taken, "+01:00", model=camera))
    return folder


def test_photographs_stand_in_the_order_in_which_they_were_taken(tmp_path: Path) -> None:
    found = found_photographs(photographed(tmp_path / "photos", ("cam0", "cam1")))
    times = [picture_note(one.path.read_bytes()).taken_at for one in found]
    assert times == sorted(times, key=str)
    looks = gathered(found)
    assert [len(look.photographs) for look in looks] == [2] * 7
    assert len(gathered(found, together_s=1)) == 14


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return the bundled game's table, not calibrated."""
    (tmp_path / "table").mkdir()
    shutil.copy(BUNDLED / "table.json", tmp_path / "table")
    return tmp_path / "table"


@pytest.mark.long
def test_photographs_by_two_phones_become_a_game(tmp_path: Path, table: Path) -> None:
    photos = photographed(tmp_path / "photos", ("cam0", "cam1"), 4)
    start = tmp_path / "start.json"
    start.write_text(json.dumps(dict(Recording.open(BUNDLED).position)), encoding="utf-8")
    done = run(photos, "--table", table, "--game", start, "--data", tmp_path / "data")
    assert done.exit_code == 0, done.output
    assert "focal length" in done.output
    (journal,) = (tmp_path / "data" / "games").glob("*.journal")
    entries = read_journal(journal)
    said = [str(entry.data["ruling"]) for entry in entries if entry.kind == "ruling"]
    assert said.count("legal") >= 2
    assert entries[-1].at.startswith("2026-03-14T19:03:00")
    again = CliRunner().invoke(main, ["audit", "--game", str(journal)])
    assert "are the same" in again.output, again.output


@pytest.mark.long
def test_pictures_of_iphones_count_and_what_is_not_known_is_said(tmp_path: Path, table: Path) -> None:
    photos = photographed(tmp_path / "photos", ("cam0",))
    *gone, first, _, _ = sorted((photos / "cam0").glob("*.jpg"))
    for path in gone:
        path.unlink()
    block = first.read_bytes()
    heic = pillow_heif.from_pillow(Image.open(first))
    heic.save(first.with_suffix(".HEIC"), exif=block[6 : 4 + int.from_bytes(block[4:6])])
    first.unlink()
    (photos / "cam0" / "IMG_1.MOV").write_bytes(b"a film")
    found = found_photographs(photos)
    assert sorted(one.path.suffix for one in found) == [".HEIC", ".jpg", ".jpg"]
    assert all(one.note.taken_at for one in found)
    done = run(photos, "--table", table, "--data", tmp_path / "data")
    assert done.exit_code == 1
    assert "cam0/IMG_1.MOV is no picture that can be read: it was left out." in done.output
    assert "is not the set-up" in done.output
    assert "--game" in done.output


def test_a_folder_without_pictures_or_table_says_so(tmp_path: Path, table: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "there are no pictures" in run(tmp_path / "empty", "--table", table, "--data", tmp_path).output
    assert "--table" in run(tmp_path / "empty", "--data", tmp_path).output
