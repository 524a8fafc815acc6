"""Rule cases with known answers: some of each rule and option, and all the shared ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.games.terrabilis.answer import answer
from tests.games.terrabilis.positions import sets_of
from tests.shared import case_files

OWN = Path(__file__).with_name("data")
FILES = case_files("terrabilis", OWN)
NUMBERS = ("money", "energy", "green", "yellow")


def sums(entries: list[dict[str, Any]]) -> dict[tuple[str, str, str], int]:
    found: Counter[tuple[str, str, str]] = Counter()
    for entry in entries:
        for name in NUMBERS:
            found[entry["who"], entry["rule"], name] += entry.get(name, 0)
    return {key: n for key, n in found.items() if n and key[0] is not None}


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_cases_of_a_file(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        copy = json.loads((path.parent / f"copy-{case['position']['copy']}.json").read_text(encoding="utf-8"))
        found = answer({key: case[key] for key in ("position", "declared", "observed")} | {"copy": copy})
        assert found["legal"] is case["legal"], case["id"]
        if case["legal"] is False:
            assert sorted(map(sorted, sets_of(found))) == sorted(map(sorted, case["minimal_sets"])), case["id"]
            assert sets_of(found)[0] == case["minimal_sets"][0], case["id"]
        elif case["legal"] is None:
            assert sorted(map(json.dumps, found["offers"])) == sorted(map(json.dumps, case["offers"])), case["id"]
        else:
            assert sums(found["turn"]["entries"]) == sums(case["entries"]), case["id"]
            assert found.get("title") == case.get("title"), case["id"]
            same = ("turn", "lap", "zone", "lost", "discard", "finished", "winners")
            assert {key: found["next"][key] for key in same} == {key: case["next"][key] for key in same}, case["id"]
