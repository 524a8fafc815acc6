"""``referee hall``: what a table and an organiser need for a hall of tables."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import click

from referee.addons.hall import brokerfiles
from referee.addons.hall.desk.command import desk_options, run_desk
from referee.addons.hall.messages import HallError
from referee.addons.hall.signing import id_of, public_of
from referee.addons.hall.table import hall_folder, table_key
from referee.addons.hall.trusting import CODE_S, DeskTrust
from referee.cli.jsonlines import DATA, FAULTY
from referee.service import authority
from referee.service.settings import SettingsError, load_settings
from referee.storage.checkpoint import CheckpointError, open_key

KNOWN = (HallError, CheckpointError, SettingsError, authority.AuthorityError, OSError)


@click.group(invoke_without_command=True)
@desk_options
@click.pass_context
def command(context: click.Context, /, **options: Any) -> None:
    """Open the arbiter's desk of a hall: every table at one broker, what needs somebody, and orders to the tables.

    The commands below are for tables and organisers (docs/operate/hall.md).
    """
    if context.invoked_subcommand is None:
        run_desk(**options)


@command.command("id")
@DATA
def table_id(folder: Path | None) -> None:
    """Show the id of this table, which is also its user name at the broker."""
    try:
        click.echo(id_of(public_of(open_key(table_key(_folder(folder))))))
    except KNOWN as error:
        _fail(error)


@command.command("code")
@DATA
def code(folder: Path | None) -> None:
    """Show a code with which one more desk is trusted by this table."""
    try:
        shown = _trust(_folder(folder)).new_code()
    except KNOWN as error:
        _fail(error)
    click.echo(f"Type this code at the desk: {shown[:5]} {shown[5:]}")
    click.echo(f"It is good for {CODE_S // 60} minutes, for one desk.")


@command.command("desks")
@DATA
@click.option("--forget", metavar="ID", help="Trust the desk with this id no longer.")
def desks(folder: Path | None, forget: str | None) -> None:
    """List the desks that this table trusts."""
    try:
        trust = _trust(_folder(folder))
        if forget is not None:
            if not trust.forget(forget):
                raise HallError(f"no desk has the id {forget[:40]!r}: see 'referee hall desks'")
            click.echo(f"The desk {forget} is trusted no longer.")
            return
        known = trust.desks()
        for desk, found in known.items():
            since = datetime.fromtimestamp(found.since).astimezone().isoformat(sep=" ", timespec="minutes")
            click.echo(f"{desk}  {found.name}  since {since[:16]}")
        if not known:
            click.echo("This table trusts no desk: 'referee hall code' shows a code for one.")
    except KNOWN as error:
        _fail(error)


@command.command("broker-files")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--host", required=True, help="Name or address under which the tables reach the broker.")
@click.option("--table", "tables", multiple=True, metavar="ID", help="A table, as 'referee hall id' shows it there.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the broker; 8883, or 1883 without TLS.")
@click.option(
    "--bind",
    default="",
    metavar="ADDRESS",
    help="Address of its computer at which the broker listens; the --host where that is an address, else all.",
)
@click.option("--plain", is_flag=True, help="Without TLS: passwords then cross the network as they are.")
def broker_files(folder: Path, host: str, tables: tuple[str, ...], port: int | None, bind: str, plain: bool) -> None:
    """Write what Mosquitto needs for a hall into FOLDER: settings, access list, passwords, certificates.

    Run again, all passwords are new; the authority that the tables trust stays.
    """
    try:
        users, tables = brokerfiles.new_users(tables), tuple(dict.fromkeys(tables))
        listens = brokerfiles.listens_at(host, bind)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place, at = folder.resolve(), port or (1883 if plain else 8883)
        if not plain:
            authority.ensure(place, [host, "localhost", "127.0.0.1"])
        for name, text in {
            "mosquitto.conf": brokerfiles.settings(place, at, not plain, listens, len(tables)),
            "acl": brokerfiles.acl(tables),
            "passwords": brokerfiles.password_file(users),
            "addresses.txt": brokerfiles.addresses(users, host, at, not plain),
        }.items():
            _write(place / name, text)
    except KNOWN as error:
        _fail(error)
    click.echo(f"{place / 'mosquitto.conf'} is what Mosquitto reads: mosquitto -c {place / 'mosquitto.conf'}")
    click.echo(f"It listens {f'at {listens} alone' if listens else 'in every network; --bind names one address'}.")
    click.echo(f"{place / 'addresses.txt'} has each table's line for its settings; give each its own only.")
    if not plain:
        click.echo(
            f"{place / 'https' / 'authority.crt'} goes to every table and desk: their address ends in ?ca=FILE."
        )


def _folder(given: Path | None) -> Path:
    return given or load_settings().settings.data_folder


def _trust(folder: Path) -> DeskTrust:
    return DeskTrust(hall_folder(folder), public_of(open_key(table_key(folder))))


def _write(path: Path, text: str) -> None:
    """Write a file for its owner's eyes alone."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


def _fail(error: Exception) -> NoReturn:
    click.echo(f"referee hall: {error}", err=True)
    raise SystemExit(FAULTY) from None
