"""The base of the benchmarks' sections: a section's value, times, and where BENCHMARKS.md keeps it."""

from __future__ import annotations

import importlib
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REPEATS = 7

_SECTION = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->\n", re.DOTALL)
_HEAD = """# Benchmarks

Written by `make bench`; `.venv/bin/python -m benchmarks NAME` measures one section again and leaves the others.

"""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of BENCHMARKS.md: Markdown lines under a title, and the promises that were not kept."""

    title: str
    lines: tuple[str, ...]
    broken: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the section as Markdown."""
        broken = tuple(f"- **Not kept:** {promise}" for promise in self.broken)
        return "\n".join([f"## {self.title}", "", *self.lines, *(("", *broken) if broken else ()), "", ""])


@dataclass(slots=True)
class Times:
    """Times of single rulings, milliseconds; how many were cut short, and how many refused as too little seen."""

    ms: list[float] = field(default_factory=list)
    cut: int = 0
    refused: int = 0

    def share(self, part: float) -> float:
        """Return the time below which a part of the rulings stays, ms; 0 where there are none."""
        ordered = sorted(self.ms) or [0.0]
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]

    def row(self, name: str) -> tuple[object, ...]:
        """Return a row of the page's table: name, count, median, 99th percentile, longest, number cut short."""
        return (name, len(self.ms), *(f"{self.share(part):.2f}" for part in (0.5, 0.99, 1.0)), self.cut)


def measured(name: str, given: Path | None) -> Section:
    """Measure the section of a name; ``given``: the folder its data lie in, ``None`` where it brings its own."""
    section: Section = importlib.import_module(f"benchmarks.{name}").measure(given)
    return section


def median_ms(work: Callable[[], object]) -> float:
    """Return the median wall time of some repeats, the first left out, milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> tuple[str, ...]:
    """Return the lines of a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return tuple("| " + " | ".join(str(cell) for cell in row) + " |" for row in lines)


def sections_of(page: str) -> dict[str, str]:
    """Return the text of each section of a page by the section's name."""
    return {found[1]: found[2] for found in _SECTION.finditer(page)}


def page_of(sections: Mapping[str, str]) -> str:
    """Return the page with the given sections, in the order of their names."""
    parts = (f"<!-- {name} -->\n{text.rstrip()}\n\n<!-- /{name} -->\n" for name, text in sorted(sections.items()))
    return _HEAD + "\n".join(parts)
