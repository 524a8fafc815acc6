"""A game that is over says by what it was won, on the page, for the room and in its result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.games import package_named
from referee.games.record import parse_record
from referee.games.torres.position.position import TorresPosition
from referee.match.events import GameStarted, Resigned, SetupAccepted
from referee.match.phases import Phase
from referee.match.transitions import begin, step
from referee.view import table_view


def at_the_end(name: str) -> Any:
    """Return a position of the short game that comes along, taken as the last."""
    package = package_named(name)
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    position: Any = package.records.start(record)
    for entry in record.turns:
        position = package.records.play(position, entry).next
    if isinstance(position, TorresPosition):
        return replace(position, stage="finished")
    return position if position.finished else replace(position, finished=True, winners=(position.to_move,))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("terra-turrium", "Flags on towers of 6-5-4-3-2-1: the goal is reached."),
        ("torres", "Points: "),
        ("turris", "Squares that count: "),
        ("terrabilis", "3 infrastructures installed, a member of the Alliance, no open loan."),
    ],
)
def test_who_wins_is_told_with_the_reason(name: str, why: str) -> None:
    position = at_the_end(name)
    state = replace(begin(GameStarted(position)), phase=Phase.FINISHED)
    shown: Any = table_view(package_named(name).game, state)
    assert shown["banner"]["headline"].endswith(("wins", "win together"))
    assert shown["banner"]["detail"].startswith(why)
    assert why in shown["result"]["words"]
    for player in shown["players"].values():
        assert name not in ("torres", "turris") or player["name"] in shown["banner"]["detail"]


def test_held_towers_and_a_group_that_has_lost_are_told() -> None:
    tower = at_the_end("terra-turrium")
    held = replace(tower, rules=replace(tower.rules, hold_from=5))
    game = package_named("terra-turrium").game
    assert "held for a round" in str(game.why_over(held))  # type: ignore[attr-defined]
    ledger = at_the_end("terrabilis")
    out = {who: replace(line, out=True) for who, line in ledger.ledger.items()}
    game = package_named("terrabilis").game
    told = str(game.why_over(replace(ledger, winners=(), ledger=out)))  # type: ignore[attr-defined]
    assert told.startswith("The group has lost together: out are Red")


def test_who_is_left_wins_because_all_others_gave_up() -> None:
    package = package_named("turris")
    start: Any = package.records.start(parse_record(package.playthrough.read_text(encoding="utf-8")))  # type: ignore[union-attr]
    state = step(begin(GameStarted(start)), SetupAccepted(""))
    out = start.to_move
    state = step(state, Resigned("tablet", out, package.game.resigned(start, frozenset({out}))))
    shown: Any = table_view(package.game, state)
    assert shown["banner"]["detail"] == "All others gave up."
