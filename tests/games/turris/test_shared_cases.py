"""Rule cases with known answers, some of each rule and option and all the shared ones, and whole games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.check import answer
from tests.shared import case_files

OWN = Path(__file__).with_name("data")
FILES = case_files("turris", OWN)
GAMES = case_files("turris", OWN, "game-*.json")


def named(found: dict[str, Any]) -> list[str]:
    return [violation["rule"] for violation in found["violations"]]


def standing(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position without what is free: bars in ``last`` that were taken off since."""
    keys = ("tower", "left", "turn", "to_move", "finished", "winners", "scores", "barred")
    free = {"to_move", "barred"} if position.get("finished") else set()
    return {key: position.get(key) for key in keys if key not in free}


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_shared_cases(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        found = answer({key: case[key] for key in ("position", "observed", "declared") if key in case})
        assert found["legal"] is case["legal"], case["id"]
        assert "complete" not in found, case["id"]
        if case["legal"]:
            assert named(found) == []
            assert found["turn"]["bonus"] is (len(found["turn"]["acts"]) > 1)
        else:
            assert named(found) == case["minimal_sets"][0], case["id"]
            assert sorted(found["alternatives"]) == sorted(case["minimal_sets"][1:]), case["id"]


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_whole_games(path: Path) -> None:
    game = json.loads(path.read_text(encoding="utf-8"))
    for k, observed in enumerate(game["observed"]):
        before, after = game["positions"][k], game["positions"][k + 1]
        found = answer({"position": before, "observed": observed})
        assert found["legal"] is True
        assert standing(found["next"]) == standing(after)
    assert found["finished"] is True
    assert found["winners"] == game["winners"]
    assert found["next"]["scores"] == game["scores"]
