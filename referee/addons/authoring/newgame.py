"""``referee new-game``: the distribution of a small complete game, to put other rules into."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from string import Template

import click

from referee.cli.jsonlines import FAULTY
from referee.games import names
from referee.games.contract import RequestError

TEMPLATE = "template"
SUFFIX = ".txt"
"""Ends the name of every file of the template, so that nothing takes it for a part of the referee."""
PACKAGE = "package"
"""Stands in the template's paths for the name of the game's module."""
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@click.command(name="new-game")
@click.argument("name")
@click.option("--title", help="The game's name for people; without it NAME with capitals.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write it; without it a new folder NAME here.",
)
def command(name: str, title: str | None, folder: Path | None) -> None:
    """Write the distribution of a small complete game, NAME in formats, to put other rules into.

    Installed, it plays at the virtual table at once, and 'referee check-game NAME' finds nothing. No file that is
    there is overwritten.
    """
    try:
        folder = folder or Path(name)
        for path, text in distribution(name, title or name.replace("-", " ").title()):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("x", encoding="utf-8") as file:
                file.write(text)
            click.echo(target)
    except FileExistsError as error:
        click.echo(f"referee new-game: {error.filename} is there already: name another folder", err=True)
        raise SystemExit(FAULTY) from None
    except (RequestError, OSError) as error:
        click.echo(f"referee new-game: {error}", err=True)
        raise SystemExit(FAULTY) from None
    click.echo(f"\nNext: pip install -e {folder}\n      referee demo --play --game {name}")
    click.echo(f"      referee check-game {name}")


def distribution(name: str, title: str) -> Iterator[tuple[str, str]]:
    """Yield each file of a new game's distribution: its path, and its text.

    Raises RequestError for a name that can't be a game's, or a title that can't stand in a text.
    """
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise RequestError(
            "name", f"{name[:40]!r} is no name of a game: use small letters, digits and - between them"
        )
    if name in names() or keyword.iskeyword(module) or find_spec(module) is not None:
        raise RequestError("name", f"{name!r} is taken: a game or a Python module has this name")
    if not title.isprintable() or set(title) & set('"\\'):
        raise RequestError("title", "a title is one line without quotes and backslashes")
    for path, text in _template(files(__package__) / TEMPLATE, ""):
        made = re.sub(rf"\b{PACKAGE}\b", module, path.removesuffix(SUFFIX))
        yield made, Template(text).substitute(name=name, module=module, title=title)


def _template(folder: Traversable, path: str) -> Iterator[tuple[str, str]]:
    for one in sorted(folder.iterdir(), key=lambda each: each.name):
        if one.is_dir():
            yield from _template(one, f"{path}{one.name}/")
        elif one.name.endswith(SUFFIX):
            yield f"{path}{one.name}", one.read_text(encoding="utf-8")
