"""Small ZIPs that would fill memory are refused with a sentence by everything that reads ZIPs, in little memory."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from referee.archive import packed as packing
from referee.archive import zipreader
from referee.archive.export import VERIFIER
from referee.archive.packed import PackedGame, is_packed
from referee.archive.restore import BackupError, restore
from referee.archive.zipreader import ZipError, ZipReader
from referee.storage.chain import ChainError, JournalError
from tests.archive.bombs import ALONE, BOMBS, COMMAND, limited, newlines, of_bytes

VERIFIER_MB, COMMAND_MB = 400, 1200
TOLD = {
    "newlines": ("event 100 was changed", "event 1 was changed"),
    "endless_line": ("endless line", "line 1 of journal.jsonl in it has no end"),
    "zeros": ("unpacks to far more", "unpack to more than 100 times"),
    "other_packing": ("no event in journal.jsonl", "packed in a way that is not read"),
    "many_files": ("more files than any export", "more than 200000 files"),
    "large_contents": ("table of contents is larger", "table of contents is too large"),
    "many_values": ("manifest.json was removed", "more than the journal of any game"),
    "nested_manifest": ("manifest.json was changed", "manifest.json was changed"),
    "wide_manifest": ("manifest.json was changed", "manifest.json was changed"),
}
"""By bomb: what the verifier says, and what the referee."""
LIGHT = [name for name in BOMBS if name not in ("many_files", "many_values")]
"""Bombs that are refused after little reading; ``make attacks`` throws the others as well."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that makes a bomb by its name, once."""
    folder = tmp_path_factory.mktemp("bombs")
    return cache(lambda name: BOMBS[name](folder / f"{name}.zip"))


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("name", LIGHT)
def test_the_verifier_refuses_a_bomb_in_little_memory(name: str, made: Callable[[str], Path]) -> None:
    done = limited(ALONE, VERIFIER_MB, VERIFIER, made(name))
    assert (done.returncode in (1, 2), done.stderr) == (True, ""), done.stdout + done.stderr
    assert TOLD[name][0] in done.stdout
    assert len(done.stdout) < 20_000


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("name", LIGHT)
def test_the_referee_refuses_a_bomb_in_little_memory(name: str, made: Callable[[str], Path]) -> None:
    done = limited(COMMAND, COMMAND_MB, "journal", "verify", made(name))
    assert done.returncode in (1, 2), done.stdout + done.stderr
    assert TOLD[name][1] in done.stdout + done.stderr
    assert "please report" not in done.stderr


@pytest.mark.long
def test_a_backup_that_is_a_bomb_writes_nothing(made: Callable[[str], Path], tmp_path: Path) -> None:
    for name in LIGHT:
        with pytest.raises(BackupError):
            restore(made(name), tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.mark.process
def test_the_verifier_stops_where_enough_is_wrong(tmp_path: Path) -> None:
    lines = limited(ALONE, VERIFIER_MB, VERIFIER, newlines(tmp_path / "bomb.zip")).stdout.splitlines()
    assert "WRONG: event 100 was changed after it was written" in lines
    assert "WRONG: that is enough: what follows there was not looked at" in lines
    assert not [line for line in lines if "event 101" in line]


@pytest.mark.process
@pytest.mark.parametrize("words", [(ALONE, VERIFIER_MB, VERIFIER), (COMMAND, COMMAND_MB, "journal", "verify")])
def test_what_a_terminal_obeys_is_not_printed(tmp_path: Path, words: tuple[str, int, object]) -> None:
    files = '{"\\ud800\\u001b[1m":{"sha256":"","bytes":0}}'
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as pack:
        pack.writestr("\x1b[2J\x07evil", b"")
        pack.writestr("pictures/\x1b[2J", b"")
        pack.writestr("manifest.json", f'{{"format":"","files":{files},"events":1,"head":""}}')
    done = limited(*words, tmp_path / "evil.zip")
    assert done.returncode in (1, 2)
    assert "please report" not in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.process
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.zip"
    os.mkfifo(pipe)
    assert not is_packed(pipe)
    with pytest.raises(ZipError, match="there is no such file"):
        ZipReader(pipe, "")
    assert "can't be opened" in limited(ALONE, VERIFIER_MB, VERIFIER, pipe).stdout


def test_no_more_is_unpacked_than_a_file_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "LARGEST_PICTURE", 1000)
    packed = of_bytes(tmp_path / "large.zip", "pictures/x.jpg", b"\0", 1001)
    with PackedGame(packed) as game, pytest.raises(JournalError, match=r"pictures/x\.jpg in it is too large: 1000"):
        game.picture("x")


def test_lines_are_read_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipreader, "_CHUNK_BYTES", 7)
    text = b"one\n\ntwo and three\nfour"
    with zipfile.ZipFile(tmp_path / "lines.zip", "w") as pack:
        pack.writestr("lines", text)
    with ZipReader(tmp_path / "lines.zip", "") as reader:
        assert list(reader.lines("lines", 100, 20)) == text.split(b"\n")
        with pytest.raises(ZipError, match="line 3 of lines"):
            list(reader.lines("lines", 100, 5))


def test_events_are_not_read_beyond_the_first_bad_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, chunks = [], ZipReader.chunks

    def counted(reader: ZipReader, name: str, most: int) -> Iterator[bytes]:
        for chunk in chunks(reader, name, most):
            read.append(len(chunk))
            yield chunk

    monkeypatch.setattr(ZipReader, "chunks", counted)
    with PackedGame(newlines(tmp_path / "bomb.zip")) as game, pytest.raises(ChainError, match="event 1 was changed"):
        game.entries()
    assert len(read) == 1
