"""Examine cameras and serial ports: which are there, may they be used, what can they do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from referee.doctor.finding import Finding, bad, good, warning

LEAST_SIDE_PX = 960
"""Pictures whose longer side is shorter than this show a field too small."""
_ASK_S = 5.0
_SIZE = re.compile(r"Size: Discrete (\d+)x(\d+)")
_FORMAT = re.compile(r"^\s*\[\d+\]: '(\w+)'", re.MULTILINE)


def cameras(sources: Mapping[str, str], root: Path = Path("/")) -> Iterator[Finding]:
    """Examine the cameras at this computer, then those the settings name. sources: camera to its address there."""
    devices = sorted((root / "dev/v4l/by-id").glob("*-video-index0"))
    lasting = {path.resolve() for path in devices}
    nodes = sorted((root / "dev").glob("video[0-9]*"))
    devices += [path for path in nodes if path.resolve() not in lasting and _is_capture(path, root)]
    if not devices:
        yield (
            good("cameras", "none at this computer", "plug a USB camera in, or name a network camera in the settings")
            if sources
            else warning("cameras", "none", "plug a USB camera in, or name a network camera in the settings")
        )
    for device in devices:
        yield camera(device)
    for name, source in sources.items():
        path = source.removeprefix("usb:").partition("?")[0]
        if source.startswith("usb:") and not (root / path.lstrip("/")).exists():
            yield bad(
                f"camera {name}", f"{path} is not there",
                "plug it in, or correct [cameras] in the settings (ls /dev/v4l/by-id shows names that last)",
            )  # fmt: skip


def camera(device: Path) -> Finding:
    """Examine one camera device: whether it may be read, and its picture sizes as ``v4l2-ctl`` tells them."""
    what = f"camera {device}"
    if not os.access(device, os.R_OK | os.W_OK):
        return bad(what, "may not be read", f"sudo usermod -aG video {_user()}, then log in anew")
    lasting = "by-id" in device.parts
    told = _asked(device)
    name = "" if lasting else "; its name may change: use one of /dev/v4l/by-path in the settings"
    if told is None:
        return good(what, f"there{name}", "sudo apt install v4l-utils, and its picture sizes are told here")
    sizes = sorted({(int(w), int(h)) for w, h in _SIZE.findall(told)}, key=lambda size: size[0] * size[1])
    if not sizes:
        return warning(what, "tells no picture sizes", f"see what v4l2-ctl -d {device} --list-formats-ext says")
    formats = ", ".join(dict.fromkeys(_FORMAT.findall(told)))
    found = f"{formats}; up to {sizes[-1][0]} x {sizes[-1][1]}{name}"
    if max(sizes[-1]) < LEAST_SIDE_PX:
        return warning(what, found, f"a camera of at least {LEAST_SIDE_PX} pixels across sees the fields better")
    return good(what, found)


def _is_capture(node: Path, root: Path) -> bool:
    """Return whether a video node takes pictures: a camera often has a second one that only tells about them."""
    index = root / "sys/class/video4linux" / node.name / "index"
    try:
        return index.read_text(encoding="ascii").strip() == "0"
    except (OSError, ValueError):
        return True


def _asked(device: Path) -> str | None:
    """Return what ``v4l2-ctl`` says of a device; ``None`` where there is no such program, or no answer."""
    program = shutil.which("v4l2-ctl")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-d", str(device), "--list-formats-ext"],
            capture_output=True, timeout=_ASK_S, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def serial_ports(chosen: str, ports: Sequence[tuple[str, str]] | None = None) -> Iterator[Finding]:
    """Examine the serial ports, and the button box's. chosen: what the settings say, empty for none.

    ports: (device, description) each; by default those pyserial finds.
    """
    found = _ports() if ports is None else ports
    if found is None:
        yield bad("serial ports", "pyserial cannot be loaded", "run scripts/setup again")
        return
    for device, description in found:
        if os.access(device, os.R_OK | os.W_OK):
            yield good(f"serial port {device}", description)
        else:
            # Only the box's own port keeps anybody from playing: a PC has one that nobody uses.
            grade = bad if chosen and _same(chosen, device) else warning
            yield grade(f"serial port {device}", f"{description}; may not be opened", _group_advice(Path(device)))
    if not found:
        yield good("serial ports", "none", "" if chosen else "none is needed without a button box")
    if chosen.startswith("/") and not Path(chosen).exists():
        yield bad(
            "button box", f"{chosen} is not there",
            "plug it in, or correct [button_box] port in the settings (ls /dev/serial/by-id shows names that last)",
        )  # fmt: skip


def _same(chosen: str, device: str) -> bool:
    return chosen.startswith("/") and os.path.realpath(chosen) == os.path.realpath(device)


def _group_advice(device: Path) -> str:
    try:
        group = device.group()
    except (OSError, KeyError):
        group = "dialout"
    if group == "root":  # nobody is to join that for a button's sake
        return (
            f"if the box is on it: sudo chgrp dialout {device}; sudo usermod -aG dialout {_user()}, then log in anew"
        )
    return f"sudo usermod -aG {group} {_user()}, then log in anew"


def _ports() -> list[tuple[str, str]] | None:
    try:
        from serial.tools.list_ports import comports
    except ImportError:
        return None
    return [(port.device, port.description or "") for port in sorted(comports())]


def _user() -> str:
    return os.environ.get("USER") or "$USER"
