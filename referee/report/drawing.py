"""Draws what stands on the table, by its kind; kinds without drawings are told in words."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import Observation
from referee.report.blocks import Figure, Translator
from referee.report.kind import report_kind
from referee.report.pieceletters import piece_letters
from referee.values.kit import Kit
from referee.values.words import Words

EMPTY = "."
"""Text of a place in which nothing lies."""


def drawing_of(text: str, like: Observation, kit: Kit, frames: Mapping[str, str], title: str, t: Translator) -> str:
    """Draw an observation as SVG; return an empty text for a kind that is told in words.

    like: an observation of the same game. frames: name of a field or cell and how it is framed. title: what the
    drawing shows, for those who hear it. t: of the language whose letters the pieces have.
    Raises BoardError for a text of another size.
    """
    return report_kind(kit).drawing(text, like, kit, frames, title, piece_letters(kit, t))


def figure_of(text: str, like: Observation, kit: Kit, frames: Mapping[str, str], caption: Words) -> Figure:
    """Return an observation as a figure: drawn, or told in lines where its kind is. Arguments as ``drawing_of``."""
    if not report_kind(kit).drawing(like.text, like, kit, {}, "", {piece.letter: "" for piece in kit.pieces}):
        return Figure((caption,), text=told_text(text))
    return Figure((caption,), drawing=lambda t: drawing_of(text, like, kit, frames, t(caption), t))


def told_text(text: str) -> str:
    """Return an observation that is not drawn, in lines."""
    return "\n".join(part.strip() for part in text.split("|"))


def changed_places(before: str, after: str, like: Observation, kit: Kit) -> tuple[tuple[str, str, str], ...]:
    """Return the name of each field or cell that differs, and what stood and stands there; nothing for a ledger."""
    kind = report_kind(kit)
    was, now = kind.places(before, like, kit), kind.places(after, like, kit)
    pairs = ((name, was.get(name, EMPTY), now.get(name, EMPTY)) for name in dict.fromkeys((*was, *now)))
    return tuple(one for one in pairs if one[1] != one[2])
