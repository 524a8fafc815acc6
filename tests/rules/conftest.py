"""Settings for the tests of the rules."""

from __future__ import annotations

import pytest

from referee.games.terra_turrium.ruleset import rule_set


@pytest.fixture(scope="session", autouse=True)
def _fresh_rule_sets() -> None:
    """Forget descriptions made before: mutation testing starts each run from a process that has made them all."""
    rule_set.cache_clear()
