"""Journals and exports that an earlier version wrote: opened, verified, replayed, and ruled on as they were."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.again.audit import AgainAudit
from referee.again.comparison import same_word
from referee.archive.export import game_of, record_of, state_of
from referee.archive.shelf import card_of
from referee.cli import main
from referee.daemon.gamejournal import carried_on
from referee.demo.recording import BUNDLED
from referee.games import package_named
from referee.match.events import TurnRuled, event_from_json
from referee.report.gamefile import opened_game
from referee.session.readers import reader_of
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, JournalEntry, canonical, read_journal

BEFORE = Path(__file__).parents[1] / "data" / "before"
RULED: Mapping[str, tuple[str, ...]] = {
    "grid": ("illegal", "legal", "legal"),
    "tower": ("unsure", "legal", "legal", "unsure"),
    "ledger": ("illegal", "legal", "legal", "legal", "legal"),
}
DISPUTES = {"grid": 1, "tower": 0, "ledger": 1}


def run(*words: object) -> str:
    done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(params=RULED)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def entries(kind: str) -> list[JournalEntry]:
    return read_journal(BEFORE / f"{kind}.journal")


def test_events_are_read_and_written_as_they_lie_there(entries: list[JournalEntry]) -> None:
    game = game_of(entries)
    for entry in entries:
        event = event_from_json(entry.kind, entry.data, game)
        assert (event.kind, canonical(event.to_json())) == (entry.kind, canonical(entry.data))


def test_a_journal_is_taken_up_and_verified(kind: str, entries: list[JournalEntry], tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.journal"
    shutil.copy(BEFORE / path.name, path)
    card = card_of(path)
    assert (card.trouble, card.events, card.disputes) == ("", len(entries), DISPUTES[kind])
    with Journal(path) as journal:
        state = carried_on(journal, game_of(entries))
    assert state == state_of(entries)
    assert "the chain holds" in run("journal", "verify", path)


def test_an_export_is_verified_replayed_and_imported(kind: str, entries: list[JournalEntry], tmp_path: Path) -> None:
    packed = BEFORE / f"{kind}.zip"
    assert f"{len(entries)} events, the chain holds" in run("journal", "verify", packed)
    assert "all legal" in run("replay", packed)
    run("import", packed, "--data", tmp_path)
    assert read_journal(tmp_path / "games" / f"imported-{kind}.journal") == entries
    assert record_of(entries).text in run("games", "show", "--folder", tmp_path / "games", f"imported-{kind}")


def pictures(kind: str) -> dict[str, bytes]:
    """Return the pictures of the recording that the game was refereed from."""
    folder = {"grid": BUNDLED, "tower": package_named("turris").recording, "ledger": None}[kind]
    return {path.name: path.read_bytes() for path in sorted(folder.glob("pictures/*"))} if folder is not None else {}


@pytest.mark.long
def test_the_session_rules_as_was_ruled_then(kind: str, entries: list[JournalEntry], tmp_path: Path) -> None:
    run("import", BEFORE / f"{kind}.zip", "--data", tmp_path)
    path = tmp_path / "games" / f"imported-{kind}.journal"
    EvidenceStore(pictures_folder(path), spare_bytes=0).keep(pictures(kind))
    given = [
        event
        for entry in entries
        if isinstance(event := event_from_json(entry.kind, entry.data, game_of(entries)), TurnRuled)
    ]
    assert tuple(event.verdict.value for event in given) == RULED[kind]
    with opened_game(path) as file:
        game = game_of(file.entries)
        found = list(AgainAudit(game, reader_of(game, file.table), file.picture).all(file.entries))
    for one, then in zip(found, given, strict=True):
        assert one.now is not None, one.problem
        assert (one.reading is not None) == (kind != "ledger"), "what is seen is read anew"
        assert same_word(then, one.now)
        assert one.now.unsure == then.unsure
        if kind == "ledger":  # nothing is read: all of the ruling is the same, word for word
            assert one.now is not then
            assert canonical(one.now.to_json()) == canonical(then.to_json())
