"""The parts of the manual that come from the code are as the code has them."""

from __future__ import annotations

import pytest

from scripts.reference import DOCS, FILES, PAGES, updated


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_comes_from_the_code_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == updated(name), "run make docs"


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_comes_from_the_code_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == FILES[name](), "run make docs"
