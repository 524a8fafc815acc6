"""The page's views fetch what they work with in one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from web.problems import ApiError
from web.services import Services, services_of, store

ROOT = Path(__file__).parents[2]
ALL = (
    "auth",
    "board",
    "checkpoint",
    "copies",
    "games",
    "log",
    "mat",
    "phones",
    "photographs",
    "room",
    "setup",
    "virtual",
)


def test_no_module_reaches_into_the_extensions_of_an_app() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): count
        for place in ("web", "referee", "tests")
        for path in (ROOT / place).rglob("*.py")
        if path != Path(__file__) and (count := path.read_text(encoding="utf-8").count("extensions["))
    }
    assert found == {"web/services.py": 1}


@pytest.mark.parametrize("part", ALL)
def test_a_part_that_a_table_lacks_is_told_in_words(app: Flask, part: str) -> None:
    with pytest.raises(ApiError) as raised:
        getattr(services_of(app), part)
    assert raised.value.status == (401 if part == "auth" else 404)
    assert str(raised.value.words)


def test_every_part_that_is_needed_is_tried_here() -> None:
    assert {name for name, value in vars(Services).items() if isinstance(value, property)} == set(ALL)


def test_an_app_over_no_table_has_no_services() -> None:
    app = Flask("another")
    store(app, object())
    with pytest.raises(TypeError, match="serves no table"):
        services_of(app)
