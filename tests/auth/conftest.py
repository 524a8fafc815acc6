from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.auth.house import House

MEMORY = Path("/dev/shm")


class LateRule(Rule):
    """Writes the code that makes its address when that is first asked for: it takes most of the making of an app."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        write = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, **values: write()(rule, **values)


Flask.url_rule_class = LateRule  # hundreds of apps are made here, and few of their addresses


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
