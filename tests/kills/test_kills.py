"""A few kills with every test run; ``make kills`` does 300."""

from __future__ import annotations

import random
from pathlib import Path

from tests.demo.table import cut
from tests.kills.run import run


def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    count = run(2, tmp_path, random.Random(), recording=cut(tmp_path / "recording", 3))
    assert count.kills == 2
    assert count.acknowledged > 0
