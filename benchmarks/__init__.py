"""Benchmarks of speed and memory, as ratios against a reference in the same run; ``make bench`` writes BENCHMARKS.md.

Every module of this package but ``__main__`` and ``measure`` is one section of the page: it has a
``measure(cases: Path | None) -> Section`` and is found by its name, so a new section is a new file. Times depend on
the machine, so each stands beside a reference measured in the same run.
"""
