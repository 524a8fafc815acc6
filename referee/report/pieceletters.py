"""The letters that pieces have in a report: the beginnings of their names in its language, as on the table's page.

Board texts keep letters of their own, the same in every language (docs/reference/formats.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.report.blocks import Said, Translator
from referee.report.kind import report_kind
from referee.values.kit import Kit

MOST_LETTERS = 2


def piece_letters(kit: Kit, t: Translator) -> dict[str, str]:
    """Return the letters shown by the letters in board texts."""
    short = cut_short({piece.letter: t(piece.name) for piece in kit.pieces})
    return {letter: name.capitalize() for letter, name in short.items()}


def cut_short(names: Mapping[str, str]) -> dict[str, str]:
    """Shorten each name to the shortest beginning that tells it from the others, as ``web/static/labels.js`` does.

    Where that takes more than two letters, take the first letter and the one that tells.
    """
    found = {word: _beginning(name, set(names.values()) - {name}) for word, name in names.items()}
    short = {word: name[0] + name[-1] if len(name) > MOST_LETTERS else name for word, name in found.items()}
    return short if len(set(short.values())) == len(set(found.values())) else found


def _beginning(name: str, others: set[str]) -> str:
    length = 1
    while length < len(name) and any(other.startswith(name[:length]) for other in others):
        length += 1
    return name[:length]


def standing(text: str, kit: Kit) -> Said:
    """Return the text of one field, in the report's language."""
    return lambda t: field_shown(text, kit, t)


def field_shown(text: str, kit: Kit, t: Translator) -> str:
    """Return what stands on one field or cell, with the letters shown."""
    return report_kind(kit).shown(text, piece_letters(kit, t))
