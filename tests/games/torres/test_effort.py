"""How many states rulings look at: no more than before, so that no bound that saves time gets lost unseen.

``python -m tests.games.torres.test_effort`` writes the numbers down anew; more of them have to be worth it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.games.torres.engine import GAME
from referee.games.torres.search.effort import SearchEffort
from tests.games.torres.handcases import CASES
from tests.games.torres.tables import check

FOLDER = Path(__file__).parent / "data"
FILE = FOLDER / "effort.json"
KNOWN: dict[str, int] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def turns() -> Iterator[tuple[str, Any]]:
    """Yield every turn there are answers for: those ruled on by hand and the project's cases."""
    for name, (turn, _) in CASES.items():
        yield name, lambda turn=turn: check(**turn)
    for line in (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield str(case["id"]), lambda case=case: _check(case)


def _check(case: dict[str, Any]) -> object:
    seen = GAME.observation(case["observed"])
    return GAME.check(GAME.position(case["position"]), seen, (), case.get("declared") or {})


def efforts() -> dict[str, int]:
    """Count the states that each turn costs."""
    counted = 0
    spend = SearchEffort.spend

    def counting(effort: SearchEffort) -> bool:
        nonlocal counted
        counted += 1
        return spend(effort)

    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SearchEffort, "spend", counting)
        for name, rule in turns():
            counted = 0
            rule()
            found[name] = counted
    return found


@pytest.mark.long
def test_no_ruling_looks_at_more_than_before() -> None:
    found = efforts()
    assert set(found) == set(KNOWN)
    assert {name: count for name, count in found.items() if count > KNOWN[name]} == {}


if __name__ == "__main__":
    FILE.write_text(json.dumps(efforts(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
