"""Distributions of other people, installed beside the referee for the processes that a test starts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

BUILDS_FROM = 77
"""The version of setuptools from which on the examples can be built."""


def install(distribution: Path, folder: Path) -> Path:
    """Install a distribution into a folder of its own, as pip does; return where it lies."""
    site, source = folder / "site", folder / "source"
    shutil.copytree(distribution, source)  # building leaves files beside what is built
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(site)]
    if int(version("setuptools").split(".")[0]) >= BUILDS_FROM:
        options.append("--no-build-isolation")  # what builds it is here: nothing is fetched for that
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(source)], check=True)
    return site


def bring(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes that a test starts find what is installed in a folder."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)
