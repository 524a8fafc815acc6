"""``referee rehearse`` on pictures taken before: figures, what the certificate states, and the short check."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.addons.rehearsals.certificate import rehearsal_of
from referee.addons.rehearsals.rehearser import rehearser_of
from referee.cli import main
from referee.daemon.certificates import keep, newest_value
from referee.games import package_named
from referee.virtual.drawing.eye import DrawnCamera
from referee.virtual.folder import make_table
from referee.virtual.lenses import CAMERAS
from referee.virtual.scene import TableScene
from tests.certificate.figures import certificate
from vision.reader import TableReader

GAME = package_named("terra-turrium").game
CAMERA = CAMERAS[0]


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["rehearse", str(folder), *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def table(tmp_path: Path) -> Path:
    place = tmp_path / "oak"
    make_table(place, GAME.name)
    return place


def boards(table: Path, count: int) -> list[str]:
    """Return what stands on the table after each of so many tasks."""
    rehearser = rehearser_of(GAME, TableReader.open(table, kit=GAME.kit), {})
    found = [rehearser.first().asked]
    for number in range(1, count):
        found.append(rehearser.following(found[-1], number, 5).asked)
    return found


def stills(table: Path, name: str, count: int, blur_px: float = 0.0) -> Path:
    """Draw so many looks by one camera, each a task further than the one before."""
    folder = table / name
    folder.mkdir()
    camera = DrawnCamera(CAMERA, TableReader.open(table, kit=GAME.kit).table, GAME.kit)
    lines = []
    for number, board in enumerate(boards(table, count)):
        picture = np.asarray(camera.picture(TableScene(board)), np.uint8)
        soft = cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture
        cv2.imwrite(str(folder / f"{number}.png"), soft)
        lines.append(json.dumps({"images": {CAMERA: f"{number}.png"}, "board": board}) + "\n")
    (folder / "looks.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.mark.long
def test_figures_are_stated_in_the_certificate_and_a_check_renews_them(table: Path) -> None:
    six, two = stills(table, "six", 6), table / "two"
    shutil.copytree(six, two)
    looks = (six / "looks.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (two / "looks.jsonl").write_text("".join(looks[:2]), encoding="utf-8")
    status, _, err = run(table, "--stills", str(two))
    assert (status, "counted: 2;" in err) == (1, True)
    keep(table, certificate(), "20261126-090000", "en")
    status, out, _ = run(table, "--stills", str(six), "--json")
    found = json.loads(out)
    assert status == 0
    (group,) = found["groups"]
    counts = np.array([look["parts"] for look in group["looks"]]).sum(axis=(1, 2))
    assert counts[0] == 100
    assert (counts[1:] < 60).all()  # what stands as before does not count again
    low, middle, high = group["shares"]["right"]
    assert 0.5 < low < middle <= high <= 1.0  # one camera
    kept = newest_value(table)
    assert kept is not None
    assert rehearsal_of(kept) is not None
    assert kept.checks == certificate().checks
    status, out, err = run(table, "--check", "--stills", str(two))
    assert (status, err) == (0, "")
    assert "Holds until" in out
    renewed = rehearsal_of(newest_value(table))
    assert renewed is not None
    assert renewed.renewed_at
    status, _, err = run(table, "--check", "--stills", str(stills(table, "smeared", 2, blur_px=2.5)))
    assert status == 1
    assert "wipe its lens" in err


def test_what_cannot_be_rehearsed_is_told_in_a_line(table: Path) -> None:
    status, _, err = run(table, "--check")
    assert (status, "not rehearsed yet" in err, err.count("\n")) == (2, True, 1)
    (table / "empty").mkdir()
    status, _, err = run(table, "--stills", str(table / "empty"))
    assert (status, "looks.jsonl" in err) == (2, True)
    (table / "empty" / "looks.jsonl").write_text('{"images": {}}\n', encoding="utf-8")
    status, _, err = run(table, "--stills", str(table / "empty"))
    assert (status, "line 1" in err) == (2, True)
    (table / "empty" / "looks.jsonl").write_text('{"images": {}}\n', encoding="utf-16")
    status, _, err = run(table, "--stills", str(table / "empty"))
    assert (status, "UTF-8" in err, err.count("\n")) == (2, True, 1)


def test_a_look_whose_picture_is_gone_ends_nothing(table: Path) -> None:
    folder = stills(table, "one", 1)
    look = (folder / "looks.jsonl").read_text(encoding="utf-8")
    (folder / "looks.jsonl").write_text(look.replace("0.png", "gone.png") + look, encoding="utf-8")
    status, _, err = run(table, "--stills", str(folder))
    assert (status, "line 1" in err, "counted: 1;" in err) == (1, True, True)
