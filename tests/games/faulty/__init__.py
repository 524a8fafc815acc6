"""A distribution of other people whose game fails, installed beside the referee."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee import games
from referee.values.installed import entries

EXAMPLE = Path(__file__).parents[3] / "docs" / "example-game"


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "three-stones") -> Iterator[dict[str, str]]:
    """Install it until the block ends; give which function fails, and how."""
    shutil.copytree(EXAMPLE / "three_stones", folder / "three_stones")
    shutil.copy(Path(__file__).with_name("faulty_stones.py"), folder)
    about = folder / "referee_faulty-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: referee-faulty\nVersion: 1.0\n", encoding="utf-8")
    points = f"[{games.GROUP}]\n{name} = faulty_stones:package\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    known = (entries, games._loaded)
    for one in known:
        one.cache_clear()
    fails: dict[str, str] = importlib.import_module("faulty_stones").FAILS
    yield fails
    fails.clear()
    for one in known:
        one.cache_clear()
