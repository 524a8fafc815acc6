"""``referee pair``: a code that lets one more device take part, and the devices that may."""

from __future__ import annotations

import re
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import click

from referee.cli.jsonlines import DATA, FAULTY
from referee.service.pairing import local_words, open_auth, pairing_words
from referee.service.server import ANYWHERE, machine_address
from referee.service.settings import Page, SettingsError, load_settings
from referee.storage.inuse import running_at
from web.auth.devices import Device
from web.auth.guard import Authenticator
from web.auth.pairing import Code
from web.auth.store import AuthStoreError
from web.contract import LOCAL_HOSTS


def _as_address(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    if given is None or re.match(r"(?i)https?://[^\s/]", given):
        return given
    raise click.BadParameter(f"{given!r} is no address: give one such as https://table.example/")


@click.command()
@DATA
@click.option(
    "--url", callback=_as_address, help="Address of the page as devices open it, such as https://table.example/."
)
@click.option("--list", "listing", is_flag=True, help="List the paired devices instead.")
@click.option("--forget", metavar="NAME", help="Forget the device of this name instead: it may act no longer.")
def command(folder: Path | None, url: str | None, listing: bool, forget: str | None) -> None:
    """Show a code that pairs one more device with the referee, whether it is running or not."""
    try:
        settings = load_settings().settings
        with ExitStack() as parts:
            auth = open_auth(folder or settings.data_folder, parts)
            if forget is not None:
                _forget(auth, forget)
            elif listing:
                _list(auth)
            else:
                _show(auth.desk.new_code(), url, running_at(folder or settings.data_folder), settings.page)
    except (AuthStoreError, SettingsError) as error:
        click.echo(f"referee pair: {error}", err=True)
        raise SystemExit(FAULTY) from None


def _show(code: Code, url: str | None, running: str | None, page: Page) -> None:
    """Print a code. url: the page's address as it was given; running: that of the referee that runs, if one does."""
    if running is None:
        click.echo("No referee is running on this data folder: start one with 'referee run'.", err=True)
    host = machine_address() if page.host == ANYWHERE else page.host
    shown = url or running or f"http://{host}:{page.port}/"
    local = url is None and (urlsplit(shown).hostname or "") in LOCAL_HOSTS
    click.echo(local_words(shown, code) if local else pairing_words(shown, code))
    click.echo(f"It is open for {round(code.life_s / 60)} minutes.")


def _list(auth: Authenticator) -> None:
    devices = auth.devices.all()
    for device in devices:
        click.echo(f"{device.name:<40}  paired {_day(device.paired_at)}, seen {_day(device.seen_at)}")
    if not devices:
        click.echo("No device is paired.")


def _forget(auth: Authenticator, name: str) -> None:
    found: Device | None = next((device for device in auth.devices.all() if device.name == name), None)
    if found is None:
        click.echo(f"referee pair: no device is called {name!r}: see 'referee pair --list'", err=True)
        raise SystemExit(FAULTY)
    auth.devices.forget(found.id)
    click.echo(f"{name} may act no longer.")


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="minutes")[:16]
