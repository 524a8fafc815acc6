"""What systemd hears, over a real datagram socket."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.watchdog import Watchdog

UNIT = Path(__file__).parents[2] / "packaging" / "referee.service"


class Listener:
    """systemd's end of the line."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(0.2)

    def heard(self) -> list[str]:
        found = []
        try:
            while True:
                found.append(self.socket.recv(4096).decode())
        except TimeoutError:
            return found


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Listener]:
    listener = Listener(str(tmp_path / "notify"))
    yield listener
    listener.socket.close()


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000000"} | more


def test_only_the_turn_loop_pings(tmp_path: Path, systemd: Listener) -> None:
    now = [100.0]
    watchdog = Watchdog(environ(tmp_path), lambda: now[0])
    watchdog.ready("two cameras,\nplaying")
    assert systemd.heard() == ["READY=1\nSTATUS=two cameras, playing"]
    for _ in range(200):  # 40 s of a loop that comes round five times a second
        watchdog.beat()
        now[0] += 0.2
    assert systemd.heard() == ["WATCHDOG=1"] * 8
    now[0] += 60  # the loop hangs: nobody else pings
    watchdog.status("still here")
    assert systemd.heard() == ["STATUS=still here"]
    watchdog.stopping()
    assert systemd.heard() == ["STOPPING=1"]


@pytest.mark.parametrize(
    "more", [{"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "-4"}, {"WATCHDOG_USEC": "0"}]
)
def test_without_a_watchdog_no_pings_are_sent(tmp_path: Path, systemd: Listener, more: dict[str, str]) -> None:
    watchdog = Watchdog(environ(tmp_path, **more))
    watchdog.beat()
    watchdog.ready("up")
    assert systemd.heard() == ["READY=1\nSTATUS=up"]


def test_our_own_process_is_watched(tmp_path: Path, systemd: Listener) -> None:
    Watchdog(environ(tmp_path, WATCHDOG_PID=str(os.getpid()))).beat()
    assert systemd.heard() == ["WATCHDOG=1"]


@pytest.mark.parametrize("address", ["", "/nowhere/at/all", "vsock:1:2"])
def test_without_systemd_nothing_fails(address: str) -> None:
    watchdog = Watchdog({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000"})
    for word in (watchdog.beat, watchdog.stopping):
        word()
    watchdog.ready("up")


def test_an_abstract_address() -> None:
    name = f"referee-test-{os.getpid()}"
    listener = Listener("\0" + name)
    Watchdog({"NOTIFY_SOCKET": "@" + name}).ready("up")
    assert listener.heard() == ["READY=1\nSTATUS=up"]
    listener.socket.close()


def test_a_full_line_does_not_hold_up_the_game(tmp_path: Path, systemd: Listener) -> None:
    watchdog = Watchdog(environ(tmp_path))
    for _ in range(5000):
        watchdog.status("x" * 200)
    assert 0 < len(systemd.heard()) < 5000


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    # The program itself need not be installed where the tests run.
    copy = tmp_path / "referee.service"
    text = UNIT.read_text(encoding="utf-8")
    command = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    copy.write_text(text.replace(command, f"ExecStart={sys.executable} -V"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "referee" in line]
    assert not complaints
    for line in ("Type=notify", "WatchdogSec=30", "Restart=on-failure", "NotifyAccess=main"):
        assert line in text


def test_the_unit_has_a_sandbox_that_leaves_cameras_box_data_and_network() -> None:
    said = [line for line in UNIT.read_text(encoding="utf-8").splitlines() if "=" in line and line[0] != "#"]
    for line in (
        "CapabilityBoundingSet=",
        "DynamicUser=yes",
        "MemoryDenyWriteExecute=yes",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "RestrictNamespaces=yes",
        "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged",
        "SystemCallErrorNumber=EPERM",
        # what the table needs
        "DeviceAllow=char-ttyACM rw",
        "DeviceAllow=char-ttyUSB rw",
        "DeviceAllow=char-video4linux rw",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
        "StateDirectory=referee",
        "SupplementaryGroups=video dialout",
    ):
        assert line in said
    taken = {line.partition("=")[0] for line in said}
    assert not taken & {"PrivateDevices", "PrivateNetwork", "PrivateUsers", "IPAddressDeny", "ProcSubset"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_finds_little_exposed() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"exposure level for referee.service: ([\d.]+)", done.stdout)
    if found is None:
        pytest.skip(f"this systemd weighs no files: {done.stderr.strip()}")
    assert float(found[1]) <= 2.0
