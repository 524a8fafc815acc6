"""Note the arm64 wheel of everything that is locked: ``python -m scripts.arm64``, after ``scripts/lock``.

A Raspberry Pi has no hours to compile: every locked package must come ready-made. The index is asked, nothing is
downloaded or installed; requirements/arm64.txt keeps what was found, so that a test can look without a network.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
LOCK, OUT = ROOT / "requirements" / "run.txt", ROOT / "requirements" / "arm64.txt"
PYTHONS = ("3.11", "3.12", "3.13")
"""Pythons of Debian 12 and Raspberry Pi OS, of Ubuntu 24.04, of Debian 13."""
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux2014_aarch64", "manylinux_2_17_aarch64")
"""Platform tags that Debian 12's C library runs."""


def pinned(python: str) -> str:
    """Return the lock as that Python sees it.

    The markers are evaluated here, since pip would ask the running Python.
    """
    kept = []
    for block in re.split(r"\n(?=\S)", LOCK.read_text(encoding="utf-8").strip()):
        head, *hashes = block.split(" \\\n")
        asked = Requirement(head)
        place = {"python_version": python, "python_full_version": f"{python}.0"}
        if asked.marker is None or asked.marker.evaluate(place):
            kept.append(" \\\n".join([str(asked).split(";")[0].strip(), *hashes]))
    return "\n".join(kept) + "\n"


def wheels(python: str) -> list[tuple[str, str]]:
    """Return file name and SHA-256 of the wheel of each package. Raises CalledProcessError where one has none."""
    with tempfile.TemporaryDirectory() as folder:
        asked, report = Path(folder) / "asked.txt", Path(folder) / "report.json"
        asked.write_text(pinned(python), encoding="utf-8")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run"]
        command += [
            "--ignore-installed",
            "--no-deps",
            "--ignore-requires-python",
            "--only-binary=:all:",
            "--implementation",
            "cp",
        ]
        command += [part for platform in PLATFORMS for part in ("--platform", platform)]
        command += ["--python-version", python, "--target", folder, "--report", str(report), "-r", str(asked)]
        subprocess.run(command, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    told = [one["download_info"] for one in found]
    return sorted((one["url"].rpartition("/")[2], one["archive_info"]["hashes"]["sha256"]) for one in told)


def main() -> int:
    """Write the list."""
    lines = ["# The arm64 wheels of requirements/run.txt, by Python: python -m scripts.arm64 writes this."]
    lines += [f"{python} {name} {digest}" for python in PYTHONS for name, digest in wheels(python)]
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
