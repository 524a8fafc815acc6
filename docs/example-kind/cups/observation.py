"""What is observed: a row of cups. Imports values only, so that engines of games may import it."""

from __future__ import annotations

from dataclasses import dataclass

UP, DOWN, OPEN = "u", "d", "?"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cups from left to right. text: ``u`` for each that stands mouth up, ``d`` for mouth down."""

    text: str

    @classmethod
    def parse(cls, text: object, cups: int) -> Row:
        """Read a row. Raises ValueError, saying what to write."""
        if not isinstance(text, str) or len(text) != cups or set(text) - {UP, DOWN}:
            raise ValueError(f"{str(text)[:40]!r} is no row of {cups} cups: write u for mouth up, d for mouth down")
        return cls(text)


def place(number: int) -> str:
    """Return the name of a place, such as ``C1``. number: from 0."""
    return f"{chr(ord('A') + number)}1"


def number_of(name: object, cups: int) -> int:
    """Return the number of a place, from 0. Raises ValueError for what is no place of the row."""
    for number in range(cups):
        if place(number) == name:
            return number
    raise ValueError(f"{str(name)[:40]!r} is no cup: write {place(0)} to {place(cups - 1)}")
