"""Take parts out of an export."""

from __future__ import annotations

from itertools import combinations

from tests.archive.game import Files, lines

TAKEN_OUT = ("manifest.json", "verify.py", "checkpoint.txt", "README.txt", "record.txt")


STRIPPED = [names for count in range(1, 6) for names in combinations(TAKEN_OUT, count)]


def without(files: Files, names: tuple[str, ...], events: int) -> Files:
    """Take some files and the last events out of an export, and pack it as a program that knows of no seal does."""
    kept = {name: content for name, content in files.items() if name not in names}
    written = lines(files)
    return {**kept, "journal.jsonl": b"".join(written[: len(written) - events])}
