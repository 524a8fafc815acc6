"""Every shared rule case is ruled on as it says; the program that measures it replays the explanations too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.check import answer

FOLDERS = [parent / "shared" / "cases" / "turris" for parent in Path(__file__).parents]
"""Beside the project, or beside one of the folders it lies in."""
FILES = sorted(path for folder in FOLDERS for path in folder.glob("*.jsonl"))
GAMES = sorted(path for folder in FOLDERS for path in folder.glob("game-*.json"))


def named(found: dict[str, Any]) -> list[str]:
    return [violation["rule"] for violation in found["violations"]]


def standing(position: dict[str, Any]) -> dict[str, Any]:
    """The position without what is free: bars in ``last`` that were taken off since."""
    keys = ("tower", "left", "turn", "to_move", "finished", "winners", "scores", "barred")
    free = {"to_move", "barred"} if position.get("finished") else set()
    return {key: position.get(key) for key in keys if key not in free}


@pytest.mark.skipif(not FILES, reason="the shared cases are not there")
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


@pytest.mark.skipif(not GAMES, reason="the shared games are not there")
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
