"""What a device is called that nobody named: it stands behind what its player did and is no opponent."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import game_named
from tests.web.browser import needs_browser
from tests.web.paired import paired
from tests.web.watched import some_turns_on

pytestmark = needs_browser


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "A player’s computer"), ("de", "Computer einer Person"), ("fr", "Ordinateur d’un joueur")],
)
def test_an_unnamed_computer_gets_a_name(tmp_path: Path, language: str, name: str) -> None:
    with paired(tmp_path, game_named("torres"), some_turns_on("torres", 1), look=(language, "light")) as (page, _):
        session = page.evaluate("fetch('/api/session').then(answer => answer.json())")
        assert session["device"]["name"] == name
