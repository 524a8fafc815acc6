"""Timestamps by a real authority: asked for after a turn, kept, exported, and held against the game by everybody."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.addons.witnesses.timestamping import StampError, Timestamping, asked
from referee.archive.backup import BackupWishes, backup
from referee.archive.export import export
from referee.archive.measures import timestamps_file
from referee.archive.packed import PackedGame
from referee.archive.taking import take_in
from referee.archive.verify import stamp_of
from referee.cli import main
from referee.storage.checkpoint import Signer
from referee.storage.journal import Journal
from referee.storage.timestamps import read_timestamps
from tests.archive.authority import Authority, openssl
from tests.archive.game import forged, lines, packed, unpacked, write_journal
from tests.vision.sources.patience import eventually

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here"),
]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stamps") / "authority")


def verified(path: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["journal", "verify", str(path), *options])
    return done.exit_code, done.output


def test_each_turn_is_stamped_once_and_an_export_proves_it(tmp_path: Path, authority: Authority) -> None:
    (tmp_path / "games").mkdir()
    path = write_journal(tmp_path / "games" / "game.journal")
    signer, rulings, ca = Signer.open(tmp_path / "checkpoint.key"), [0], str(authority.folder / "ca.pem")
    with Journal(path) as journal, authority.served() as address:
        stamps = Timestamping(
            address, lambda: journal, lambda: rulings[0], lambda one: signer.checkpoint(one).text, timestamps_file,
            glance_s=0.01, again_s=0.01,
        )  # fmt: skip
        stamps.start()
        rulings[0] = 1
        eventually(lambda: len(read_timestamps(timestamps_file(path))) == 1)
        journal.append("field_told", {"by": "Anna", "field": "A1", "stands": "1"})
        rulings[0] = 2
        eventually(lambda: len(read_timestamps(timestamps_file(path))) == 2)
        stamps.close()
    assert authority.asked == 2
    assert stamps.trouble is None
    code, said = verified(path, "--authority", ca)
    assert (code, "2 timestamps, signed by the authority" in said) == (0, True), said

    made = tmp_path / "game.zip"
    export(path, made, signer=signer)
    code, said = verified(made)
    assert (code, "--authority CA.pem" in said) == (0, True), said
    files = unpacked(made)
    for name in ("verify.py", "timestamp.txt", "timestamp.tsr"):
        (tmp_path / name).write_bytes(files[name])
    stranger = subprocess.run(
        [sys.executable, "verify.py", "game.zip"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    at = stamp_of(files["timestamp.tsr"]).at
    assert stranger.returncode == 0, stranger.stdout
    assert f"were there at {at}" in stranger.stdout
    assert "openssl ts -verify -data timestamp.txt -in timestamp.tsr -CAfile CA.pem" in stranger.stdout
    openssl(tmp_path, "ts", "-verify", "-data", "timestamp.txt", "-in", "timestamp.tsr", "-CAfile", ca)

    backup(tmp_path, tmp_path / "backup.zip", BackupWishes())
    assert unpacked(tmp_path / "backup.zip")["games/game.table/timestamps.jsonl"] == files["timestamps.jsonl"]
    taken = tmp_path / "taken.journal"
    with PackedGame(made) as game:
        take_in(game, taken)
    assert len(read_timestamps(timestamps_file(taken))) == 2


def test_a_rewritten_game_cant_have_the_time(tmp_path: Path, authority: Authority) -> None:
    """Everything is signed anew with the table's key; the authority's old answer fits none of it."""
    path = write_journal(tmp_path / "game.journal")
    signer = Signer.open(tmp_path / "checkpoint.key")
    with Journal(path) as journal, authority.served() as address:
        text = signer.checkpoint(journal).text
        one = asked(address, text)
    timestamps_file(path).parent.mkdir(exist_ok=True)
    made = tmp_path / "game.zip"
    for token, words in (
        (one.token, "not of this checkpoint"),
        (one.token[:-40], "it was changed"),
        (b"", "it was changed"),
    ):
        timestamps_file(path).write_text(one.line, encoding="utf-8")
        export(path, made, signer=signer)
        files = dict(unpacked(made))
        hashes = [line[-67:-3].decode() for line in lines(files)]
        other = signer.sign(len(hashes), "2026-01-01T00:00:00Z", hashes[-1]).text
        said = {"checkpoint": other, "token": base64.b64encode(token).decode()}
        files["timestamps.jsonl"] = json.dumps(said).encode() + b"\n"
        (tmp_path / "forged.zip").write_bytes(packed(forged(files)))
        (tmp_path / "verify.py").write_bytes(files["verify.py"])
        done = subprocess.run(
            [sys.executable, "verify.py", "forged.zip"], cwd=tmp_path, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, words in done.stdout) == (1, True), done.stdout
        code, told = verified(tmp_path / "forged.zip")
        assert (code, "timestamp 1" in told) == (1, True), told


def test_a_game_without_timestamps_has_nothing_to_check(tmp_path: Path, authority: Authority) -> None:
    path = write_journal(tmp_path / "game.journal")
    code, said = verified(path, "--authority", str(authority.folder / "ca.pem"))
    assert (code, "no timestamps in this game: nothing to check" in said) == (0, True), said


def test_another_authority_is_told(tmp_path: Path, authority: Authority) -> None:
    path = write_journal(tmp_path / "game.journal")
    signer = Signer.open(tmp_path / "checkpoint.key")
    stranger = Authority(tmp_path / "stranger")
    with Journal(path) as journal, stranger.served() as address:
        one = asked(address, signer.checkpoint(journal).text)
    timestamps_file(path).parent.mkdir(exist_ok=True)
    timestamps_file(path).write_text(one.line, encoding="utf-8")
    assert verified(path)[0] == 0
    code, told = verified(path, "--authority", str(authority.folder / "ca.pem"))
    assert (code, "not signed by this authority" in told) == (1, True), told


def test_without_internet_a_table_says_so_and_nothing_waits(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "game.journal")
    with Journal(path) as journal:
        stamps = Timestamping(
            "http://127.0.0.1:9/tsr", lambda: journal, lambda: 1, lambda _: "text", timestamps_file, 0.01, 60.0
        )
        stamps.start()
        eventually(lambda: stamps.trouble is not None)
        stamps.close()
    assert stamps.trouble is not None
    assert stamps.trouble.text("de") == "Züge erhalten keine Zeitstempel: 127.0.0.1 antwortet nicht."
    assert not timestamps_file(path).exists()
    with pytest.raises(StampError):
        asked("http://127.0.0.1:9/tsr", "text")
