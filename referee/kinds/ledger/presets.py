"""Tables of a ledger from which measuring starts: without cameras, or with a mat under cameras."""

from __future__ import annotations

from dataclasses import dataclass

from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class LedgerPreset:
    """A table without cameras, at which players declare everything. name: a word; about: in a few."""

    name: str
    about: str | Words


@dataclass(frozen=True, slots=True)
class MatPreset:
    """Sizes in mm of a mat on which dice are rolled and things lie; players teach its places on the page.

    name: a word; about: in a few. mat_mm: width and depth. die_mm: a die's side.
    """

    name: str
    about: str | Words
    mat_mm: tuple[float, float]
    die_mm: float
