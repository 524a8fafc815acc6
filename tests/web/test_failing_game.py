"""A game of other people may fail in any of its functions: the referee goes on, and says what failed and where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee import games
from referee.archive.export import export
from referee.games.contract import ABILITIES, Rules
from referee.match.phases import Phase
from referee.values.words import LANGUAGES
from tests.games import faulty
from tests.web.browser import needs_browser
from tests.web.examplegame import FULL, Table, board

MOVED = board(R1="0011111111", R5="1111311111")
UNTOLD = {
    "check": Phase.UNSURE,
    "prior_after": Phase.UNSURE,
    "observation": Phase.UNSURE,
    "initial_prior": Phase.BLIND,
}
"""What becomes of a turn at whose ruling a function fails."""
FUNCTIONS = sorted(
    {name for kind in (Rules, *ABILITIES) for name in vars(kind) if name[0] != "_"} - {"name", "title", "kit"}
)
WAYS = [
    *((function, "raises") for function in FUNCTIONS),
    *((function, way) for function in ("check", "form", "lacking") for way in ("leaves", "recurses", "is junk")),
]


@pytest.fixture
def fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    with faulty.installed(tmp_path / "site", monkeypatch) as found:
        yield found


def table_of(folder: Path, parts: ExitStack) -> Table:
    return Table(folder, [FULL, MOVED, MOVED, MOVED], parts, game=games.game_named("three-stones"))


def failures(table: Table) -> tuple[list[str], dict[str, Any]]:
    """Return what the page says of the game in each language, and the health page."""
    states = [table.get("api/state", language) for language in LANGUAGES]
    told = [one["words"] for state in states for one in state["notices"] if one["id"].startswith("game-failed")]
    return told, table.get("health")


@pytest.mark.parametrize(("function", "way"), WAYS)
def test_it_is_told_and_the_game_goes_on_by_hand(
    tmp_path: Path, fails: dict[str, str], function: str, way: str
) -> None:
    with ExitStack() as parts:
        seen = table_of(tmp_path, parts)
        assert seen.tell("look_again")
        fails[function] = way
        assert seen.tell("turn_ended")
        assert seen.phase is UNTOLD.get(function, Phase.PLAYING)
        if function in UNTOLD:
            assert f"referee-faulty 1.0, {function}, " in seen.get("api/state")["banner"]["detail"]
            assert seen.tell("reading_wrong")
            by_hand = seen.tell("rule_board", fields={"A1": "0", "B1": "0", "E5": "3"})
            assert by_hand == (function != "observation")
        told, health = failures(seen)
        assert health["status"] == ("degraded" if told else "ok")
        assert all(f"referee-faulty 1.0, {function}, " in words for words in (*told, *health["problems"]))
        if seen.phase is Phase.UNSURE:
            assert told
            assert seen.tell("accept", board=MOVED)
            assert seen.phase is Phase.PLAYING
        seen.tell("dispute", entry=1, words="?")
        assert seen.tell("end_game", how="abandoned")
        assert seen.get("api/state")["phase"]["id"] == "finished"
        assert export(seen.loop.journal.journal.path, tmp_path / "game.zip").events > 5


@pytest.mark.parametrize("function", ["initial_prior", "setup_differences"])
def test_a_set_up_that_it_can_not_compare_is_told_by_hand(
    tmp_path: Path, fails: dict[str, str], function: str
) -> None:
    with ExitStack() as parts:
        seen = table_of(tmp_path, parts)
        fails[function] = "raises"
        seen.tell("look_again")
        told, health = failures(seen)
        assert function in told[0]
        assert health["status"] == "degraded"
        assert seen.tell("begin", board=FULL)
        assert seen.phase is Phase.PLAYING


@pytest.mark.parametrize("function", ["check", "observation"])
def test_it_may_fail_again_after_a_restart(tmp_path: Path, fails: dict[str, str], function: str) -> None:
    for command in ("turn_ended", "look_again"):
        with ExitStack() as parts:
            seen = table_of(tmp_path, parts)
            if command == "turn_ended":
                seen.tell("look_again")
            fails[function] = "raises"
            assert seen.tell(command)
            assert seen.phase is Phase.UNSURE
            assert function in failures(seen)[0][0]


@needs_browser
def test_the_page_shows_what_it_can(tmp_path: Path, fails: dict[str, str], page: Page) -> None:
    with ExitStack() as parts:
        table = table_of(tmp_path, parts)
        fails |= dict.fromkeys(("seats", "choices", "form", "citation", "explained", "ledger", "prompt"), "raises")
        table.tell("look_again")
        table.open(page)
        expect(page.locator(".cell")).to_have_count(100)
        expect(page.locator("#notices")).to_contain_text("referee-faulty 1.0, seats, faulty_stones line")
        page.click("[data-act=turn_ended]")
        expect(page.locator("#headline")).to_have_text("Legal")
