from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from referee.demo.recording import BUNDLED, Recording, RecordingError
from referee.games import game_named


def test_the_bundled_recording_is_whole_and_small() -> None:
    recording = Recording.open(BUNDLED)
    position = game_named(recording.game).position(recording.position)
    assert position.turn == 1
    assert [look.setup for look in recording.looks] == [True] + [False] * 6
    for look in recording.looks:
        assert {picture.shape for picture in look.load().values()} == {(960, 1280, 3)}
    assert sum(path.stat().st_size for path in BUNDLED.rglob("*") if path.is_file()) < 10_000_000
    assert (BUNDLED / "README.md").is_file()


def test_the_recording_gives_nothing_away() -> None:
    """No board after a turn, no verdict, no lens: only what players agree on before a game, and pictures."""
    data = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
    assert set(data) == {"source", "position", "looks"}
    assert all(set(look) == {"at", "pictures"} for look in data["looks"])
    assert json.dumps(data).count("/") == len(data["looks"]) * 2 + 9  # the paths, and one board of ten rows
    assert {path.suffix for path in BUNDLED.rglob("*") if path.is_file()} == {".jpg", ".json", ".md"}
    assert {path.name for path in BUNDLED.rglob("*.json")} == {"game.json", "table.json"}


def spoiled(folder: Path, text: str | None = None, **changes: object) -> Path:
    folder.mkdir()
    data = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8")) | changes
    (folder / "game.json").write_text(json.dumps(data) if text is None else text, encoding="utf-8")
    shutil.copytree(BUNDLED / "pictures", folder / "pictures")
    return folder


def test_trouble_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"game\.json can't be read: No such file"):
        Recording.open(tmp_path)
    with pytest.raises(RecordingError, match=r"game\.json is no recording"):
        Recording.open(spoiled(tmp_path / "a", text="{"))
    with pytest.raises(RecordingError, match="is no recording"):
        Recording.open(spoiled(tmp_path / "b", looks=[{"at": "tea", "pictures": {}}]))
    with pytest.raises(RecordingError, match="is missing"):
        Recording.open(spoiled(tmp_path / "c", looks=[{"at": "turn", "pictures": {"cam0": "pictures/no.jpg"}}]))
    folder = spoiled(tmp_path / "d")
    (folder / "pictures" / "000_cam0.jpg").write_bytes(b"no picture")
    with pytest.raises(RecordingError, match=r"000_cam0\.jpg can't be read as a picture"):
        Recording.open(folder).looks[0].load()
