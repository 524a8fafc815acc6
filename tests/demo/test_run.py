"""``referee run`` on files: real capture processes, the gate, reading and rules, over the API to the ruling."""

from __future__ import annotations

import shutil
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.writing import add_phone
from referee.cli import main
from tests.demo.awaiting import until
from tests.demo.command import Demo
from tests.demo.table import Table


def test_a_real_table_from_the_set_up_to_a_ruling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    # Nobody presses here: a still board ends the turn, once both cameras have surely shown it.
    monkeypatch.setenv("REFEREE_TURN_END_STILL_S", "3.0")
    table = Table(tmp_path)
    table.show(0)
    with Demo.run(*table.options) as run:
        url = run.url
        begun = until(run, url, lambda state: state["phase"]["id"] == "playing")
        assert [camera["ok"] for camera in begun["cameras"]] == [True, True]
        table.show(2)
        legal = until(run, url, lambda state: state["turn"] == 2)
        (turn,) = legal["history"]
        assert (turn["verdict"], set(turn["pictures"])) == ("legal", {"cam0", "cam1"})
        for content in turn["pictures"].values():
            with urllib.request.urlopen(f"{url}api/pictures/{content}", timeout=30) as picture:
                assert picture.read(3) == b"\xff\xd8\xff"
        run.kill()
    (kept,) = (tmp_path / "data" / "games").glob("*.table")
    assert {path.name for path in kept.rglob("*.json")} == {"table.json", "cam0.json", "cam1.json"}
    with Demo.run(*table.options) as second:
        carried = until(second, second.url, lambda state: True)
        assert (carried["turn"], carried["history"]) == (legal["turn"], legal["history"])


def test_what_is_missing_is_said_in_one_line(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for options, told in (
        ((str(table.folder),), "has a source: name it in the settings"),
        ((str(table.folder), "--camera", "cam9=file:x.avi"), "one of the table's cameras: cam0, cam1"),
        ((str(table.folder), "--camera", "cam0=gopher:x"), "can't be reached by 'gopher'"),
        ((str(table.folder), "--camera", f"cam0={tmp_path / 'cam0'}"), f"folder:{tmp_path / 'cam0'}?watch=yes"),
        ((str(tmp_path / "none"), "--camera", "cam0=file:x.avi"), f"referee new {tmp_path / 'none'} makes one"),
    ):
        done = CliRunner().invoke(main, ["run", *options])
        assert (done.exit_code, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert told in line
    assert not any((tmp_path / "cam0").iterdir())


def test_a_folder_that_is_not_there_is_named_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    away = tmp_path / "stick"
    table.cameras["cam0"].rename(away)
    with Demo.run(*table.options) as run:
        run.until(f"cam0: there is no folder {table.cameras['cam0']} yet. The referee waits for it")
        url = run.url
        state = until(
            run, url, lambda now: any("folder cam0, which is not there" in each["words"] for each in now["cameras"])
        )
        assert any("folder cam0" in notice["words"] for notice in state["notices"])
        away.rename(table.cameras["cam0"])
        table.show(0)
        until(run, url, lambda now: now["phase"]["id"] == "playing")


def test_a_camera_that_is_not_plugged_in_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table, device = Table(tmp_path), "/dev/v4l/by-id/none"
    with Demo.run(str(table.folder), "--camera", f"cam0=usb:{device}") as run:
        run.until(f"cam0: there is no device {device} yet. The referee waits for it: plug it in")
        assert run.url


def test_a_phone_beside_fixed_cameras_takes_part_without_a_lens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    add_phone(table.folder, "phone")
    with Demo.run(*table.options) as run:
        assert run.url
    assert not any("phone takes no part" in line for line in run.said)


def test_of_a_phone_that_finds_its_lens_no_pictures_of_a_target_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = Table(tmp_path)
    shutil.rmtree(table.folder / "calibration")
    with Demo.run(
        str(table.folder), "--camera", "cam0=phone:left", "--camera", f"cam1=folder:{tmp_path / 'none'}"
    ) as run:
        assert run.url
    told = [line for line in run.said if "takes no part in play yet" in line]
    assert told[0] == "cam0 takes no part in play yet: open /camera on the phone, it finds its lens by itself"
    assert "put pictures of the calibration target" in told[1]
