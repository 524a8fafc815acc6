"""``referee pair``: a code that lets one more device take part, and the devices that may."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import click

from referee.cli.jsonlines import FAULTY
from referee.service.pairing import open_locks, pairing_words
from referee.service.server import ANYWHERE, machine_address
from referee.service.settings import SettingsError, load_settings
from web.auth.devices import Device
from web.auth.guard import Authenticator
from web.auth.store import LocksError


@click.command()
@click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the journals; without it the one in the settings.",
)
@click.option("--url", help="Address of the page as devices open it, such as https://table.example/.")
@click.option("--list", "listing", is_flag=True, help="List the paired devices instead.")
@click.option("--forget", metavar="NAME", help="Forget the device of this name instead: it may act no longer.")
def command(folder: Path | None, url: str | None, listing: bool, forget: str | None) -> None:
    """Show a code that pairs one more device with the referee, whether it is running or not."""
    try:
        settings = load_settings().settings
        with ExitStack() as parts:
            locks = open_locks(folder or settings.data_folder, parts)
            if forget is not None:
                _forget(locks, forget)
            elif listing:
                _list(locks)
            else:
                host = settings.page.host
                host = machine_address() if host == ANYWHERE else host
                code = locks.desk.new_code()
                click.echo(pairing_words(url or f"http://{host}:{settings.page.port}/", code))
                click.echo(f"It is open for {math.ceil((code.expires_at - time.time()) / 60)} minutes.")
    except (LocksError, SettingsError) as error:
        click.echo(f"referee pair: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _list(locks: Authenticator) -> None:
    devices = locks.devices.all()
    for device in devices:
        click.echo(f"{device.name:<40}  paired {_day(device.paired_at)}, seen {_day(device.seen_at)}")
    if not devices:
        click.echo("No device is paired.")


def _forget(locks: Authenticator, name: str) -> None:
    found: Device | None = next((device for device in locks.devices.all() if device.name == name), None)
    if found is None:
        click.echo(f"referee pair: no device is called {name!r}: see 'referee pair --list'", err=True)
        raise SystemExit(FAULTY)
    locks.devices.forget(found.id)
    click.echo(f"{name} may act no longer.")


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="minutes")[:16]
