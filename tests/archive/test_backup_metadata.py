"""A backup holds a table's pictures without what they say of their owner."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from click.testing import CliRunner

from calibration.exif import picture_note
from calibration.picturefile import decode_picture
from referee.cli import main
from referee.demo.recording import BUNDLED, Recording
from tests.archive.game import write_journal
from tests.calibration.exif import noted


def test_a_backup_tells_nobody_where_a_picture_was_taken(tmp_path: Path) -> None:
    write_journal(tmp_path / "data" / "games" / "one.journal")
    table = tmp_path / "club"
    pictures = table / "calibration" / "cam0"
    pictures.mkdir(parents=True)
    shutil.copy(BUNDLED / "table.json", table)
    content = next(iter(Recording.open(BUNDLED).looks)).pictures["cam0"].read_bytes()
    (pictures / "1.jpg").write_bytes(noted(content, "2026:03:14 20:15:00", model="Erika Mustermann's phone"))
    (pictures / "2.JPG").write_bytes(b"Erika Mustermann")
    out = tmp_path / "backup.zip"
    done = CliRunner().invoke(main, ["backup", str(out), "--data", str(tmp_path / "data"), "--table", str(table)])
    assert done.exit_code == 0, done.output
    assert "2.JPG can’t be read as a picture and is not in it." in done.output
    with zipfile.ZipFile(out) as packed:
        assert not [name for name in packed.namelist() if b"Mustermann" in packed.read(name)]
        (kept,) = (packed.read(name) for name in packed.namelist() if name.endswith("cam0/1.jpg"))
    assert (decode_picture(kept) == decode_picture(content)).all()
    assert picture_note(kept).taken_at is None
