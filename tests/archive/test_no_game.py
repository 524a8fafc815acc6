"""Journals and exports in which no game has begun, or none that can be: each command says so in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.archive.export import export
from referee.cli import main
from referee.match.events import LookTaken
from referee.storage.journal import Journal
from tests.archive.game import forged, packed, write_journal
from tests.archive.verifying import Exported

WORDS = (["replay"], ["report"], ["report", "--turn", "1"], ["audit", "--game"], ["import"])


def told(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(map(str, words)))
    return done.exit_code, done.output


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    """Write a journal of one event, which begins no game."""
    with Journal(tmp_path / "noted.journal") as journal:
        journal.append("note", {})
    return tmp_path / "noted.journal"


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_an_export_in_which_no_game_has_begun_is_told(words: list[str], noted: Path, tmp_path: Path) -> None:
    export(noted, tmp_path / "noted.zip")
    status, said = told(*words, tmp_path / "noted.zip")
    assert (status, "no game has begun in it: there is no event game_started" in said) == (2, True), said


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_an_export_of_no_events_at_all_is_told(words: list[str], tmp_path: Path) -> None:
    game = Exported.made(tmp_path)
    made = forged({"journal.jsonl": b"", "manifest.json": game.files["manifest.json"]})
    (tmp_path / "none.zip").write_bytes(packed(made))
    status, said = told(*words, tmp_path / "none.zip")
    assert (status, "no game has begun in it" in said) == (2, True), said


@pytest.mark.parametrize("words", [*WORDS, ["journal", "verify"]], ids=" ".join)
def test_of_an_export_that_was_cut_off_what_to_do_is_told(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "cut.zip").write_bytes(Exported.made(tmp_path).zip.read_bytes()[:-3000])
    status, said = told(*words, tmp_path / "cut.zip")
    assert (status, said.count("cut.zip")) == (2, 1), said
    assert "it is cut off or no export: copy or export it again" in said


@pytest.mark.parametrize("words", [["report"], ["audit", "--game"], ["journal", "verify"]], ids=" ".join)
def test_of_a_damaged_journal_how_to_repair_it_is_told(words: list[str], tmp_path: Path) -> None:
    path = write_journal(tmp_path / "my games" / "final.journal")
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))
    _, said = told(*words, path)
    assert f"'referee games repair --folder '{path.parent}' final' saves what can be read" in said, said
    assert told("games", "repair", "--folder", path.parent, "final")[1]


@pytest.mark.parametrize("words", WORDS[:4], ids=" ".join)
def test_a_file_that_is_not_there_is_named_once(words: list[str], tmp_path: Path) -> None:
    status, said = told(*words, tmp_path / "nope")
    assert (status, said.count("nope"), "Errno" in said) == (2, 1, False), said


def test_events_that_can_t_follow_each_other_are_told(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "games" / "odd.journal")
    with Journal(path) as journal:
        event = LookTaken(99, by="Anna")
        journal.append(event.kind, event.to_json())
    status, said = told("journal", "export", path, "-o", tmp_path / "odd.zip")
    assert (status, "the game can't be replayed: look 99 can't follow look" in said) == (0, True), said
    for words in (["replay"], ["report"], ["games", "show", "--folder", path.parent]):
        status, said = told(*words, path.stem if "games" in words else tmp_path / "odd.zip")
        assert (status, "please report" in said) == (2, False), said
        assert "can't follow look" in said


def test_where_nothing_can_be_written_is_told_in_words(tmp_path: Path) -> None:
    none, journal = tmp_path / "none", write_journal(tmp_path / "games" / "final.journal")
    for words in (
        ("backup", none / "x.zip", "--data", tmp_path),
        ("journal", "export", journal, "-o", none / "x.zip"),
        ("report", journal, "-o", none / "x.html"),
        ("audit", "--game", journal, "--report", none / "x.html"),
    ):
        status, said = told(*words)
        assert (status, f"{none}: there is no such folder; make it or name another" in said) == (2, True), said
        assert "/." not in said, "a temporary name"


def test_an_empty_shelf_says_so(tmp_path: Path) -> None:
    write_journal(tmp_path / "games" / "final.journal")
    (tmp_path / "empty").mkdir()
    assert told("games", "list", "--folder", tmp_path / "empty")[1] == "No game was refereed here yet.\n"
    assert told("games", "list", "--folder", tmp_path / "games", "--player", "Zoe")[1] == "There is no such game.\n"
