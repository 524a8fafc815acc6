"""Packed files that say they hold more than there is room for are refused before any of it is unpacked."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from referee.archive import restore as restoring
from referee.archive.backup import FORMAT, MANIFEST
from referee.archive.restore import BackupError, restore
from referee.archive.zipreader import ZipReader

ZEROS = 300_000_000


def bomb(path: Path, *names: str, manifest: bool = False, byte: bytes = b"\0", size: int = ZEROS) -> Path:
    """Write a small file of very many bytes, all the same, under each name."""
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
    monkeypatch.setattr(ZipReader, "digest", lambda pack, name, most: read.append(name))
    monkeypatch.setattr(restoring, "free_bytes", lambda folder: 50_000_000)
    with pytest.raises(BackupError, match="MB are needed there: make room"):
        restore(packed, tmp_path / "into")
    assert read == []
    assert list((tmp_path / "into").iterdir()) == []


@pytest.mark.parametrize("name", [f"games/one.pictures/{'0' * 64}.jpg", "tables/oak/calibration/cam0/1.jpg"])
def test_what_is_larger_than_any_picture_is_left_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = bomb(tmp_path / "bomb.zip", name, manifest=True, size=2_000_000)
    monkeypatch.setattr(restoring, "LARGEST_PICTURE", 1_999_999)
    assert restore(packed, tmp_path / "into").left_out == [name]
    assert not list((tmp_path / "into").rglob("*.jpg"))
