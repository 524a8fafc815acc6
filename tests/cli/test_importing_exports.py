"""An export that is imported: it comes in whole, or it is said what of it did not."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.archive.export import export
from referee.archive.shelf import card_of
from referee.cli import main
from referee.match.events import Disputed, FieldTold
from referee.storage.checkpoint import Signer
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal, JournalEntry, read_journal
from referee.values.ticks import Ticks
from tests.archive.game import Files, exported, forged, lines, packed, rewritten, unpacked, write_journal

PLACE = Path("data", "games", "imported-final.journal")


def run(*words: object) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def imported(files: Files | Path, *words: object) -> Result:
    if not isinstance(files, Path):
        Path("final.zip").write_bytes(packed(files))
    return run("import", "final.zip", "--data", "data", *words)


def original(folder: Path) -> list[JournalEntry]:
    return read_journal(folder / "games" / "final.journal")


def test_events_times_pictures_words_and_signature_come_in(folder: Path) -> None:
    journal = write_journal(folder / "games" / "final.journal")
    day, ticked = datetime(2024, 2, 29, 20, 0, tzinfo=UTC), count()
    at = iter(day + timedelta(minutes=minute) for minute in count())
    with Journal(journal, lambda: next(at), lambda: Ticks("long ago", float(next(ticked)))) as written:
        for event in (Disputed("Bernd", 1, 1, "It was my cube!"), FieldTold("Anna", "E8", "2r")):
            written.append(event.kind, event.to_json())
    measures = folder / "measures"
    (measures / "calibration").mkdir(parents=True)
    (measures / "table.json").write_text("{}")
    (measures / "calibration" / "cam0.json").write_text("[]")
    export(journal, folder / "final.zip", measures, Signer.open(folder / "played.key"))
    done = imported(folder / "final.zip")
    assert done.exit_code == 0, done.output
    for words in (
        "events with their times",
        "6 pictures",
        "1 dispute",
        "1 word of a witness",
        "2 files of the table",
    ):
        assert words in done.output
    assert read_journal(PLACE) == original(folder)
    card = card_of(PLACE)
    assert (card.disputed, card.pictures, card.last_at[:10]) == (True, 6, "2024-02-29")
    before, after = (EvidenceStore(pictures_folder(path)) for path in (journal, PLACE))
    assert {p.path.name: p.path.read_bytes() for p in before.pictures()} == {
        p.path.name: p.path.read_bytes() for p in after.pictures()
    }
    # Exported again, even where another key is, it is what it was: signed by the table where it was played.
    Signer.open(Path("data", "checkpoint.key"))
    assert run("journal", "export", PLACE, "-o", "again.zip").exit_code == 0
    own = ("README.txt", "manifest.json")  # they name the journal's file
    first, again = (unpacked(Path(name)) for name in ("final.zip", "again.zip"))
    assert {name: first[name] for name in first if name not in own} == {
        name: again[name] for name in again if name not in own
    }
    shown = run("journal", "verify", PLACE)
    assert (shown.exit_code, "checkpoint.txt: the journal begins with" in shown.output) == (0, True), shown.output
    assert imported(folder / "final.zip").exit_code == 2
    assert imported(folder / "final.zip", "--again").exit_code == 0


def changed_picture(files: Files) -> Files:
    name = next(name for name in files if name.startswith("pictures/"))
    return files | {name: b"\xff\xd8\xff another picture"}


def without_picture(files: Files) -> Files:
    gone = next(name for name in files if name.startswith("pictures/"))
    return {name: content for name, content in files.items() if name != gone}


def without(*names: str) -> Callable[[Files], Files]:
    return lambda files: {name: content for name, content in files.items() if name not in names}


def changed_event(files: Files) -> Files:
    told = lines(files)
    told[6] = told[6].replace(b'"kind"', b'"Kind"')
    return files | {"journal.jsonl": b"".join(told)}


def one_more_event(files: Files) -> Files:
    more = rewritten(
        files | {"journal.jsonl": files["journal.jsonl"] + lines(files)[-1]},
        12,
        lambda body: body.replace('"number":11', '"number":12'),
    )
    return more | {"manifest.json": files["manifest.json"]}


def cut(files: Files) -> Files:
    return files | {"journal.jsonl": b"".join(lines(files)[:9])}


@pytest.mark.parametrize(
    ("meddled", "events", "pictures", "told"),
    [
        (changed_picture, 11, 5, "which event 3 names: it was changed"),
        (without_picture, 11, 5, "which event 3 names: it was removed"),
        (lambda files: files | {"pictures/" + "0" * 64 + ".jpg": b"?"}, 11, 6, "1 picture that no event names"),
        (lambda files: files | {"virus.exe": b"?"}, 11, 6, "Not taken: virus.exe was added"),
        (lambda files: files | {"table/table.json": b"{}"}, 11, 6, "table/table.json: it isn’t as it was packed"),
        (without("table/table.json"), 11, 6, "table/table.json: it was removed"),
        (without("manifest.json"), 11, 6, "table/table.json: it isn’t as it was packed"),
        (lambda files: files | {"checkpoint.txt": b"Sign: nobody"}, 11, 6, "checkpoint.txt: this is no checkpoint"),
        (changed_event, 6, 2, "events from 7 on: "),
        (cut, 9, 4, "events 10 to 11: they were cut off"),
        (one_more_event, 11, 6, "1 event that was added later"),
    ],
)
def test_what_is_not_as_it_was_stays_out_and_is_said(
    meddled: Callable[[Files], Files], events: int, pictures: int, told: str, folder: Path
) -> None:
    done = imported(meddled(unpacked(exported(folder))))
    assert (done.exit_code, told in done.output) == (1, True), done.output
    assert read_journal(PLACE) == original(folder)[:events]
    assert sum(1 for _ in EvidenceStore(pictures_folder(PLACE)).pictures()) == pictures


def another_game(files: Files) -> Files:
    return rewritten(files, 1, lambda body: body.replace("Anna", "Bert"))


def test_a_rewritten_game_is_refused(folder: Path) -> None:
    files = unpacked(exported(folder))
    by_manifest = another_game(files) | {"manifest.json": files["manifest.json"]}
    for meddled, why in ((by_manifest, "was rewritten"), (another_game(files), "a rewritten journal")):
        done = imported(meddled)
        assert (done.exit_code, why in done.output) == (2, True), done.output
        assert not PLACE.exists()


def test_a_damaged_journal_and_an_emptied_export_say_so(folder: Path) -> None:
    files = unpacked(exported(folder))
    damaged = forged(files | {"journal.jsonl": b"", "final.journal": b"SQLite format 3\x00 damaged"})
    for meddled, why in ((damaged, "referee games repair"), (files | {"journal.jsonl": b""}, "no game has begun")):
        done = imported(meddled)
        assert (done.exit_code, why in done.output) == (2, True), done.output
        assert not list(Path("data").glob(".importing-*"))


def test_a_zip_with_nothing_but_a_record_says_what_it_lacks(folder: Path) -> None:
    done = imported({"record.txt": unpacked(exported(folder))["record.txt"]})
    assert "There are no events in it" in done.output
    assert card_of(PLACE).turns == 2


def test_no_record_is_promised_of_a_zip_without_one(folder: Path) -> None:
    done = imported({"game.pgn": b"1. e4 e5"})
    assert (done.exit_code, "There are no events in it" in done.output) == (2, False), done.output
    assert "there is no journal.jsonl in it" in done.output


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = exported(folder)
    monkeypatch.setattr("referee.storage.evidence.free_bytes", lambda folder: 0)
    done = imported(made)
    assert (done.exit_code, "The disk is full" in done.output) == (2, True), done.output
    assert [path.name for path in Path("data").iterdir()] == []


def test_whatever_is_damaged_never_another_game_comes_in(folder: Path) -> None:
    """Bytes of the ZIP itself are changed: what comes in is the game, or its beginning."""
    whole, told, draw = exported(folder).read_bytes(), original(folder), random.Random(5)
    for _ in range(40):
        damaged = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        Path("final.zip").write_bytes(damaged[: draw.choice([len(damaged)] * 4 + [draw.randrange(len(damaged))])])
        done = imported(Path("final.zip"), "--again")
        assert "please report" not in done.output, done.output
        if PLACE.exists():
            entries = read_journal(PLACE)
            if "There are no events in it" in done.output:  # the journal's name is damaged, the record is not
                assert card_of(PLACE).turns <= 2
                continue
            assert entries == told[: len(entries)]
            assert done.exit_code == 2 or (done.exit_code == 0) <= (len(entries) == len(told))
