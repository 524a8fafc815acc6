"""The option of every command that speaks to players."""

from __future__ import annotations

import click

from referee.values.words import LANGUAGES

LANGUAGE = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="Language of the sentences; rule ids and everything programs read stay as they are.",
)
