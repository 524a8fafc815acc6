"""Small ZIPs that unpack without end, and a child with little memory that reads them."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from referee.storage.journal import GENESIS, canonical, chain

MEGABYTE = 2**20
LIMITED = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2); "
ALONE = LIMITED + "del sys.argv[:2]; runpy.run_path(sys.argv[0], run_name='__main__')"
COMMAND = LIMITED + "sys.argv[:2] = ['referee']; from referee.cli import main; main()"


def limited(code: str, most_mb: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Run one of the programs above with a limit on its memory. words: what it is given."""
    command = [sys.executable, "-c", code, str(most_mb * MEGABYTE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def of_bytes(path: Path, name: str, byte: bytes, count: int, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a ZIP of one file, all of whose bytes are the same."""
    with zipfile.ZipFile(path, "w", packing) as pack, pack.open(name, "w", force_zip64=True) as file:
        for done in range(0, count, MEGABYTE):
            file.write(byte * min(MEGABYTE, count - done))
    return path


def newlines(path: Path) -> Path:
    """Write twenty million lines, none of them an event: 20 kB."""
    return of_bytes(path, "journal.jsonl", b"\n", 20_000_000)


def endless_line(path: Path) -> Path:
    """Write a line of 60 MB."""
    return of_bytes(path, "journal.jsonl", b"[", 60_000_000)


def zeros(path: Path) -> Path:
    """Write a picture of 300 MB."""
    return of_bytes(path, f"pictures/{GENESIS}.jpg", b"\0", 300_000_000)


def other_packing(path: Path) -> Path:
    """Write zeros packed by bzip2, of which zipfile unpacks without a limit."""
    return of_bytes(path, "journal.jsonl", b"\0", 60_000_000, zipfile.ZIP_BZIP2)


def many_files(path: Path, count: int = 200_000) -> Path:
    """Write a table of contents with so many files that are not there."""
    with zipfile.ZipFile(path, "w") as pack:
        pack.writestr("journal.jsonl", b"")
        for number in range(count):
            pack.filelist.append(_named(pack.filelist[0], f"{number}"))
    return path


def large_contents(path: Path) -> Path:
    """Write a table of contents of 60 MB, for its files have long names."""
    with zipfile.ZipFile(path, "w") as pack:
        pack.writestr("journal.jsonl", b"")
        for number in range(1000):
            pack.filelist.append(_named(pack.filelist[0], f"{number}".rjust(60_000, "x")))
    return path


def _named(info: zipfile.ZipInfo, name: str) -> zipfile.ZipInfo:
    other = copy.copy(info)
    other.filename = other.orig_filename = name
    return other


def many_values(path: Path) -> Path:
    """Write events whose chain holds, with 60 MB of text full of values that take far more memory than text."""
    data, previous = canonical({"x": [0.5] * 200_000}), GENESIS
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack, pack.open("journal.jsonl", "w") as file:
        for number in range(1, 76):
            at = f'{{"at":"2026-01-01T00:00:00","data":{data},"kind":"x"'
            body = f'{at},"number":{number},"previous":"{previous}"}}'
            previous = chain(previous, body)
            file.write(f'{{"event":{body},"hash":"{previous}"}}\n'.encode())
    return path


def nested_manifest(path: Path) -> Path:
    """Write a manifest nested 100,000 deep."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name in ("manifest.json", "backup.json"):
            pack.writestr(name, "[" * 100_000 + "]" * 100_000)
        pack.writestr("journal.jsonl", b"")
    return path


def wide_manifest(path: Path) -> Path:
    """Write manifests of very many values, which take 30 times the memory of their text."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, told in (("manifest.json", "referee export 1"), ("backup.json", "referee backup 1")):
            pack.writestr(name, f'{{"format":{json.dumps(told)},"files":{{}},"x":[' + "{}," * 9_000_000 + "{}]}")
        pack.writestr("journal.jsonl", b"")
    return path


BOMBS: dict[str, Callable[[Path], Path]] = {
    each.__name__: each
    for each in (
        newlines,
        endless_line,
        zeros,
        other_packing,
        many_files,
        large_contents,
        many_values,
        nested_manifest,
        wide_manifest,
    )
}
