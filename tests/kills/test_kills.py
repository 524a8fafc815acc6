"""A few kills with every test run; ``make kills`` does 300."""

from __future__ import annotations

import random
from pathlib import Path

from tests.kills.run import run


def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    count = run(5, tmp_path, random.Random())
    assert count.kills == 5
    assert count.acknowledged > 0
