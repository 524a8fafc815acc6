"""The ``referee`` command: one file a subcommand, loaded only when it is used."""

from __future__ import annotations

import gc
import importlib
import sys
from typing import Any

import click

from referee.addons import addon_modules
from referee.cli.failures import failure
from referee.cli.leaving import leaving_at_once
from referee.cli.terminal import shown_safely
from referee.values.gameerror import GameError

COMMANDS = {
    "audit": "referee.cli.audit",
    "backup": "referee.cli.backup",
    "buttons": "referee.cli.buttons",
    "calibrate": "referee.cli.calibrate",
    "check": "referee.cli.check",
    "demo": "referee.cli.demo",
    "doctor": "referee.cli.doctor",
    "games": "referee.cli.games",
    "gate": "referee.cli.gate",
    "https": "referee.cli.https",
    "import": "referee.cli.importing",
    "journal": "referee.cli.journal",
    "new": "referee.cli.new",
    "pair": "referee.cli.pair",
    "play": "referee.cli.play",
    "read": "referee.cli.read",
    "replay": "referee.cli.replay",
    "report": "referee.cli.report",
    "restore": "referee.cli.restore",
    "run": "referee.cli.run",
    "settings": "referee.cli.settings",
}


class _LazyGroup(click.Group):
    """Imports a subcommand's module when it is called, so ``referee check`` never loads OpenCV."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({**_added(), **COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name) or _added().get(cmd_name)
        if module is None:
            return None
        # What is loaded stays: looking for garbage meanwhile finds none and takes a tenth of the time of loading.
        gc.disable()
        try:
            command: click.Command = importlib.import_module(module).command
        finally:
            gc.enable()
        return command

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command as all that its process does."""
        with leaving_at_once():
            return super().__call__(*args, **kwargs)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; what it prints steers no terminal."""
        with shown_safely():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except GameError as error:
            click.echo(f"referee {ctx.invoked_subcommand}: {error}", err=True)
            ctx.exit(2)
        except Exception as error:
            # Status 1 would say that some turn was illegal.
            click.echo(f"referee {ctx.invoked_subcommand}: {failure(error)}", err=True)
            ctx.exit(2)


def _added() -> dict[str, str]:
    """Return the commands that add-ons bring, and their modules."""
    return {name: module for brought in addon_modules("commands") for name, module in brought.COMMANDS.items()}


@click.command("referee", cls=_LazyGroup)
@click.version_option(package_name="tower-referee")
def main() -> None:
    """Referee physical table games: read the board, judge the turn, tell the players."""


def first_page() -> None:
    """Do what ``referee`` does; without any words, open the first page: ``uvx tower-referee`` is all one types."""
    main(sys.argv[1:] or ["run"])
