"""Bring the catalogues up to date: every sentence of the code and the page, with the texts there are.

``make messages`` runs it; ``python -m scripts.messages CODE`` begins a language. New sentences come in empty, those
nobody says any more go out, nothing is guessed. Templates without texts (``.pot``) are written for Weblate.
"""

from __future__ import annotations

import io
import itertools
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import click
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import PoFileError, read_po, write_po

from referee.values.words import LANGUAGES, LOCALE, catalogue_file

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("referee", "calibration", "vision", "web")
METHODS = [
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2"),
    ("**/static/**.js", "javascript"),
    ("**/page/**.js", "javascript"),
]
OPTIONS = {
    "**/templates/**.html": {"silent": "false"},
    "**/static/**.js": {"parse_template_string": "true"},
    "**/page/**.js": {"parse_template_string": "true"},
}
KEYWORDS = {"say": None, "say_n": (1, 2), "BoardError": None}
"""Functions of the code and the page's templates whose first argument (and second, where it counts) is a sentence."""
SCRIPT_KEYWORDS = {"translate": None, "translateN": (1, 2)}
"""The same in the page's scripts."""

HEADER = """# {title}
msgid ""
msgstr ""
"Language: {language}\\n"
"X-Language-Name: {name}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def template(room: str = "") -> Catalog:
    """Return the sentences in English, with the files that say them: of one catalogue (see names), or of them all."""
    found = Catalog(project="tower-referee", charset="utf-8")
    for path, message in _said():
        if not room or catalogue_of(path) == room:
            found.add(message, locations=[(path, 0)])
    return found


@cache
def _said() -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Return every sentence with the file that says it; the whole code is read once."""
    found = []
    for folder in ROOMS:
        for keywords, scripts in ((KEYWORDS, False), (SCRIPT_KEYWORDS, True)):
            methods = [method for method in METHODS if (method[1] == "javascript") is scripts]
            for name, _line, message, *_ in extract_from_dir(ROOT / folder, methods, OPTIONS, keywords=keywords):
                found.append((f"{folder}/{Path(name).as_posix()}", message))
    return tuple(found)


def catalogue_of(path: str) -> str:
    """Return the catalogue that holds a file's sentences: the game's whose package it is, else the referee's."""
    match = re.match(r"referee/games/(\w+)/", path)
    return match[1] if match else "referee"


def names() -> list[str]:
    """Return the names of all catalogues: the referee's, then the games'."""
    packages = sorted(path.parent.name for path in (ROOT / "referee" / "games").glob("*/__init__.py"))
    return ["referee", *packages]


def folder_of(name: str) -> Path:
    """Return the folder with the catalogues of a name, one folder a language."""
    return LOCALE if name == "referee" else ROOT / "referee" / "games" / name / "locale"


def catalogues(begun: Iterable[str] = ()) -> Iterator[tuple[Path, Catalog]]:
    """Yield every catalogue of every language but English, with its file; a new one is empty.

    begun: languages beside those that are there. Raises ClickException for a file that is no catalogue, and for a
    code that no language has.
    """
    for name, language in itertools.product(names(), dict.fromkeys((*LANGUAGES[1:], *begun))):
        path = catalogue_file(folder_of(name), language, name)
        try:
            tag = str(Locale.parse(language, sep="-"))
            if path.exists():
                with path.open("rb") as stream:
                    yield path, read_po(stream, locale=tag, abort_invalid=True)
            else:
                yield path, Catalog(locale=tag, project="tower-referee", charset="utf-8", fuzzy=False)
        except (UnknownLocaleError, ValueError):
            raise click.ClickException(f"{language!r} is no language: use a code such as es or pt-BR") from None
        except PoFileError as error:
            raise click.ClickException(f"{path.relative_to(ROOT)} is no catalogue: {error}") from None


def wanted(name: str) -> Catalog:
    """Return the sentences a catalogue must hold: a game's leaves out what the referee's has."""
    found = template(name)
    if name != "referee":
        shared = {message.id for message in template("referee") if message.id}
        for message in list(found):
            if message.id in shared:
                found.delete(message.id)
    return found


@click.command()
@click.argument("begun", nargs=-1, metavar="[CODE]...")
def main(begun: tuple[str, ...]) -> None:
    """Update the catalogues, and begin those of each CODE; fails while some sentence has no text."""
    missing = 0
    for name in names():
        write(folder_of(name) / f"{name}.pot", wanted(name))
    for path, catalogue in catalogues(begun):
        catalogue.update(wanted(path.stem), no_fuzzy_matching=True, update_creation_date=False)
        write(path, catalogue)
        empty = [message for message in catalogue if message.id and not all(texts(message))]
        missing += len(empty)
        for message in empty:
            click.echo(f"{path.relative_to(ROOT)}: no text for {message.id!r}")
    sys.exit(1 if missing else 0)


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue: one line a text, sorted by file, no line numbers, so two people's additions seldom meet."""
    header = HEADER.format(
        title=f"{catalogue.locale} texts of the referee." if catalogue.locale else "The sentences without texts.",
        language=catalogue.locale or "",
        name=called(catalogue.locale) if catalogue.locale else "",
        plurals=catalogue.plural_forms,
    )
    entries = io.BytesIO()
    write_po(
        entries, catalogue, width=0, omit_header=True, ignore_obsolete=True, sort_by_file=True, include_lineno=False
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header.encode() + entries.getvalue())


def called(locale: Locale) -> str:
    """Return what a language calls itself, with a capital (CLDR)."""
    name = locale.get_display_name() or str(locale)
    return name[:1].upper() + name[1:]


def texts(message: Message) -> tuple[str, ...]:
    """Return the translations of a sentence, one for each plural form; empty where there is none."""
    string = message.string or ""
    return (string,) if isinstance(string, str) else tuple(text or "" for text in string)


if __name__ == "__main__":
    main()
