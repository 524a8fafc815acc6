"""``referee https``: certificates of the table's own, so that phones lend it their cameras."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.jsonlines import DATA, FAULTY
from referee.service.authority import AuthorityError, ensure
from referee.service.server import ANYWHERE, OwnHosts, machine_address
from referee.service.settings import SettingsError, load_settings


@click.command()
@DATA
def command(folder: Path | None) -> None:
    """Make the table's certificates; from its next start on, the referee is there over HTTPS as well."""
    try:
        settings = load_settings().settings
        page = settings.page
        ours = ensure(folder or settings.data_folder, list(OwnHosts(page.host, page.allowed_hosts)))
    except (AuthorityError, SettingsError) as error:
        click.echo(f"referee https: {error}", err=True)
        raise SystemExit(FAULTY) from None
    alone = page.host.startswith("127.")
    host = machine_address() if alone or page.host == ANYWHERE else page.host
    click.echo(f"The table has certificates, in {ours.server.parent}. Fingerprint (SHA-256):")
    click.echo(f"  {ours.fingerprint}")
    if page.behind_proxy:
        click.echo("The settings say behind_proxy = true: HTTPS is the other server's, and these are not used.")
    elif not page.https_port:
        click.echo("The settings say https_port = 0: set it to 8443, or HTTPS stays off.")
    else:
        click.echo("Now start the referee (anew) and open this on each phone, which leads it through the rest:")
        click.echo(f"  http://{host}:{page.port}/trust")
        if alone:
            click.echo("It listens on this computer only: phones need --host 0.0.0.0, or host under [page].")
