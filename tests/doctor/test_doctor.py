"""The doctor on computers that lack one thing or another; devices are real files, ports real ptys and sockets."""

from __future__ import annotations

import json
import os
import pty
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.doctor import examine
from referee.doctor import devices, machine, software
from referee.doctor.finding import Health

GOOD, WARNING, BAD = Health.GOOD, Health.WARNING, Health.BAD

# As v4l2-ctl 1.22 writes it for a common webcam.
LISTED = """ioctl: VIDIOC_ENUM_FMT
\tType: Video Capture

\t[0]: 'MJPG' (Motion-JPEG, compressed)
\t\tSize: Discrete 1920x1080
\t\t\tInterval: Discrete 0.033s (30.000 fps)
\t\tSize: Discrete 640x480
\t\t\tInterval: Discrete 0.033s (30.000 fps)
\t[1]: 'YUYV' (YUYV 4:2:2)
\t\tSize: Discrete 640x480
\t\t\tInterval: Discrete 0.033s (30.000 fps)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a computer with two cameras, one under a name that lasts, and no programs but those a test writes."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    by_id = tmp_path / "dev" / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    for number, index in enumerate("0101"):
        (tmp_path / "dev" / f"video{number}").write_text("")
        info = tmp_path / "sys" / "class" / "video4linux" / f"video{number}"
        info.mkdir(parents=True)
        (info / "index").write_text(f"{index}\n")
    (by_id / "usb-Oak_Cam-video-index0").symlink_to("../../video0")
    (by_id / "usb-Oak_Cam-video-index1").symlink_to("../../video1")
    return tmp_path


def program(root: Path, name: str, says: str, status: int = 0) -> None:
    (root / "said").write_text(says)
    path = root / "bin" / name
    path.write_text(f'#!/bin/sh\nwhile IFS= read -r line; do echo "$line"; done < {root}/said\nexit {status}\n')
    path.chmod(0o755)


def test_cameras_with_their_sizes(root: Path) -> None:
    program(root, "v4l2-ctl", LISTED)
    first, second = devices.cameras({}, root)
    assert first.what.endswith("usb-Oak_Cam-video-index0")
    assert (first.health, first.found) == (GOOD, "MJPG, YUYV; up to 1920 x 1080")
    assert second.what.endswith("video2")
    assert "by-path" in second.found


@pytest.mark.parametrize(
    ("says", "status", "health"),
    [(LISTED.replace("1920x1080", "352x288"), 0, WARNING), ("", 0, WARNING), (LISTED, 1, WARNING)],
)
def test_cameras_that_are_too_small_or_say_nothing(root: Path, says: str, status: int, health: Health) -> None:
    program(root, "v4l2-ctl", says, status)
    assert [each.health for each in devices.cameras({}, root)] == [health, health]


def test_without_the_program_that_tells_sizes(root: Path) -> None:
    first, _ = devices.cameras({}, root)
    assert first.health is GOOD
    assert "v4l-utils" in first.advice


def test_a_camera_that_may_not_be_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    first, _ = devices.cameras({}, root)
    assert (first.health, "usermod -aG video" in first.advice) == (BAD, True)


def test_a_camera_of_the_settings_that_is_not_there(tmp_path: Path) -> None:
    none, lost = devices.cameras({"cam0": "usb:/dev/v4l/by-id/usb-Gone?fps=15", "cam1": "http://10.0.0.2/"}, tmp_path)
    assert none.health is GOOD
    assert (lost.health, lost.what) == (BAD, "camera cam0")
    (nothing,) = devices.cameras({}, tmp_path)
    assert nothing.health is WARNING


def test_serial_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    try:
        name = os.ttyname(slave)
        (port,) = devices.serial_ports(name, [(name, "a button box")])
        assert (port.health, port.found) == (GOOD, "a button box")
        monkeypatch.setattr(os, "access", lambda *_: False)
        monkeypatch.setattr(Path, "group", lambda _: "uucp")
        (port,) = devices.serial_ports(name, [(name, "a button box")])
        assert port.health is BAD
        assert "usermod -aG uucp" in port.advice
        monkeypatch.setattr(Path, "group", lambda _: "root")  # as in a container
        (port,) = devices.serial_ports(name, [(name, "a button box")])
        assert "usermod -aG dialout" in port.advice
        (unused,) = devices.serial_ports("", [(name, "nobody's")])
        assert unused.health is WARNING
    finally:
        os.close(master)
        os.close(slave)
    ports, box = devices.serial_ports("/dev/serial/by-id/usb-Gone", [])
    assert (ports.health, box.health) == (GOOD, BAD)


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def free(amount: int) -> Health:
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=amount))
        return machine.disk(tmp_path / "not" / "yet").health

    assert [free(10_000), free(1_000_000_000), free(9_000_000_000)] == [BAD, WARNING, GOOD]
    (tmp_path / "file").write_text("")
    assert machine.disk(tmp_path / "file" / "games").health is BAD
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert machine.disk(tmp_path).health is BAD


@pytest.mark.parametrize(
    ("now_s", "synchronised", "health"),
    [(0.0, True, BAD), (1.9e9, False, WARNING), (1.9e9, True, GOOD)],
)
def test_clock(now_s: float, synchronised: bool, health: Health) -> None:
    assert machine.clock(now_s, synchronised).health is health


def test_the_clock_asks_the_system(root: Path) -> None:
    program(root, "timedatectl", "no\n")
    assert machine.clock(1.9e9).health is WARNING
    program(root, "timedatectl", "yes\n")
    assert machine.clock(1.9e9).health is GOOD
    program(root, "timedatectl", "Failed to connect to bus\n", 1)
    assert machine.clock(1.9e9).found.endswith(("synchronised", "can't be told"))


def test_a_port_in_use() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        *_, taken = machine.network("127.0.0.1", other.getsockname()[1])
        assert taken.health is WARNING
    *_, foreign = machine.network("203.0.113.9", 8080)
    assert foreign.health is BAD


def test_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "own_address", lambda: None)
    assert next(machine.network("127.0.0.1", 0)).health is WARNING


@pytest.mark.parametrize(("version", "health"), [((3, 10, 9), BAD), ((3, 11, 0), GOOD), ((3, 14, 1), GOOD)])
def test_python(version: tuple[int, ...], health: Health) -> None:
    assert software.python(version).health is health


@pytest.mark.parametrize(
    ("module", "health"),
    [
        (None, BAD),
        (SimpleNamespace(__version__="4.13.0", aruco=1), BAD),
        (SimpleNamespace(__version__="5.0.0", aruco=1), GOOD),
        (SimpleNamespace(__version__="5.0.0"), BAD),
        (SimpleNamespace(__version__="6.0.0", aruco=1), BAD),
        (SimpleNamespace(__version__="five", aruco=1), BAD),
    ],
)
def test_opencv(module: Any, health: Health) -> None:
    assert software.opencv(module).health is health


def test_packages_that_are_missing() -> None:
    assert software.packages().health is GOOD
    assert "paho-mqtt" in software.hall(None).found
    assert "no_such_package" in software.packages(("json", "no_such_package")).found


def test_sqlite_versions() -> None:
    assert "write-ahead" in software.sqlite((3, 40, 1)).found
    assert software.sqlite((3, 51, 3)).found == "3.51.3"


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["doctor", *words])
    return result.exit_code, result.stdout


def test_this_computer_is_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    status, out = run("--json")
    data = json.loads(out)
    assert status == (1 if data["health"] == "bad" else 0)
    named = [finding["what"] for finding in data["findings"]]
    for what in ("settings", "Python", "OpenCV", "SQLite", "disk", "clock", "network"):
        assert what in named
    assert all(set(finding) == {"what", "health", "found", "advice"} for finding in data["findings"])
    assert not any("report this" in finding["advice"] for finding in data["findings"])


def test_settings_that_are_wrong_are_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "referee.toml").write_text("[page]\nport = 99999\n")
    monkeypatch.setenv("REFEREE_SETTINGS", str(tmp_path / "referee.toml"))
    status, out = run()
    assert status == 1
    line = next(line for line in out.splitlines() if "settings" in line)
    assert line.startswith("bad")
    assert "port" in line


def test_what_fails_unforeseen_is_told_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("referee.cli.doctor.cameras", broken)
    found = list(examine())
    assert any("RuntimeError: odd" in each.found for each in found)
    assert found[-1].what.startswith("page at")
