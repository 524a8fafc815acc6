"""``referee backup``: a whole referee in one file, to keep elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.backup import BackupWishes, backup
from referee.cli.failures import in_words
from referee.cli.games import fail
from referee.cli.language import LANGUAGE
from referee.service.masking import masked
from referee.service.settings import SettingsError, load_settings
from referee.storage.journal import JournalError
from referee.values.signs import in_line
from referee.values.words import say, say_n


@click.command(name="backup")
@click.argument("out", metavar="FILE.zip", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--data", type=click.Path(file_okay=False, exists=True, path_type=Path), help="Instead of the data folder."
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="A table folder to take along; repeatable.",
)
@click.option("--without-pictures", is_flag=True, help="Leave the pictures behind the rulings out.")
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Take along the key that signs checkpoints, and names and passwords in camera addresses.",
)
@LANGUAGE
@click.pass_context
def command(
    context: click.Context,
    out: Path,
    data: Path | None,
    tables: tuple[Path, ...],
    without_pictures: bool,
    with_secrets: bool,
    language: str,
) -> None:
    """Write all games, their pictures and the settings into one file; “referee restore” puts them back.

    It may be made while a game is played. Paired devices never go along: on the new machine each pairs once more.

    Exit status: 0 written, 2 it could not be.
    """
    try:
        loaded = load_settings()
        settings = loaded.file.read_text(encoding="utf-8") if loaded.file.is_file() else ""
        wishes = BackupWishes(
            tables, settings if with_secrets else masked(settings), with_secrets, not without_pictures
        )
        told = backup(data or loaded.settings.data_folder, out, wishes)
    except (JournalError, SettingsError) as error:
        fail(context, error)
        return
    except OSError as error:
        fail(context, OSError(error.errno, f"{in_words(error, out)}; {out} is not written"))
        return
    lines = [
        say_n(
            "{file}: {n} game, {pictures} pictures, {mb} MB",
            "{file}: {n} games, {pictures} pictures, {mb} MB",
            told.games,
            file=str(out),
            pictures=told.pictures,
            mb=f"{told.size_bytes / 1e6:.1f}",
        )
    ]
    lines += [
        say("{name} is damaged and packed as it lies there: “referee games repair” first.", name=in_line(name))
        for name in told.damaged
    ]
    lines += [
        say("{name} can’t be read as a picture and is not in it.", name=in_line(name)) for name in told.left_out
    ]
    lines += [
        say("{name} may say where or by whom it was taken and is not in it.", name=in_line(name))
        for name in told.telling
    ]
    lines += [
        say("{name} shows no calibration target and is not in it.", name=in_line(name)) for name in told.targetless
    ]
    lines += [
        say("{name} is not in it: the table.json beside it can’t be read.", name=in_line(name))
        for name in told.unmeasured
    ]
    if told.key:
        lines.append(say("The table’s secret key is in it: keep the file where only you can read it."))
    else:
        lines.append(
            say("The key that signs checkpoints and the cameras’ passwords are not in it; --with-secrets packs them.")
        )
    for words in lines:
        click.echo(words.text(language))
