"""A game's card is kept beside its journal and counts as long as that stays; its name stands for its file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.shelf import Shelf, card_file
from referee.cli import main
from tests.archive.game import write_journal


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with one game."""
    return write_journal(tmp_path / "games" / "final.journal").parent


def test_a_card_is_kept_until_its_journal_changes(games: Path) -> None:
    (card,) = Shelf(games).cards()
    found, content = card.path.stat(), card.path.read_bytes()
    card.path.write_bytes(content.replace(b'"number":5,', b'"number":6,'))
    os.utime(card.path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert Shelf(games).cards() == [card], "the journal was read again"
    os.utime(card.path)
    assert "event 5 was changed" in Shelf(games).cards()[0].trouble


@pytest.mark.parametrize("kept", [b"", b"[]", b'{"made_of": 1}', b"\xff", b"[" * 100_000])
def test_a_kept_card_that_is_none_is_made_anew(games: Path, kept: bytes) -> None:
    (card,) = Shelf(games).cards()
    card_file(card.path).write_bytes(kept)
    assert Shelf(games).cards() == [card]


def test_a_journal_is_packed_by_the_name_of_its_game(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def journal(*words: str) -> Result:
        return CliRunner().invoke(main, ["journal", *words], env={"REFEREE_DATA_FOLDER": str(games.parent)})

    (games.parent / "elsewhere").mkdir()
    monkeypatch.chdir(games.parent / "elsewhere")
    for word in ("export", "verify"):
        done = journal(word, "final")
        assert done.exit_code == 0, done.output
    assert [path.name for path in Path().iterdir()] == ["final.zip"]
    told = CliRunner().invoke(main, ["report", "final"], env={"REFEREE_DATA_FOLDER": str(games.parent)})
    assert (told.exit_code, told.output) == (0, "final.html\n")
    missing = journal("export", "semifinal")
    assert (missing.exit_code, "there is no such journal" in missing.output) == (2, True)
