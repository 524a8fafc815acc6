"""An export from which files and events were taken out does not pass: what is missing is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.archive.export import export
from referee.cli import main
from referee.storage.journal import Journal
from tests.archive.game import forged, packed
from tests.archive.stripping import STRIPPED, without
from tests.archive.verifying import Exported


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return Exported.made(tmp_path_factory.mktemp("stripped"))


@pytest.mark.parametrize("events", [0, 6])
def test_an_export_stripped_of_any_files_does_not_pass(game: Exported, events: int) -> None:
    for names in STRIPPED:
        ours, theirs = game.found(without(game.files, names, events))
        told = names if "manifest.json" not in names else [name for name in names if name[0] in "mvR"]
        for name in told:
            assert f"{name} was removed" in ours, (names, ours)
            assert f"{name} was removed" in theirs, (names, theirs)
        assert "events, the chain holds" not in ours


def test_what_was_lost_with_the_manifest_is_said(game: Exported) -> None:
    made = without(game.files, ("manifest.json", "verify.py", "checkpoint.txt"), 6)
    ours, theirs = game.found(made)
    assert "nothing tells how many events" in ours
    assert "nothing tells how many events" in theirs
    assert "5 events, the chain of those that are there holds" in ours
    assert "there is no seal" in ours
    assert "no signed checkpoint is at hand" in ours


@pytest.mark.parametrize("mended", [False, True])
def test_an_export_of_no_events_does_not_pass(game: Exported, mended: bool) -> None:
    made = {**game.files, "journal.jsonl": b""}
    made.pop("checkpoint.txt")
    ours, theirs = game.found(forged(made) if mended else made)
    assert "there is no event in it" in ours
    assert "there is no event in journal.jsonl" in theirs


def test_a_journal_of_no_events_does_not_pass(tmp_path: Path) -> None:
    empty, fresh = tmp_path / "empty.journal", tmp_path / "fresh.journal"
    empty.touch()
    Journal(fresh).close()
    for path in (empty, fresh):
        done = CliRunner().invoke(main, ["journal", "verify", str(path)])
        assert (done.exit_code, "there is no event in it" in done.output) == (1, True), done.output


def test_the_export_of_a_journal_without_events_does_not_pass(tmp_path: Path) -> None:
    Journal(tmp_path / "fresh.journal").close()
    export(tmp_path / "fresh.journal", tmp_path / "fresh.zip")
    for words in (["journal", "verify"], ["replay"], ["report"]):
        done = CliRunner().invoke(main, [*words, str(tmp_path / "fresh.zip")])
        assert done.exit_code == (1 if "verify" in words else 2)
        assert "the journal was damaged, or without events, when it was packed" in done.output


def test_an_export_without_a_checkpoint_says_what_that_means(game: Exported) -> None:
    made = {name: content for name, content in game.files.items() if name != "checkpoint.txt"}
    (game.folder / "unsigned.zip").write_bytes(packed(forged(made)))
    done = CliRunner().invoke(main, ["journal", "verify", str(game.folder / "unsigned.zip")])
    assert (done.exit_code, "a game rewritten as a whole would look like this one" in done.output) == (0, True)
