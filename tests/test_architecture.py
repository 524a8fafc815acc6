"""The architecture page shows the imports as they are, and names only files that exist."""

from __future__ import annotations

import re

import pytest

from scripts.architecture import DRAWING, PAGE, ROOT, drawing


@pytest.mark.long
def test_the_drawing_is_up_to_date() -> None:
    assert DRAWING.read_text(encoding="utf-8") == drawing(), "run python -m scripts.architecture"


def test_every_file_it_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"`((?:referee|vision|calibration|web|tests)/[\w/]+\.(?:py|js))`", text)
    assert len(named) > 10
    missing = [name for name in named if not (ROOT / name).exists()]
    assert not missing
