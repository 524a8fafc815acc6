"""Blocks of a report, before it is a page or a sheet of paper: headings, paragraphs, lists, tables and pictures.

``html`` and ``pdf`` set the same blocks. A piece of text is words in any language, text that stays as it is, or what
a function makes of it in the report's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from referee.values.words import Words, as_set, say

Picture = tuple[str, bytes]
"""Media type, such as image/jpeg, and content."""
Translator = Callable[[Words], str]
"""Words in the report's language, as plain text."""
Said: TypeAlias = "Words | str | Callable[[Translator], str]"
"""A piece of text; a function makes what no template can hold, such as a drawing with letters in it."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text. style: ``strong``, ``soft``, ``code``, ``cite`` or none."""

    said: Said
    style: str = ""


Inline: TypeAlias = "tuple[Run | Said, ...]"
"""A line of text; between its pieces nothing is added."""


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 for the report's own, 2 for a section's, 3 for a part's."""

    level: int
    text: Inline


@dataclass(frozen=True, slots=True)
class Para:
    """style: ``soft``, ``fate`` or none."""

    text: Inline
    style: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list. ordered: its items are numbered."""

    items: tuple[Inline, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """head: the columns; rows: their first cell heads the row where ``row_heads`` is set."""

    head: tuple[Words, ...]
    rows: tuple[tuple[Inline, ...], ...]
    row_heads: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing (its SVG, of referee/report/drawing), a picture, or only words, under a caption."""

    caption: Inline
    drawing: Callable[[Translator], str] | None = None
    picture: Picture | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures side by side where there is room. folded: words behind which a page hides them until asked."""

    figures: tuple[Figure, ...]
    folded: Words | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """A legend of the frames on a board: the frame, its sign, words."""

    keys: tuple[tuple[str, str, Words], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the report. tone: ``legal``, ``illegal``, ``unsure`` or none."""

    blocks: tuple[Block, ...]
    tone: str = ""


Block: TypeAlias = "Heading | Para | Items | Table | Figures | Keys | Part"


@dataclass(frozen=True, slots=True)
class Report:
    """title: of the file; styles: of its drawings, on a light and on a dark page."""

    title: Words
    blocks: tuple[Block, ...]
    styles: tuple[str, str] = ("", "")


def runs(text: Inline) -> Iterable[Run]:
    """Return the pieces of a line, each with its style."""
    return (piece if isinstance(piece, Run) else Run(piece) for piece in text)


def plain(said: Said, t: Translator) -> str:
    """Return a piece of text in the report's language."""
    if isinstance(said, str):
        return said
    return t(said) if isinstance(said, Words) else said(t)


def colon(t: Translator) -> str:
    """Return the colon, with its spaces, between a name and its value in a language."""
    return t(say("{name}: {value}", name="", value=""))


def quoted(said: Said) -> Said:
    """Return somebody's own words in quotation marks; empty where there are none."""
    return (lambda t: t(say("“{said}”", said=plain(said, t)))) if said else ""


def translator(language: str) -> Translator:
    """Return a function that sets words in a language, with their values filled in."""
    return lambda words: as_set(words.text(language), language)
