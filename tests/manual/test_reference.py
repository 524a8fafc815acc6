"""The parts of the manual that come from the code are as the code has them, and the manual builds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.reference import DOCS, FILES, PAGES, updated


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_comes_from_the_code_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == updated(name), "run make docs"


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_comes_from_the_code_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == FILES[name](), "run make docs"


@pytest.mark.long
@pytest.mark.process
def test_the_manual_builds_without_a_broken_link_and_holds_nothing_inline(tmp_path: Path) -> None:
    site = tmp_path / "manual"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=DOCS.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>" not in text, page
        assert "<style" not in text, page
        assert " style=" not in text, page
        assert not re.search(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?//', text), page
    assert "What to buy" in (site / "set-up" / "hardware.html").read_text(encoding="utf-8")
