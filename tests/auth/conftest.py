from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.auth.house import House

MEMORY = Path("/dev/shm")


def in_memory() -> Iterator[Path]:
    """Yield a folder in memory where there is one: hundreds of tables are built here, and each syncs its files."""
    folder = Path(tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    yield folder
    shutil.rmtree(folder)


folder = pytest.fixture(in_memory, name="folder")
module_folder = pytest.fixture(in_memory, scope="module", name="module_folder")


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    with ExitStack() as parts:
        yield House(folder, parts)


@pytest.fixture
def closed(folder: Path) -> Iterator[House]:
    """Yield a table that only paired devices may watch."""
    with ExitStack() as parts:
        yield House(folder, parts, {"OPEN_WATCHING": False})
