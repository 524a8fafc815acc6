"""The week of the cameras: kept in a real file, bounded, whatever happens to process, disk and file."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.addons.week.linefile import KEPT_S, PRUNE_EVERY, CameraLineFile
from referee.addons.week.lineview import POINTS, line_view
from referee.values.camerahealth import Befell, CameraEvent, CameraSample
from referee.values.words import say
from tests.house.tmpfs import make_read_only, small_disk
from tests.untyped import untyped

NOW_S = 1_800_000_000.0
SAMPLE = CameraSample(0.1, 1, 8, 2.4, 0.3, 120.5, 0.01, 0.0)
WRITES = """
import sys
from pathlib import Path
from referee.addons.week.linefile import CameraLineFile
from referee.values.camerahealth import CameraSample
file = CameraLineFile(Path(sys.argv[1]))
for number in range(10**9):
    assert file.add(float(number), {"cam0": CameraSample(0.0, number), "cam1": CameraSample(0.0, number)})
    print(number, flush=True)
"""


def event(at_s: float = NOW_S) -> CameraEvent:
    return CameraEvent(at_s, "cam0", Befell.MOVED, say("It came back."))


def test_what_is_kept_is_there_after_a_restart_and_old_things_go(tmp_path: Path) -> None:
    path = tmp_path / "cameras.sqlite"
    with CameraLineFile(path) as file:
        assert file.samples(0.0) == []  # and no file is made to look
        assert not path.exists()
        assert file.add(NOW_S, {"cam0": SAMPLE, "cam1": CameraSample()}, (event(),))
    with CameraLineFile(path) as file:
        assert file.samples(0.0) == [(NOW_S, "cam0", SAMPLE), (NOW_S, "cam1", CameraSample())]
        assert file.events(0.0) == [event()]
        for _ in range(PRUNE_EVERY + 1):
            assert file.add(NOW_S + KEPT_S + 1, {"cam1": SAMPLE})
        assert {camera for _, camera, _ in file.samples(0.0)} == {"cam1"}
        assert file.events(0.0) == []


def test_a_kill_at_any_moment_leaves_whole_minutes(tmp_path: Path) -> None:
    path = tmp_path / "cameras.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITES, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(20)]
        os.kill(process.pid, signal.SIGKILL)
    with CameraLineFile(path) as file:
        found = file.samples(0.0)
        assert len(found) >= 2 * len(told)
        assert [sample.losses for _, camera, sample in found if camera == "cam0"] == list(range(len(found) // 2))
        assert [sample.losses for _, camera, sample in found if camera == "cam1"] == list(range(len(found) // 2))


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "cameras.sqlite"
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 40)
    with CameraLineFile(path) as file:
        assert file.samples(0.0) == []
        assert file.add(NOW_S, {"cam0": SAMPLE})
        assert len(file.samples(0.0)) == 1


@pytest.mark.parametrize("looked_at_first", [False, True], ids=["written", "looked at"])
def test_a_file_damaged_past_its_first_page_is_begun_anew(looked_at_first: bool, tmp_path: Path) -> None:
    path = tmp_path / "cameras.sqlite"
    with CameraLineFile(path) as file:
        for number in range(200):
            assert file.add(NOW_S + number, {"cam0": SAMPLE})
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"x" * (len(whole) - 4096))
    with CameraLineFile(path) as file:
        assert not looked_at_first or file.samples(0.0) == []
        assert file.add(NOW_S, {"cam0": SAMPLE})
        assert (len(file.samples(0.0)), file.trouble) == (1, "")


def test_a_file_of_other_columns_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "cameras.sqlite"
    with CameraLineFile(path) as file:
        assert file.add(NOW_S, {"cam0": SAMPLE})
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE samples DROP COLUMN losses")
    with CameraLineFile(path) as file:
        assert file.add(NOW_S, {"cam0": SAMPLE})
        assert file.samples(0.0) == [(NOW_S, "cam0", SAMPLE)]


def test_a_full_or_locked_disk_only_stops_the_line(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 9000) as disk:
        file = CameraLineFile(disk / "cameras.sqlite")
        assert file.add(NOW_S, {"cam0": SAMPLE})
        (disk / "filling").write_bytes(bytes(2_000_000))  # less than the journal's reserve is left
        assert not file.add(NOW_S, {"cam0": SAMPLE})
        assert file.trouble
        assert len(file.samples(0.0)) == 1  # what was kept can still be seen
        (disk / "filling").unlink()
        assert file.add(NOW_S, {"cam0": SAMPLE})
        assert not file.trouble
        file.close()
        make_read_only(disk)
        assert not file.add(NOW_S, {"cam0": SAMPLE})
        assert len(file.samples(0.0)) == 2
        file.close()


def test_lines_have_gaps_words_and_what_happened() -> None:
    since_s = NOW_S - 86_400
    samples = [(since_s + 60 * k, "cam0", CameraSample(0.1, 0, 8, 2.0 + (k == 5))) for k in range(20)]
    samples += [(NOW_S - 1, "cam0", CameraSample(40.0, 1))]
    shown = untyped(line_view(["cam0", "cam1"], samples, [event()], since_s, NOW_S, "de"))
    cam0, cam1 = shown["cameras"]
    assert (cam1["lines"], cam1["events"]) == ([], [])
    assert [one["what"] for one in cam0["events"]] == ["moved"]
    lines = {line["id"]: line for line in cam0["lines"]}
    sharp = lines["sharpness"]["values"]
    assert (len(sharp), sharp[0], sharp[1], sharp[2], sharp[-1]) == (POINTS, 3.0, 2.0, None, None)
    assert (lines["age"]["values"][-1], lines["losses"]["values"][-1]) == (40.0, 1.0)
    assert "2,0 px" in lines["sharpness"]["words"]
    assert "40,0 s" in lines["age"]["words"]


def test_the_line_of_an_hour_is_whole() -> None:
    since_s = NOW_S - 3600
    samples = [(since_s + 7 + 61 * k, "cam0", SAMPLE) for k in range(59)]  # a little later each minute
    (cam0,) = untyped(line_view(["cam0"], samples, [], since_s, NOW_S, "en"))["cameras"]
    assert all(None not in line["values"] and len(line["values"]) >= 24 for line in cam0["lines"])


def test_what_is_now_lies_in_what_is_told_of_the_hour() -> None:
    """A point takes its widest edges, so the sharper newest picture was told to lie outside of all there were."""
    samples = [(NOW_S - 20 + k, "cam0", replace(SAMPLE, edge_px=3.0 - 0.5 * k)) for k in range(3)]
    (cam0,) = untyped(line_view(["cam0"], samples, [], NOW_S - 3600, NOW_S, "en"))["cameras"]
    (words,) = (line["words"] for line in cam0["lines"] if line["id"] == "sharpness")
    assert words == "now 2.0 px, 2.0 px to 3.0 px"
