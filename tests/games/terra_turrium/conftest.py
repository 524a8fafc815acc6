"""A quick run of the tests of the rules, for mutation testing: without the long ones."""

from __future__ import annotations

import os

import pytest

QUICK = os.environ.get("HYPOTHESIS_PROFILE") == "quick"
"""Whether the tests are run against thousands of mutants."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave long tests out of a quick run."""
    if QUICK:
        items[:] = [item for item in items if item.get_closest_marker("long") is None]
