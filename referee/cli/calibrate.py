"""``referee calibrate``: what a table needs once, before its first game."""

from __future__ import annotations

import importlib

import click

PARTS = {
    "check": "referee.cli.calibrate_check",
    "frame": "referee.cli.calibrate_frame",
    "sheets": "referee.cli.calibrate_sheets",
    "lenses": "referee.cli.calibrate_lenses",
    "symbol": "referee.cli.calibrate_symbol",
}
"""Subcommand to the module whose ``command`` it is; loaded only when it is used."""


class _Parts(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(PARTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in PARTS:
            return None
        part: click.Command = importlib.import_module(PARTS[cmd_name]).command
        return part


@click.command(cls=_Parts)
def command() -> None:
    """Set a table up: printed sheets, lenses, and the check before play."""
