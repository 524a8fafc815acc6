"""``referee restore``: a backup put back, here or on another machine."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.restore import BackupError, Restored, restore
from referee.cli.games import fail
from referee.cli.language import LANGUAGE
from referee.service.settings import SettingsError, load_settings
from referee.values.signs import in_line
from referee.values.words import Words, say, say_n


@click.command(name="restore")
@click.argument("packed", metavar="FILE.zip", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Instead of the data folder.")
@LANGUAGE
@click.pass_context
def command(context: click.Context, packed: Path, data: Path | None, language: str) -> None:
    """Put a backup back into the data folder. Games that are there stay as they are; nothing is written over.

    The file is checked whole before anything is written.

    Exit status: 0 all games are there now, 1 some of another content have the same name, 2 it could not be done.
    """
    try:
        folder = data or load_settings().settings.data_folder
        told = restore(packed, folder)
    except (BackupError, SettingsError) as error:
        fail(context, error)
        return
    except OSError as error:
        fail(context, OSError(error.errno, f"{error.filename or folder}: {error.strerror}; do it again, once mended"))
        return
    for words in restored_words(told, folder):
        click.echo(words.text(language))
    context.exit(1 if told.clashing else 0)


def restored_words(told: Restored, folder: Path) -> list[Words]:
    """Say what came back, and what did not."""
    lines = [
        say_n("{n} game is back in {folder}.", "{n} games are back in {folder}.", len(told.games), folder=str(folder))
    ]
    if told.there:
        lines.append(say_n("{n} game was there already.", "{n} games were there already.", len(told.there)))
    lines += [
        say(
            "{name}: another game of this name is here and was left as it is; restore into another folder.",
            name=in_line(name),
        )
        for name in told.clashing
    ]
    lines += [
        say("{name} may say where or by whom it was taken and was left out.", name=in_line(name))
        for name in told.left_out
    ]
    lines += [
        say("The table {name} lies in {folder}.", name=name, folder=str(folder / "tables")) for name in told.tables
    ]
    if told.settings is not None:
        lines.append(
            say(
                "The settings lie in {file}; copy what you need from there. Passwords may be masked.",
                file=str(told.settings),
            )
        )
    if told.key:
        lines.append(say("The key that signs checkpoints is back: the table signs as before."))
    lines.append(say("Every tablet and phone pairs once more: “referee pair” shows a code."))
    return lines
