"""Cases with known answers: verdict, all smallest sets, the explanation and the position after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.cli.check import answer
from tests.games.terra_turrium.replay import broken_rules

FILES = sorted((Path(__file__).parent / "data").glob("*.jsonl"))
BY_HAND = {"move.own", "flag.count"}
STARTS: dict[str, object] = {"final_round": False, "finished": False, "winners": []}


def cases() -> list[Any]:
    return [
        pytest.param(case, id=case["id"])
        for path in FILES
        for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


@pytest.mark.parametrize("case", cases())
def test_golden(case: dict[str, Any]) -> None:
    got: dict[str, Any] = answer({"position": case["position"], "observed": case["observed"]})
    assert got["legal"] is case["legal"], case["note"]
    named = [violation["rule"] for violation in got["violations"]]
    assert ([named, *got["alternatives"]] if named else []) == case["minimal_sets"]
    if not BY_HAND & set(named):
        assert broken_rules(case["position"], case["observed"], got["turn"]) <= set(named)
    if case["legal"]:
        for key, value in case["next"].items():
            if key == "holding":
                value = {c: f for c, f in value.items() if c != case["next"]["to_move"]}
            if not (case["next"]["finished"] and key == "to_move"):
                assert got["next"].get(key, STARTS.get(key)) == value, key
        assert sorted(got["winners"]) == sorted(case["next"]["winners"])
    else:
        assert got["next"] is None
        assert all(violation["message"].endswith(").") for violation in got["violations"])


@pytest.mark.parametrize("case", cases()[::4])
def test_position_goes_round(case: dict[str, Any]) -> None:
    from referee.games.terra_turrium.position.parsing import parse_position

    position = parse_position(case["position"])
    assert parse_position(json.loads(json.dumps(position.to_json()))) == position
    assert {k: v for k, v in position.to_json().items() if k in case["position"]} == case["position"]
