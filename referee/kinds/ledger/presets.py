"""Tables of a ledger to start from: without cameras, or with a mat they look at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LedgerPreset:
    """A table at which everything is declared and nothing need be measured. name: a word; about: in a few."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class MatPreset:
    """Sizes in mm of a mat on which dice are rolled and things lie; what its places mean is taught on the page.

    name: a word; about: in a few. mat_mm: width and depth. die_mm: a die's side.
    """

    name: str
    about: str
    mat_mm: tuple[float, float]
    die_mm: float
