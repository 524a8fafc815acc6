"""Measure the referee and write BENCHMARKS.md: ``python -m benchmarks [--cases FOLDER] [SECTION ...]``.

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

PAGE = Path(__file__).parent.parent / "BENCHMARKS.md"
NAMES = tuple(
    sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name not in ("__main__", "measure"))
)


def main() -> int:
    """Measure the sections asked for and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--cases", type=Path, metavar="FOLDER", help="rule cases (*.jsonl) to measure as well")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"which to measure: {', '.join(NAMES)}")
    args = parser.parse_args()
    if unknown := [name for name in args.sections if name not in NAMES]:
        parser.error(f"{unknown[0]!r} is no section: use {', '.join(NAMES)}")
    if args.cases is not None and not args.cases.is_dir():
        parser.error(f"{args.cases} is no folder: give one with *.jsonl files")
    texts = sections_of(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    texts = {name: text for name, text in texts.items() if name in NAMES}
    broken: list[str] = []
    for name in args.sections or NAMES:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            section = pool.submit(measured, name, args.cases).result()
        texts[name] = section.text
        broken += [f"{name}: {promise}" for promise in section.broken]
        PAGE.write_text(page_of(texts), encoding="utf-8")
    for promise in broken:
        sys.stderr.write(f"not kept: {promise}\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
