"""What is changed in an export is found by the referee and by verify.py, which share no line, at the same place."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.archive.export import VERIFIER, export
from referee.cli import main
from referee.storage import timestamps, witnesses
from referee.storage.checkpoint import Signer, fingerprint
from tests.archive.damaging import DAMAGES
from tests.archive.game import exported, forged, lines, packed, rewritten
from tests.archive.verifying import Exported, first_event

_ACROSS = settings(deadline=None, max_examples=settings().max_examples)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return Exported.made(tmp_path_factory.mktemp("exported"))


def test_what_nobody_touched_is_verified(game: Exported) -> None:
    assert game.found_raw(game.zip.read_bytes()) == ("", "")
    assert game.found(game.files) == ("", ""), "packed again by another program"


def test_the_verifier_imports_nothing_of_ours() -> None:
    nodes = list(ast.walk(ast.parse(VERIFIER.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    strangers = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert {name.split(".")[0] for name in strangers} == {"cryptography"}


@pytest.mark.process
def test_it_runs_alone_on_a_zip_and_on_what_was_unpacked(game: Exported, tmp_path: Path) -> None:
    with zipfile.ZipFile(game.zip) as pack:
        pack.extractall(tmp_path)
    command = [sys.executable, "-I", "-S", str(tmp_path / "verify.py")]
    for more in ([], [str(game.zip)]):
        done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "VERIFIED"), done.stdout
        assert "could not be checked: install" in done.stdout
    picture = next((tmp_path / "pictures").iterdir())
    picture.write_bytes(picture.read_bytes() + b"!")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "NOT AS IT WAS")
    for typed in ("zz", game.key[:-1]):
        done = subprocess.run([*command, str(game.zip), "--key", typed], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--key: {typed!r} is no fingerprint: give its 32 digits" in done.stderr
    for typed in (game.key, game.key.replace(" ", "").upper()):
        done = subprocess.run([*command, str(game.zip), "--key", typed], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "VERIFIED"), done.stdout
    missing = subprocess.run([*command, str(tmp_path / "\x1b[2J.zip")], capture_output=True, text=True, check=False)
    assert (missing.returncode, "?[2J.zip can't be opened" in missing.stdout) == (2, True), missing.stdout
    note = tmp_path / "no-note.txt"
    mistyped = subprocess.run(
        [*command, str(game.zip), "--note", str(note)], capture_output=True, text=True, check=False
    )
    assert (mistyped.returncode, mistyped.stdout) == (2, f"{note} can't be read: No such file or directory\n")


def test_what_was_found_is_told_though_the_rest_is_too_much(game: Exported, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**game.files, "witnesses.jsonl": b'no note\n{"device":"Anna","note":"none"}\n' * 400}
    monkeypatch.setattr(game.stranger, "LARGEST_WITNESSES_BYTES", len(files["witnesses.jsonl"]) - 1)
    note = game.folder / "kept.txt"
    note.write_text("a shopping list", encoding="utf-8")
    _, told = game.found(forged(files), kept=note)
    for words in ("witnesses.jsonl is too large to be checked", "that is enough", "kept.txt is no note of a witness"):
        assert words in told, told


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_what_one_refuses_the_other_refuses(game: Exported, damage: str) -> None:
    assert all(game.found_raw(DAMAGES[damage](game.files))), game.found_raw(DAMAGES[damage](game.files))


def test_it_reads_as_many_notes_as_a_table_keeps(game: Exported) -> None:
    assert game.stranger.LARGEST_WITNESSES_BYTES == witnesses.MOST_BYTES
    assert game.stranger.LARGEST_TIMESTAMPS_BYTES == timestamps.MOST_BYTES


@_ACROSS
@given(data=st.data())
def test_any_byte_of_the_file_is_found(game: Exported, data: st.DataObject) -> None:
    content = bytearray(game.zip.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    ours, theirs = game.found_raw(bytes(content))
    assert ours
    assert theirs


@pytest.mark.parametrize(
    "offset", [6, 8, 10, 28, 30, 42], ids=["version", "flags", "method", "name", "extra", "place"]
)
def test_a_damaged_table_of_contents_is_found(game: Exported, offset: int) -> None:
    """Version, flags, method, length of the name and of what is extra, place of the file."""
    content = bytearray(game.zip.read_bytes())
    content[content.index(b"PK\x01\x02") + offset] ^= 0xAB
    ours, theirs = game.found_raw(bytes(content))
    assert ours
    assert theirs


@_ACROSS
@given(data=st.data())
def test_any_byte_of_any_file_in_it_is_found_in_that_file(game: Exported, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(game.files)))
    content = bytearray(game.files[name])
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    ours, theirs = game.found({**game.files, name: bytes(content)})
    if name != "manifest.json":
        assert f"{name} was changed" in ours
        assert f"{name} was changed" in theirs
    assert ours
    assert theirs


@_ACROSS
@given(data=st.data())
def test_any_byte_of_an_event_is_found_in_that_event(game: Exported, data: st.DataObject) -> None:
    written = lines(game.files)
    number = data.draw(st.integers(1, len(written)))
    line = bytearray(written[number - 1])
    line[data.draw(st.integers(0, len(line) - 2))] ^= data.draw(st.integers(1, 255))
    if b"\n" in line[:-1]:
        return  # another number of lines: the test above finds it
    written[number - 1] = bytes(line)
    ours, theirs = game.found(forged({**game.files, "journal.jsonl": b"".join(written)}))
    assert first_event(ours) == number
    assert first_event(theirs) == number


@_ACROSS
@given(data=st.data())
def test_events_taken_out_are_found_where_they_were(game: Exported, data: st.DataObject) -> None:
    written = lines(game.files)
    start = data.draw(st.integers(1, len(written)))
    end = data.draw(st.integers(start, len(written)))
    kept = written[: start - 1] + written[end:]
    ours, theirs = game.found({**game.files, "journal.jsonl": b"".join(kept)})
    if end == len(written):
        assert f"ends at event {start - 1}" in ours
        assert f"there are {start - 1}: the end was cut off" in theirs
    else:
        assert f"event {start} was changed" in ours
        gone = f"events {start} to {end} were" if end > start else f"event {start} was"
        assert f"{gone} removed" in theirs


@_ACROSS
@given(data=st.data())
def test_events_in_another_order_are_found_at_the_first(game: Exported, data: st.DataObject) -> None:
    written = lines(game.files)
    order = data.draw(st.permutations(range(len(written))))
    first = next((number for number, at in enumerate(order, 1) if at != number - 1), None)
    if first is None:
        return
    moved = b"".join(written[at] for at in order)
    ours, theirs = game.found({**game.files, "journal.jsonl": moved})
    assert f"event {first} was changed" in ours
    assert f"stands where event {first} must" in theirs


@pytest.mark.parametrize("start", [1, 4, 9])
def test_a_game_rewritten_from_an_event_on_is_found_by_its_checkpoint(game: Exported, start: int) -> None:
    made = rewritten(game.files, start, lambda text: text.replace('"at":"2', '"at":"1'))
    ours, theirs = game.found(made)
    assert "rewritten" in ours
    assert "checkpoint.txt knows another event 11: it, or one before it, was rewritten" in theirs


def test_one_event_rewritten_is_found_where_the_next_does_not_follow(game: Exported) -> None:
    other = lines(rewritten(game.files, 4, lambda text: text.replace('"at":"2', '"at":"1')))
    written = lines(game.files)
    written[3] = other[3]
    ours, theirs = game.found(forged({**game.files, "journal.jsonl": b"".join(written)}))
    assert first_event(ours) == 5
    assert "event 5 does not follow from the one before: it, or that one, was rewritten" in theirs


def test_a_tail_cut_by_somebody_who_mends_the_manifest_is_found(game: Exported) -> None:
    cut = b"".join(lines(game.files)[:-3])
    ours, theirs = game.found(forged({**game.files, "journal.jsonl": cut}))
    assert "the last 3 events were cut off" in ours
    assert "checkpoint.txt knows 11 events, there are 8: the end was cut off" in theirs


def test_a_line_broken_off_is_found(game: Exported) -> None:
    ours, theirs = game.found({**game.files, "journal.jsonl": game.files["journal.jsonl"][:-5]})
    assert first_event(ours) == 11
    assert "event 11 was cut or changed" in theirs


@pytest.mark.parametrize("name", ["README.txt", "record.txt", "manifest.json", "checkpoint.txt", "pictures/"])
def test_a_file_taken_out_is_found(game: Exported, name: str) -> None:
    gone = next(each for each in game.files if each.startswith(name))
    ours, theirs = game.found({each: content for each, content in game.files.items() if each != gone})
    assert f"{gone} was removed" in ours
    assert f"{gone} was removed" in theirs


def test_a_file_put_in_is_found(game: Exported) -> None:
    ours, theirs = game.found({**game.files, "pictures/0.jpg": b"a picture"})
    assert "pictures/0.jpg was added" in ours
    assert "pictures/0.jpg was added" in theirs


def test_files_in_another_order_are_found(game: Exported) -> None:
    ours, theirs = game.found(dict(reversed(game.files.items())))
    assert "another order" in ours
    assert "another order" in theirs


def test_a_picture_changed_is_found_in_its_event(game: Exported) -> None:
    name = next(each for each in game.files if each.startswith("pictures/"))
    ours, theirs = game.found(forged({**game.files, name: b"another picture"}))
    assert f"the picture {Path(name).stem} was changed" in ours
    assert f"the picture of cam0 in event 3 was changed: {name}" in theirs


def test_a_checkpoint_signed_by_somebody_else_is_found_by_the_key(game: Exported, tmp_path: Path) -> None:
    right = Signer.open(game.folder / "checkpoint.key")
    forger = Signer.open(tmp_path / "other.key")
    made = rewritten(game.files, 4, lambda text: text.replace('"at":"2', '"at":"1'))
    head = lines(made)[-1][-67:-3].decode()
    at = "2026-01-01T00:00:00Z"
    made = forged({**made, "checkpoint.txt": forger.sign(11, at, head).text.encode()})
    (game.folder / "changed.zip").write_bytes(packed(made))
    key = fingerprint(right.public)
    assert not game.stranger.verify(game.folder / "changed.zip", [], "", []).wrong
    assert "signed with another key" in game.stranger.verify(game.folder / "changed.zip", [], key, []).wrong[0]
    done = CliRunner().invoke(main, ["journal", "verify", str(game.folder / "changed.zip"), "--key", key])
    assert (done.exit_code, "signed with another key" in done.output) == (1, True)
    taken = game.folder / "taken.txt"
    taken.write_bytes(game.files["checkpoint.txt"])
    assert "rewritten" in game.stranger.verify(game.folder / "changed.zip", [taken], "", []).wrong[0]


def test_a_signature_that_does_not_fit_is_found(game: Exported) -> None:
    note = game.files["checkpoint.txt"].replace(b"Events: 11", b"Events: 10")
    ours, theirs = game.found(forged({**game.files, "checkpoint.txt": note}))
    assert "signature is wrong" in ours
    assert "its signature is wrong" in theirs


def test_the_same_game_gives_the_same_export(tmp_path: Path) -> None:
    first = exported(tmp_path)
    journal = tmp_path / "games" / "final.journal"
    signer = Signer.open(tmp_path / "checkpoint.key")
    export(journal, tmp_path / "again.zip", tmp_path / "table", signer)
    assert (tmp_path / "again.zip").read_bytes() == first.read_bytes()
