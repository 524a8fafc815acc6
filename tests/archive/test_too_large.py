"""Packed files that say they hold more than there is room for are refused before any of it is unpacked."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from referee.archive import restore as restoring
from referee.archive.backup import FORMAT, MANIFEST
from referee.archive.packed import packed_entries, packed_picture, packed_record
from referee.archive.restore import BackupError, restore
from referee.storage.journal import JournalError
from tests.untyped import untyped

ZEROS = 300_000_000
READ = """
import sys
from pathlib import Path
from referee.archive.packed import packed_entries
from referee.storage.journal import ChainError
try:
    packed_entries(Path(sys.argv[1]))
except ChainError as error:
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(error.number, int(peak.split()[1]) // 1024)
"""
"""The peak is this process's own: ru_maxrss begins with that of the process it was started from."""


def bomb(path: Path, *names: str, manifest: bool = False, byte: bytes = b"\0", size: int = ZEROS) -> Path:
    """A small file of very many bytes, all the same, under each name."""
    digest = hashlib.sha256()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name in names:
            with pack.open(name, "w", force_zip64=True) as file:
                for _ in range(size // 1_000_000):
                    file.write(byte * 1_000_000)
                    digest.update(byte * 1_000_000)
        if manifest:
            files = {name: {"bytes": size, "sha256": digest.hexdigest()} for name in names}
            pack.writestr(MANIFEST, json.dumps({"format": FORMAT, "files": files}))
    assert path.stat().st_size < 1_000_000
    return path


def test_a_backup_larger_than_the_disk_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = bomb(tmp_path / "bomb.zip", "games/final.journal", manifest=True, size=50_000_000)
    read: list[str] = []
    monkeypatch.setattr(restoring, "_digest", lambda pack, name: untyped(read.append(name)))
    monkeypatch.setattr(restoring, "free_bytes", lambda folder: 50_000_000)
    with pytest.raises(BackupError, match="MB are needed there: make room"):
        restore(packed, tmp_path / "into")
    assert read == []
    assert list((tmp_path / "into").iterdir()) == []


def test_an_export_of_zeros_is_refused_at_once(tmp_path: Path) -> None:
    picture = hashlib.sha256(b"").hexdigest()
    packed = bomb(tmp_path / "bomb.zip", "journal.jsonl", "record.txt", f"pictures/{picture}.jpg")
    began_s = time.process_time()
    for read in (packed_entries, packed_record, lambda path: packed_picture(path, picture)):
        with pytest.raises(JournalError, match="too large"):
            read(packed)
    assert time.process_time() - began_s < 2


@pytest.mark.long
def test_an_export_of_empty_lines_takes_little_more_than_its_text(tmp_path: Path) -> None:
    packed = bomb(tmp_path / "bomb.zip", "journal.jsonl", byte=b"\n", size=200_000_000)
    said = subprocess.run([sys.executable, "-c", READ, str(packed)], capture_output=True, text=True, check=True)
    event, megabytes = map(int, said.stdout.split())
    assert event == 1
    assert megabytes < 700
