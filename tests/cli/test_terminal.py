"""Names that somebody else made: none steers the terminal, and programs still read them as they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.export import export
from referee.cli import main
from referee.values.signs import in_line, on_screen
from tests.archive.game import write_journal

EVIL = "a\x1b]0;owned\x07\x9b2J\u202e\rb\nc"
STEERING = {chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x202E)} - {"\n"}


def run(*words: object) -> Result:
    done = CliRunner().invoke(main, list(map(str, words)))
    assert "please report" not in done.output, done.output
    return done


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a data folder with a game and a damaged one of evil names."""
    folder = tmp_path / "games"
    journal = write_journal(folder / f"{EVIL}.journal")
    export(journal, tmp_path / f"{EVIL}.zip")
    (folder / f"{EVIL} damaged.journal").write_bytes(journal.read_bytes()[:5000])
    return folder


def test_no_command_lets_a_name_steer_the_terminal(games: Path) -> None:
    journal, packed = games / f"{EVIL}.journal", games.parent / f"{EVIL}.zip"
    tried = [
        ("backup", games.parent / "out.zip", "--data", games.parent),
        ("games", "list", "--folder", games),
        ("games", "show", "--folder", games, EVIL),
        ("games", "show", "--folder", games, f"{EVIL} damaged"),
        ("games", "show", "--folder", games, f"{EVIL} nowhere"),
        ("games", "repair", "--folder", games),
        ("journal", "verify", journal),
        ("journal", "verify", packed),
        ("journal", "verify", games / f"{EVIL} damaged.journal"),
        ("journal", "export", journal, "-o", games / f"{EVIL}.out.zip"),
        ("journal", "keep", journal),
        ("replay", packed, games / f"{EVIL} nowhere"),
        ("report", packed, "--out", games.parent / f"{EVIL}.html"),
        ("audit", "--game", packed),
        ("import", packed, "--data", games.parent / f"{EVIL} data"),
        ("backup", games.parent / f"{EVIL} backup.zip", "--data", games.parent),
        ("restore", games.parent / "out.zip", "--data", games.parent / f"{EVIL} again"),
        ("check", games / f"{EVIL} nowhere"),
        ("run", games / f"{EVIL} nowhere"),
        ("games", "delete", "--folder", games, EVIL, "--yes"),
        (EVIL,),
    ]
    for words in tried:
        done = run(*words)
        assert not STEERING & set(done.output), (words, done.output)


def test_names_stand_in_one_line(games: Path) -> None:
    said = run("games", "list", "--folder", games).output
    assert "\nc" not in said
    assert in_line(EVIL) in said


def test_programs_read_names_as_they_are(games: Path) -> None:
    lines = run("games", "list", "--folder", games, "--json").stdout.splitlines()
    assert EVIL in {json.loads(line)["name"] for line in lines}


def test_a_name_of_any_bytes_is_told(games: Path) -> None:
    (games / os.fsdecode(b"bytes \x9b\xff.journal")).write_bytes(b"no journal")
    assert "bytes \\udc9b\\udcff" in run("games", "list", "--folder", games).output
    done = run("backup", games.parent / "out.zip", "--data", games.parent)
    assert (done.exit_code, "rename it" in done.output) == (2, True), done.output


def test_words_of_people_stay_as_they_are() -> None:
    for words in ("Zug 7\u202f: « naïve »", "\u05d0\u05d1", "two\nlines\tand a tab", "👩\u200d🔬"):
        assert on_screen(words) == words
    assert in_line("two\nlines") == "two\\u000alines"
