"""A backup holds a table's pictures of the target, without who held it, and without what they say of their owner."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
from click.testing import CliRunner

from calibration.exif import picture_note
from calibration.picturefile import decode_picture
from calibration.table import load_table
from calibration.target import TargetFinder, TargetView
from referee.cli import main
from tests.archive.game import write_journal
from tests.calibration.exif import noted
from tests.calibration.target_scenes import held, picture
from tests.scene import table_json

SKIN = (90, 30, 250)


def test_a_backup_tells_nobody_where_a_picture_was_taken(tmp_path: Path) -> None:
    write_journal(tmp_path / "data" / "games" / "one.journal")
    table = tmp_path / "club"
    pictures = table / "calibration" / "cam0"
    pictures.mkdir(parents=True)
    (table / "table.json").write_text(json.dumps(table_json()))
    shown = picture(*held((400.0, 240.0), distance_mm=700.0))
    cv2.circle(shown, (60, 80), 45, SKIN, -1)
    content = cv2.imencode(".jpg", shown)[1].tobytes()
    (pictures / "1.jpg").write_bytes(noted(content, "2026:03:14 20:15:00", model="Erika Mustermann's phone"))
    (pictures / "2.JPG").write_bytes(b"Erika Mustermann")
    (pictures / "3.png").write_bytes(cv2.imencode(".png", np.full((480, 640, 3), SKIN, np.uint8))[1].tobytes())
    (pictures / "1.png").write_bytes(cv2.imencode(".png", shown)[1].tobytes())
    out = tmp_path / "backup.zip"
    done = CliRunner().invoke(main, ["backup", str(out), "--data", str(tmp_path / "data"), "--table", str(table)])
    assert done.exit_code == 0, done.output
    assert "2.JPG can’t be read as a picture and is not in it." in done.output
    assert "3.png shows no calibration target and is not in it." in done.output
    with zipfile.ZipFile(out) as packed:
        assert not [name for name in packed.namelist() if b"Mustermann" in packed.read(name)]
        names = [name for name in packed.namelist() if "/calibration/" in name]
        assert [Path(name).name for name in names] == ["1.jpg", "1.png.jpg"]
        kept = packed.read(names[0])
    assert picture_note(kept).taken_at is None
    before, after = decode_picture(content), decode_picture(kept)
    assert (np.abs(before.astype(int) - SKIN).max(axis=2) < 40).sum() > 1000
    assert not (np.abs(after.astype(int) - SKIN).max(axis=2) < 40).any()
    finder = TargetFinder(load_table(table).charuco)
    one, other = finder.find(before), finder.find(after)
    assert isinstance(one, TargetView)
    assert isinstance(other, TargetView)
    assert (one.ids == other.ids).all()
    assert np.abs(one.seen_px - other.seen_px).max() < 0.1


def test_a_table_whose_sizes_can_t_be_read_is_told(tmp_path: Path) -> None:
    pictures = tmp_path / "club" / "calibration" / "cam0"
    pictures.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    (tmp_path / "club" / "table.json").write_text("{")
    (pictures / "1.jpg").write_bytes(cv2.imencode(".jpg", picture(*held((400.0, 240.0), distance_mm=700.0)))[1])
    words = ["backup", str(tmp_path / "out.zip"), "--data", str(tmp_path / "data"), "--table", str(tmp_path / "club")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "1.jpg is not in it: the table.json beside it can’t be read." in done.output
