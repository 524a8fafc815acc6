"""``referee buttons``: list the serial ports, or test a button box."""

from __future__ import annotations

import threading
import time
from itertools import cycle
from pathlib import Path

import click
from serial.tools.list_ports import comports

from referee.buttonbox.link import Lamp, Pressed
from referee.buttonbox.serialport import BoxState, SerialBox
from referee.cli.jsonlines import FAULTY

BY_ID = Path("/dev/serial/by-id")
"""Folder in which Linux names ports by the device that is plugged in, the same after every restart."""


@click.command()
@click.option("--port", help="Serial port of a box, or a URL like socket://host:port. Without it, list the ports.")
@click.option("--seconds", type=click.FloatRange(0), help="Stop after so long; without it, at Ctrl-C.")
def command(port: str | None, seconds: float | None) -> None:
    """List serial ports, or try a button box out: every press is told, sounds, and changes the lamp."""
    if port is None:
        click.echo(_listed(_ports()))
        return
    if not _try_out(port, seconds):
        raise SystemExit(FAULTY)


def _try_out(port: str, seconds: float | None) -> bool:
    """Talk to a box; returns whether one answered."""
    lamps = cycle((Lamp.AMBER, Lamp.RED, Lamp.GREEN))
    came = threading.Event()

    def pressed(press: Pressed) -> None:
        lamp = next(lamps)
        box.lamp(lamp)
        box.buzz(0.1)
        click.echo(f"Button {press.button} pressed {press.age_s * 1000:.0f} ms ago; the lamp turns {lamp.value}.")

    def changed(state: BoxState) -> None:
        if state.connected:
            came.set()
            box.lamp(Lamp.GREEN)
            click.echo(f"The box is there, with {state.buttons} button{'s' * (state.buttons != 1)}. Press them.")
        else:
            click.echo(f"No box at {port}: {state.detail}. It is tried again every second; stop with Ctrl-C.")

    box = SerialBox(port, pressed, changed)
    with box:
        try:
            until = time.monotonic() + (seconds if seconds is not None else float("inf"))
            while time.monotonic() < until:
                time.sleep(min(0.2, max(0.0, until - time.monotonic())))
        except KeyboardInterrupt:
            click.echo("")
        box.lamp(Lamp.OFF)
    return came.is_set()


def _ports() -> list[tuple[str, str]]:
    """Return each port's name as the settings want it, and a description of what is plugged in there."""
    lasting = {path.resolve(): str(path) for path in sorted(BY_ID.iterdir())} if BY_ID.is_dir() else {}
    return [(lasting.get(Path(port.device).resolve(), port.device), port.description) for port in comports()]


def _listed(ports: list[tuple[str, str]]) -> str:
    if not ports:
        return "No serial port is here. Plug the box in; on Linux the user must be in the group dialout."
    lines = [f"{name}  ({words})" for name, words in ports]
    return "\n".join([*lines, "Try one out with: referee buttons --port NAME"])
