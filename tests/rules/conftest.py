"""Settings for the tests of the rules: a fresh start each time, and a quick run for mutation testing."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from referee.games.terra_turrium.ruleset import rule_set

QUICK = os.environ.get("HYPOTHESIS_PROFILE") == "quick"
"""Whether the tests are run against thousands of mutants."""
MOST_CPU_S = 6.0
"""In a quick run: a test that takes longer runs in circles, and the mutant that makes it do so is found."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave long tests out of a quick run."""
    if QUICK:
        items[:] = [item for item in items if item.get_closest_marker("long") is None]


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    """End endless tests; forget rule sets, so that each test makes its own and its mutants are known to be its."""
    if QUICK:
        rule_set.cache_clear()
        signal.signal(signal.SIGVTALRM, lambda *_: os._exit(1))
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_CPU_S)
    yield
    if QUICK:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
