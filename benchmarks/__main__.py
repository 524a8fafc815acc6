"""Measure the referee and write BENCHMARKS.md.

``python -m benchmarks [--cases FOLDER] [--tables FOLDER] [SECTION ...]``

Each section is measured in a process of its own, so that the memory of one does not count for another. Exit status
1 when a promise on a page is not kept.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pkgutil
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import benchmarks
from benchmarks.measure import measured, page_of, sections_of

HERE = Path(__file__).parent
PAGE = HERE.parent / "BENCHMARKS.md"
NAMES = tuple(
    sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if "\ndef measure(" in (HERE / f"{module.name}.py").read_text(encoding="utf-8")
    )
)
"""The modules that measure something; they are not imported for that, as each is measured in a process of its own."""
ON_TABLES = ("accuracy", "ceiling", "hands", "towers")
"""Sections measured on photographed tables with known truth; left as they are where none are given."""


def main() -> int:
    """Measure the sections asked for and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="rule cases (*.jsonl) to measure as well")
    parser.add_argument("--tables", type=Path, metavar="FOLDER", help="photographed tables with their truth.json")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"which to measure: {', '.join(NAMES)}")
    args = parser.parse_args()
    if unknown := [name for name in args.sections if name not in NAMES]:
        parser.error(f"{unknown[0]!r} is no section: use {', '.join(NAMES)}")
    if args.cases is not None and not args.cases.is_dir():
        parser.error(f"{args.cases} is no folder: give one with *.jsonl files")
    if args.tables is not None and not any(args.tables.glob("**/truth.json")):
        parser.error(f"{args.tables} holds no truth.json: give a folder of photographed tables")
    if args.tables is None and set(args.sections) & set(ON_TABLES):
        parser.error(f"{', '.join(ON_TABLES)} is measured on photographed tables: give --tables FOLDER")
    texts = sections_of(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    texts = {name: text for name, text in texts.items() if name in NAMES}
    broken: list[str] = []
    for name in args.sections or [name for name in NAMES if args.tables or name not in ON_TABLES]:
        given = args.tables if name in ON_TABLES else args.cases
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            section = pool.submit(measured, name, given).result()
        texts[name] = section.text
        broken += [f"{name}: {promise}" for promise in section.broken]
        PAGE.write_text(page_of(texts), encoding="utf-8")
    for promise in broken:
        sys.stderr.write(f"not kept: {promise}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
