"""The ``referee`` command: one file a subcommand, loaded only when it is used."""

from __future__ import annotations

import importlib

import click

COMMANDS = {
    "audit": "referee.cli.audit",
    "calibrate": "referee.cli.calibrate",
    "check": "referee.cli.check",
    "demo": "referee.cli.demo",
    "read": "referee.cli.read",
}


class _LazyGroup(click.Group):
    """Imports a subcommand's module when it is called, so ``referee check`` never loads OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.command(cls=_LazyGroup)
@click.version_option(package_name="tower-referee")
def main() -> None:
    """Referee physical table games: read the board, judge the turn, tell the players."""
