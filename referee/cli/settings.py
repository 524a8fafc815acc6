"""``referee settings``: show the settings, and where each value came from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.cli.jsonlines import FAULTY
from referee.service.example import example
from referee.service.settings import Loaded, SettingsError, load_settings


@click.command()
@click.option(
    "--file", "path", type=click.Path(dir_okay=False, path_type=Path), help="Settings file to read instead of yours."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@click.option("--example", "as_example", is_flag=True, help="Print a settings file to start from.")
def command(path: Path | None, as_json: bool, as_example: bool) -> None:
    """Show every setting, its value, and where it came from: default, file and line, or environment."""
    if as_example:
        click.echo(example(), nl=False)
        return
    try:
        loaded = load_settings(path)
    except SettingsError as error:
        click.echo(f"referee settings: {error}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(_as_json(loaded) if as_json else _as_table(loaded))


def _as_table(loaded: Loaded) -> str:
    rows = list(loaded.rows())
    key_width = max(len(key) for key, _, _ in rows)
    value_width = max(len(value) for _, value, _ in rows)
    there = "" if loaded.file.is_file() else "  (not there yet: 'referee settings --example' prints one)"
    lines = [f"Settings file: {loaded.file}{there}", ""]
    lines += [f"{key:<{key_width}}  {value:<{value_width}}  {origin}" for key, value, origin in rows]
    return "\n".join(lines)


def _as_json(loaded: Loaded) -> str:
    return json.dumps({key: {"value": value, "from": str(origin)} for key, value, origin in loaded.rows()}, indent=2)
