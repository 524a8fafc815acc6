"""``referee check`` on requests of this game, as other programs send them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import check
from referee.games.package import GamePackage
from referee.games.terrabilis import package
from tests.games.terrabilis.positions import position, request, roll


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game answers for itself, whether or not its entry point is installed yet."""
    known: dict[object, GamePackage] = {"terrabilis": package()}
    monkeypatch.setattr(check, "package_named", known.__getitem__)


def answered(data: dict[str, Any], language: str = "en") -> dict[str, Any]:
    return json.loads(json.dumps(check.answer(data, language)))


def test_a_request_carries_the_copy_beside_the_position() -> None:
    found = answered(request(position(), [roll(1, 3)]) | {"id": 7})
    assert found["legal"] is True
    assert found["next"]["copy"] == "tiny"


def test_messages_come_in_the_language_asked_for() -> None:
    found = answered(request(position(), [roll(1, 1)]), "fr")
    assert found["violations"][0]["message"].startswith("Rouge est sur une case Aléa")


def test_the_playthrough_lies_in_the_package() -> None:
    assert isinstance(package().playthrough, Path)
