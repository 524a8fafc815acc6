"""An operator who rewrites a game, with the table's own key, is found by one note that a player's device kept.

Chance chooses what is rewritten. A few tries here; ``make fuzz`` makes 10,000 (TAMPERING_TRIES).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.metadata import says_more
from referee.archive.backup import BackupWishes, backup
from referee.archive.export import export, pictures_named
from referee.archive.packed import PackedGame
from referee.archive.restore import game_aside, restore
from referee.archive.taking import take_in
from referee.cli import main
from referee.storage.checkpoint import Signer
from referee.storage.eventtree import EventTree
from referee.storage.journal import Journal, JournalError, canonical
from referee.storage.signednote import signed_by_table
from referee.storage.witnesses import Witnessed
from tests.archive.game import Files, forged, lines, packed, rewritten, witness, write_journal
from tests.archive.verifying import Exported
from tests.archive.witnessing import Phone

TRIES = int(os.environ.get("TAMPERING_TRIES", "20"))
_Subject = TypeVar("_Subject")
ANNA, MADE_UP = Phone(b"a" * 32), Phone(b"m" * 32)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return Exported.made(tmp_path_factory.mktemp("witnessed"), ANNA)


def note_of(game: Exported) -> Path:
    return game.folder / "note.txt"


def signed_anew(game: Exported, files: Files, signer: Signer, stolen: bool) -> Files:
    """Do all that the operator can: sign a checkpoint and make up a device that witnessed everything.

    stolen: under the name of the device that was there.
    """
    hashes = [line[-67:-3].decode() for line in lines(files)]
    tree = EventTree()
    for each in hashes:
        tree.add(each)
    made = dict(files)
    made["checkpoint.txt"] = signer.sign(len(hashes), "2026-01-01T00:00:00Z", hashes[-1]).text.encode()
    note = MADE_UP.cosign(signed_by_table(signer, hashes[0][:16], tree.size, tree.root(tree.size)), 1_800_000_100)
    made["witnesses.jsonl"] = Witnessed("Anna’s phone" if stolen else "Tablet", note).line.encode()
    return forged(made)


def an_event(files: Files, chance: Random) -> Files:
    """Change a value in an event that the device signed, and all hashes from there on."""
    number = chance.randint(1, len(lines(files)))
    event = json.loads(lines(files)[number - 1])["event"]
    others = {
        "at": f"2026-01-01T00:00:{chance.randint(0, 59):02}+00:00",
        "kind": chance.choice([kind for kind in ("ruling", "put_back", "look_taken") if kind != event["kind"]]),
        "data": {"by": f"{chance.random()}"},
    }
    key = chance.choice(sorted(others))
    return with_pictures(rewritten(files, number, lambda text: canonical({**json.loads(text), key: others[key]})))


def a_picture(files: Files, chance: Random) -> Files:
    """Put another picture in a picture's place, under its own right name, and name it in the event."""
    name = chance.choice(sorted(name for name in files if name.startswith("pictures/")))
    content = b"\xff\xd8\xff" + chance.randbytes(20)
    was, now = Path(name).stem, hashlib.sha256(content).hexdigest()
    made = {f"pictures/{now}.jpg" if each == name else each: old for each, old in files.items()}
    made[f"pictures/{now}.jpg"] = content
    number = next(number for number, line in enumerate(lines(files), 1) if was.encode() in line)
    return rewritten(made, number, lambda text: text.replace(was, now))


def the_tail(files: Files, chance: Random) -> Files:
    """Cut events off, with the pictures that they name."""
    left = lines(files)[: chance.randint(1, len(lines(files)) - 1)]
    return with_pictures({**files, "journal.jsonl": b"".join(left)})


def with_pictures(files: Files) -> Files:
    """Leave out the pictures that no event names any more, and mend the manifest."""
    events = files["journal.jsonl"]
    named = (name for name in files if "pictures/" not in name or Path(name).stem.encode() in events)
    return forged({name: files[name] for name in named})


WAYS = (an_event, a_picture, the_tail)


@pytest.mark.long
@settings(deadline=None, max_examples=TRIES)
@given(seed=st.integers(0, 2**64))
def test_a_game_signed_anew_is_found_by_one_note_and_by_nothing_else(game: Exported, seed: int) -> None:
    chance = Random(seed)
    made = chance.choice(WAYS)(game.files, chance)
    own = chance.random() < 0.5
    signer = Signer.open(game.folder / ("checkpoint.key" if own else "forger.key"))
    made = signed_anew(game, made, signer, chance.random() < 0.5)
    assert game.found(made) == ("", ""), "else the note proves nothing"
    told = "\n".join(game.stranger.verify(game.folder / "changed.zip", [], "", []).notes)
    assert "can't be known from the export alone" in told
    ours, theirs = game.found(made, kept=note_of(game))
    for found in (ours, theirs):
        assert "rewritten" in found or "cut off" in found, found
        assert ("made up" in found) is not own, "a note under another key may be the lie"


def test_an_honest_export_says_who_witnessed_which_ruling(game: Exported) -> None:
    assert game.found(game.files, game.key, note_of(game)) == ("", "")
    told = game.stranger.verify(game.zip, [], "", [note_of(game)]).notes
    assert "Anna’s phone witnessed rulings 1-3 of 3; its newest signature covers 11 of 11 events" in "\n".join(told)
    assert "the game begins with the 11 events that Anna’s phone signed (2027-01-15 08:00 UTC" in "\n".join(told)
    run = CliRunner().invoke(main, ["journal", "verify", str(game.zip), "--note", str(note_of(game))])
    assert "Anna’s phone witnessed rulings 1–3 of 3; its newest signature covers 11 of 11 events" in run.output
    beside = game.folder / "games" / "final.journal"
    run = CliRunner().invoke(main, ["journal", "verify", str(beside), "--note", str(note_of(game))])
    assert (run.exit_code, "Anna’s phone witnessed rulings 1–3 of 3" in run.output) == (0, True)


@pytest.mark.parametrize(
    "kept",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode("utf-16"),
        lambda text: "".join(f"> > {line}\n" for line in text.split("\n")).encode(),
        lambda text: f'"{text.strip()}"'.encode(),
    ],
    ids=["marked", "utf-16", "windows", "quoted by a mail", "in quotation marks"],
)
def test_a_note_is_read_however_it_was_kept(game: Exported, tmp_path: Path, kept: Callable[[str], bytes]) -> None:
    note = tmp_path / "note.txt"
    note.write_bytes(kept(note_of(game).read_text(encoding="utf-8")))
    assert game.found(game.files, game.key, note) == ("", "")
    note.write_bytes(kept(game.files["checkpoint.txt"].decode()))
    assert game.stranger.verify(game.zip, [note], game.key, []).wrong == []
    run = CliRunner().invoke(main, ["journal", "verify", str(game.zip), "--checkpoint", str(note)])
    assert run.exit_code == 0, run.output


def test_without_witnesses_it_says_what_nobody_can_know(game: Exported) -> None:
    files = forged({name: content for name, content in game.files.items() if name != "witnesses.jsonl"})
    assert game.found(files) == ("", "")
    told = "\n".join(game.stranger.verify(game.folder / "changed.zip", [], "", []).notes)
    assert "could have written all of it anew, and nothing in it would show that" in told
    run = CliRunner().invoke(main, ["journal", "verify", str(game.folder / "changed.zip")])
    assert "no device witnessed this game" in run.output


def test_a_note_made_up_without_a_device_or_a_table_accuses_nobody(game: Exported) -> None:
    signer = Signer.open(game.folder / "checkpoint.key")
    kept = game.folder / "made-up.txt"
    head = note_of(game).read_text(encoding="utf-8").split("\n")
    other = signed_by_table(Signer.open(game.folder / "forger.key"), head[0].rsplit("/", 1)[1], 5, bytes(32))
    kept.write_text(ANNA.cosign(other, 5), encoding="utf-8")
    ours, theirs = game.found(game.files, game.key, kept)
    assert "signed with another key" in ours
    assert "signed with another key" in theirs
    kept.write_text(signed_by_table(signer, head[0].rsplit("/", 1)[1], 0, EventTree().root(0)), encoding="utf-8")
    ours, theirs = game.found(game.files, game.key, kept)
    assert "whoever has the table's key could make it up" in ours
    assert "whoever has the table's key could make it up" in theirs
    kept.write_text("a shopping list", encoding="utf-8")
    assert "no note of a witness" in game.found(game.files, kept=kept)[1]


def test_an_import_takes_the_notes_along(game: Exported, tmp_path: Path) -> None:
    with PackedGame(game.zip) as pack, game_aside(tmp_path / "games" / "taken.journal", "import-", False) as aside:
        told = take_in(pack, aside, spare_bytes=0)
    assert any("notes" in line.text("en") for line in told.taken)
    run = CliRunner().invoke(main, ["journal", "verify", str(tmp_path / "games" / "taken.journal")])
    assert "Anna’s phone witnessed rulings 1–3 of 3" in run.output
    rewritten_ = rewritten(game.files, 4, lambda text: text.replace('"at":"2', '"at":"1'))
    changed = game.folder / "changed.zip"
    changed.write_bytes(packed({name: old for name, old in rewritten_.items() if name != "checkpoint.txt"}))
    with PackedGame(changed) as pack, pytest.raises(JournalError, match="the note of Anna’s phone"):
        take_in(pack, tmp_path / "other.journal", spare_bytes=0)


@pytest.mark.parametrize("done", ["export", "backup", "verify"])
def test_who_signs_meanwhile_cuts_nothing_off(done: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = write_journal(tmp_path / "data" / "games" / "final.journal")
    signer, out, meant = Signer.open(tmp_path / "checkpoint.key"), tmp_path / "out.zip", journal
    witness(journal, signer, ANNA)

    def plays_on(subject: _Subject) -> _Subject:
        with Journal(journal) as played:
            played.append("ruling", {})
        witness(journal, signer, ANNA)
        return subject

    if done == "verify":
        monkeypatch.setattr("referee.cli.journal.pictures_named", lambda entries: pictures_named(plays_on(entries)))
    else:
        monkeypatch.setattr(f"referee.archive.{done}.says_more", lambda picture: says_more(plays_on(picture)))
    if done == "export":
        export(journal, out)
        meant = out
    elif done == "backup":
        backup(tmp_path / "data", out, BackupWishes())
        restore(out, tmp_path / "other")
        meant = tmp_path / "other" / "games" / "final.journal"
    told = CliRunner().invoke(main, ["journal", "verify", str(meant)])
    assert (told.exit_code, "Anna’s phone witnessed rulings" in told.output) == (0, True), told.output
