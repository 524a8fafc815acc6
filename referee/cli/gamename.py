"""Find games of the data folder by the names that ``referee games`` gives them."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.shelf import Shelf
from referee.service.settings import SettingsError, load_settings
from referee.storage.journal import JournalError


def shelf_of(folder: Path | None) -> Shelf:
    """Return the shelf in a folder, else in the data folder. Raises SettingsError."""
    return Shelf(folder or load_settings().settings.data_folder / "games")


def as_journal(context: click.Context, argument: click.Parameter, given: Path | None) -> Path | None:
    """Return the file that is meant; of a mere name that is no file, the journal of the game that bears it."""
    if given is None or given.exists() or len(given.parts) > 1:
        return given
    try:
        return shelf_of(None).journal(given.name)
    except (JournalError, SettingsError):
        return given
