"""Titles of the winner, worked out by hand."""

from __future__ import annotations

import pytest

from tests.games.terrabilis.positions import position, ruled

TITLES = {
    "Grand Terrarchitecte": ({"green": 12, "yellow": 12, "installed": ["shop"]}, {}),
    "Terrarchitecte": ({"green": 20, "yellow": 2, "installed": ["shop"]}, {}),
    "Petit Terrarchitecte": ({"green": 2, "yellow": 2, "installed": ["shop"]}, {}),
    None: ({"green": 1, "yellow": 1, "installed": ["shop"]}, {}),
}


@pytest.mark.parametrize("title", TITLES)
def test_titles_count_what_is_missing_of_each_colour(title: str | None) -> None:
    line, options = TITLES[title]
    before = position({"red": line | {"member": True}}, target=1, options=options)
    told = ruled(before, [{"count": {"money": 20000}}])
    assert (told["winners"], told["title"]) == (["red"], title)


@pytest.mark.parametrize(
    ("poured", "cards", "title"),
    [
        (-1, ["wind"], "Grand Terrarchitecte"),
        (0, ["coal"], "Terrarchitecte"),
        (0, ["farm"], "Terrarchitecte"),
        (11, ["wind"], "Petit Terrarchitecte"),
        (21, ["wind"], None),
    ],
)
def test_titles_may_count_what_was_poured(poured: int, cards: list[str], title: str | None) -> None:
    line = {"member": True, "installed": cards, "poured": poured}
    before = position({"red": line}, target=1, options={"title_loss": "poured"})
    assert ruled(before, [{"count": {}}])["title"] == title
