"""``referee check`` on requests of this game, as other programs send them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli import check
from referee.games.contract import RequestError
from referee.games.package import GamePackage
from referee.games.terrabilis import package
from tests.games.terrabilis.positions import COPY, position, request, roll


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the game answer for itself, whether or not its entry point is installed yet."""
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


def test_a_copy_may_lie_in_a_folder(tmp_path: Path) -> None:
    named = {key: value for key, value in request(position(), [roll(1, 3)]).items() if key != "copy"}
    (tmp_path / "copy-tiny.json").write_text(json.dumps(COPY), encoding="utf-8")
    assert answered(dict(check.with_copy(named, tmp_path)))["legal"] is True
    beside = request(position(), [roll(1, 3)])
    assert check.with_copy(beside, tmp_path / "nowhere") is beside
    for other in ({}, {"position": 3}, {"position": {"copy": "../tiny"}}):
        assert check.with_copy(other, tmp_path) is other
    with pytest.raises(RequestError, match="can't be read"):
        check.with_copy(named, tmp_path / "nowhere")
    (tmp_path / "copy-tiny.json").write_text("{", encoding="utf-8")
    with pytest.raises(RequestError, match="no JSON"):
        check.with_copy(named, tmp_path)
