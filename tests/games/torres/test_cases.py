"""Cases with known answers: a selection of the project's own, and the shared ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.games.torres.engine import GAME
from tests.shared import SHARED

FILES = sorted((SHARED / "cases" / "torres").glob("*.json*"))
OWN = Path(__file__).parent / "data" / "cases.jsonl"


def answered(case: Mapping[str, Any]) -> dict[str, Any]:
    position = GAME.position(case["position"])
    ruling = GAME.check(position, GAME.observation(case["observed"]), (), case.get("declared") or {})
    return ruling.to_json()


def cases(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        yield from map(json.loads, text.splitlines())
    else:
        game = json.loads(text)
        for number, turn in enumerate(game["turns"], 1):
            yield {"id": f"{game['id']} {number}", "legal": True, "minimal_sets": []} | turn


def assert_agrees(case: Mapping[str, Any]) -> None:
    found = answered(case)
    assert found["legal"] is case["legal"], case["id"]
    if not case["legal"]:
        sets = [[violation["rule"] for violation in found["violations"]], *found["alternatives"]]
        assert sets[0] == case["minimal_sets"][0], case["id"]
        assert sorted(map(sorted, sets)) == sorted(map(sorted, case["minimal_sets"])), case["id"]
        if "ask" in case:
            assert found["ask"] == case["ask"], case["id"]
        return
    if "cost" in case:
        assert found["turn"]["cost"] == case["cost"], case["id"]
    for key, value in case["next"].items():
        assert told(key, found["next"][key]) == told(key, value), (case["id"], key)
    for player, score in case.get("scores", {}).items():
        assert found["scores"][player]["total"] == score["total"], case["id"]
    assert sorted(found["winners"]) == sorted(case.get("winners", [])), case["id"]


def told(key: str, value: Any) -> Any:
    """Return a value of a position, without the order of stacks and of cards played."""
    if key == "stacks":
        return {player: sorted(stacks) for player, stacks in value.items()}
    if key == "cards":
        return {player: (hand["held"], sorted(hand["played"])) for player, hand in value.items()}
    return value


@pytest.mark.long
@pytest.mark.skipif(not FILES, reason="the shared cases are not here")
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_shared_cases(path: Path) -> None:
    for case in cases(path):
        assert_agrees(case)


@pytest.mark.parametrize("case", list(cases(OWN)), ids=lambda case: str(case["id"]))
def test_the_cases_of_the_project(case: dict[str, Any]) -> None:
    assert_agrees(case)
