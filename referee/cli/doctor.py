"""``referee doctor``: find out whether this computer is fit to referee a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator

import click

from referee.cli.terminal import steered
from referee.doctor.devices import cameras, serial_ports
from referee.doctor.finding import Finding, Health, bad, good, warning
from referee.doctor.machine import clock, disk, network
from referee.doctor.software import software
from referee.service.settings import Settings, SettingsError, load_settings

STATUS = {Health.GOOD: 0, Health.WARNING: 0, Health.BAD: 1}
"""Exit status by the worst finding."""
_ORDER = tuple(Health)
_SIGNS = {Health.GOOD: ("good", "green"), Health.WARNING: ("warning", "yellow"), Health.BAD: ("bad", "red")}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
def command(as_json: bool) -> None:
    """Look at programs, cameras, serial ports, disk, clock and network; say what to do about each.

    Exit status: 0 nothing is bad, 1 something is.
    """
    findings = list(examine())
    worst = max((each.health for each in findings), key=_ORDER.index)
    if as_json:
        click.echo(json.dumps({"health": worst.value, "findings": [each.to_json() for each in findings]}))
    else:
        for each in findings:
            word, colour = _SIGNS[each.health]
            click.echo(click.style(f"{word:<8} ", fg=colour), nl=False, file=steered(sys.stdout))
            click.echo(f"{each.what}: {each.found}")
            if each.advice:
                click.echo(f"{'':<8} {each.advice}")
    raise SystemExit(STATUS[worst])


def examine() -> Iterator[Finding]:
    """Examine everything, one after the other; report a check that fails in an unforeseen way as a finding, too."""
    settings = Settings()
    try:
        loaded = load_settings()
        settings = loaded.settings
        there = str(loaded.file) if loaded.file.is_file() else "none, defaults are used"
        yield good("settings", there)
    except SettingsError as error:
        yield bad("settings", "; ".join(str(error).splitlines()), "mend them: nothing else starts with them")
    yield from _tried("programs", software)
    sources = {name: str(source) for name, source in settings.cameras.items()}
    yield from _tried("cameras", lambda: cameras(sources))
    yield from _tried("serial ports", lambda: serial_ports(settings.button_box.port))
    yield from _tried("disk", lambda: [disk(settings.data_folder)])
    yield from _tried("clock", lambda: [clock()])
    yield from _tried("network", lambda: network(settings.page.host, settings.page.port))


def _tried(what: str, look: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    try:
        yield from look()
    except Exception as error:
        # A computer can be odd in ways nobody thought of; the other lines still help.
        yield warning(what, f"cannot be looked at ({type(error).__name__}: {error})", "please report this")
