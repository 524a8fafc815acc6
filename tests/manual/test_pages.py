"""What the manual names is there: files, commands with their options, what a table can be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from referee.cli import main
from referee.match.commands import Name

ROOT = Path(__file__).parents[2]
PAGES = {path: path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))}
TOP = "referee|vision|calibration|web|tests|scripts|training|benchmarks|docs|packaging|hardware|requirements"
FILE = re.compile(rf"`((?:{TOP})/[\w/.-]+\.\w+)`")
CODE = re.compile(r"^ *```\w*\n(.*?)^ *```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"(?:^|[\s;|(]|bin/)referee((?: [a-z][a-z-]*){1,2})((?: [^#\n]*)?)")
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")


def test_every_file_a_page_names_exists() -> None:
    named = {(page.name, name) for page, text in PAGES.items() for name in FILE.findall(text)}
    assert not [each for each in named if not PLACEHOLDER.search(each[1]) and not (ROOT / each[1]).exists()]


def test_what_the_tour_says_is_decided_in_a_file_stands_there() -> None:
    text = (ROOT / "docs" / "develop" / "tour.md").read_text(encoding="utf-8")
    told = re.findall(r"`(\w+)` in `([\w/.-]+)`", text.split("## Where is it decided?")[1].split("\n## ")[0])
    assert len(told) > 9
    gone = [
        (name, file)
        for name, file in told
        if not re.search(rf"\b{name}\b", (ROOT / file).read_text(encoding="utf-8"))
    ]
    assert not gone


def calls(text: str) -> Iterator[tuple[str, str]]:
    """Yield every call of the referee in a page's code: the words of the command, and what follows them."""
    for block, span in CODE.findall(text):
        for words, rest in CALL.findall((block or span).replace("\\\n", " ")):
            yield words.strip(), rest


def command_of(words: list[str]) -> click.Command | None:
    """Return the command that words lead to; ``None`` where they lead to none."""
    command: click.Command = main
    for word in words:
        if not isinstance(command, click.Group):
            return command
        found = command.get_command(click.Context(command), word)
        if found is None:
            return None if command is main else command
        command = found
    return command


def test_every_command_and_option_a_page_shows_exists() -> None:
    for page, words, rest in ((page, *call) for page, text in PAGES.items() for call in calls(text)):
        command = command_of(words.split())
        assert command is not None, f"{page.name}: {words}"
        known = {opt for one in command.params for opt in (*one.opts, *one.secondary_opts)} | {"--help", "--version"}
        shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", rest))
        if isinstance(command, click.Group):
            continue
        assert shown <= known, f"{page.name}: referee {words}: {sorted(shown - known)}"


def test_everything_a_table_can_be_told_is_described() -> None:
    text = (ROOT / "docs" / "reference" / "state.md").read_text(encoding="utf-8")
    assert not [name.value for name in Name if f"`{name.value}`" not in text]


def test_the_glossary_is_in_order() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for part in text.split("\n## ")[1:]:
        words = re.findall(r"^([^\n:#].*)\n:   ", part, re.MULTILINE)
        assert len(words) > 20
        assert words == sorted(words, key=str.lower)
