"""Sizes for ``referee new``: given as options, asked for on a terminal, or taken from a preset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Lengths = click.ParamType[tuple[float, ...]]
else:
    _Lengths = click.ParamType  # older versions of click know no type arguments


class Sizes(_Lengths):
    """So many lengths in mm, such as 22 or 20.5x20.5x13; one alone stands for two equal ones."""

    def __init__(self, count: int, least_mm: float = 0.1) -> None:
        self.count, self.least_mm = count, least_mm
        self.name = "x".join(["MM"] * count)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Return the lengths in mm as a tuple; let click tell what is wrong with them."""
        if isinstance(value, tuple):
            return value
        try:
            sizes = tuple(float(part.replace(",", ".")) for part in str(value).lower().replace("×", "x").split("x"))
        except ValueError:
            sizes = ()
        if len(sizes) == 1 and self.count == 2:
            sizes *= 2
        if len(sizes) != self.count:
            example = ("22", "22x22", "20.5x20.5x13")[self.count - 1]
            what = "a length" if self.count == 1 else f"{self.count} lengths"
            self.fail(f"{value!r} is not {what} in mm, such as {example}", param, ctx)
        if not all(self.least_mm <= size <= 2000 for size in sizes):
            self.fail(f"{value!r}: lengths lie between {self.least_mm:g} and 2000 mm", param, ctx)
        return sizes


class SizeAnswers:
    """What was given as options, asked for where there is a terminal, else taken from the preset."""

    def __init__(self, given: dict[str, Any], asks: bool) -> None:
        self.given, self.asks = given, asks

    def get(self, name: str, question: str, default: Any, kind: Any = None) -> Any:
        """Return one value. ``default`` as a person would write it."""
        if self.given.get(name) is not None:
            return self.given[name]
        if self.asks:
            return click.prompt(question, default=default, type=kind)
        return kind.convert(default, None, None) if isinstance(kind, click.ParamType) else default

    def sizes(self, name: str, question: str, default: Sequence[float], least_mm: float = 0.1) -> tuple[float, ...]:
        """Return lengths in mm."""
        told = "x".join(f"{size:g}" for size in default)
        sizes: tuple[float, ...] = self.get(name, f"{question}, mm", told, Sizes(len(default), least_mm))
        return sizes

    def cameras(self) -> list[str]:
        """Return the cameras' names."""
        if self.given.get("cameras"):
            return list(self.given["cameras"])
        if not self.asks:
            return ["cam0", "cam1"]
        count = click.prompt("How many cameras", default=2, type=click.IntRange(1, 8))
        return [f"cam{number}" for number in range(count)]
