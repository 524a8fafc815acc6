"""A real, small disk for tests that fill one."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Mount a tmpfs of a size on a folder; skips the test where that is not permitted."""
    folder.mkdir()
    size = f"size={kilobytes}k"
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip(f"a small disk can't be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make_read_only(disk: Path) -> None:
    """Let nothing more be written to a small disk."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
