"""The certificate as people see it: a page that needs nothing else, in three languages, on a phone and on paper."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.daemon.setupguide import certificate_told
from referee.values.board import Field
from referee.values.words import LANGUAGES, say
from tests.certificate.figures import LOST, RIGHT, SIGHT, SOUND, certificate, grid
from tests.untyped import untyped
from tests.web.browser import needs_browser, open_page
from web.certificate import heat_map, page, seen_from_above

DIFFERENCES = tuple(((Field(k // 10, k % 10),), say("Camera")) for k in range(30))


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset")]
        if tag in ("script", "link", "iframe"):
            self.found.append(tag)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_alone(language: str) -> None:
    text = page(
        certificate((SOUND, LOST), replace(RIGHT, differences=DIFFERENCES, doubtful=(Field(2, 3),))), language
    )
    links = _Links()
    links.feed(text)
    assert links.found == []
    assert "url(" not in text
    assert f'<html lang="{language}">' in text
    assert "{{" not in text
    assert "D3" in text


def test_names_are_no_markup() -> None:
    odd = replace(certificate(), table="<script>alert(1)</script>")
    assert "<script" not in page(odd)


def test_the_worst_is_darkest() -> None:
    shown = untyped(heat_map(certificate(sight=replace(SIGHT, hidden=((0.0,) * 10,) * 9 + ((0.5,) * 10,))).maps[1]))
    cells = {cell["name"]: cell for cell in shown["cells"]}
    assert cells["A10"]["fill"] == "#8c2a12"
    assert cells["A1"]["fill"] == "#fbf5e9"
    assert cells["A10"]["y"] < cells["A1"]["y"]
    pixels = untyped(heat_map(certificate(sight=replace(SIGHT, best_px=grid(1.0))).maps[0]))
    assert {cell["fill"] for cell in pixels["cells"]} == {"#8c2a12"}


@pytest.mark.parametrize("value", [0.05, 2.345, 26.4499, 26.45, 99.5])
def test_a_number_is_the_same_on_the_page_and_on_paper(value: float) -> None:
    """Rounded in two places, by Python and by a browser, 26.45 was 26.4 here and 26.5 there."""
    made = certificate()
    maps = tuple(replace(each, values=grid(value), digits=1) for each in made.maps)
    shown = untyped(certificate_told("1", replace(made, maps=maps).to_json(), "en"))["maps"]
    assert len(shown) == len(maps) > 0
    for each, view in zip(maps, shown, strict=True):
        printed = [cell["text"] for cell in untyped(heat_map(each))["cells"]]
        assert printed == [text for row in view["texts"] for text in row]
        assert set(printed) == {f"{value:.1f}"}


def test_cameras_stand_where_they_stand() -> None:
    above = untyped(seen_from_above(certificate()))
    first, second, wanted = above["cameras"]
    assert first["y"] > 0  # in front of row 1, which is below
    assert second["x"] > 0 > second["y"]
    assert wanted["wanted"]
    assert wanted["x"] < 0


@needs_browser
def test_it_fits_a_phone_and_two_sheets_of_paper(tmp_path: Path) -> None:
    file = tmp_path / "certificate.html"
    with open_page(360, 740) as browser:
        for language in LANGUAGES:
            file.write_text(page(certificate((SOUND, LOST)), language), encoding="utf-8")
            browser.goto(file.as_uri())
            assert browser.evaluate("document.documentElement.scrollWidth") <= 360
        paper = browser.pdf(prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 2
