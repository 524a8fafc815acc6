"""A tower is built on the page by pictures of a turned board: sides are asked for, breaches named, points counted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower
from tests.untyped import untyped
from tests.web.browser import needs_browser
from tests.web.turned import TurnedGame, TurnedTable, ruled
from tests.web.turnedturns import TURNS
from tests.web.wrongturns import against

WRONG = {4: "rest.full", 5: "bonus.earned", 31: "bonus.refill"}
"""Before which turn what is tried first."""
pytestmark = needs_browser
long = pytest.mark.skipif(not os.environ.get("ALL_SCREENS"), reason="takes minutes: make browser plays it")


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TurnedGame]:
    first: int = request.param
    data = tmp_path / "data"
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(data))
    start = TURNS[first][0]
    table = TurnedTable(tmp_path, start.to_json())
    table.show(start.tower.text)
    with TurnedGame.played(table, data, (1024, 768)) as game:
        game.pair()
        game.phase("playing")  # the tower stands as agreed on
        yield game


@long
@pytest.mark.parametrize("game", [len(TURNS) - 1], indirect=True)
def test_the_last_bar_ends_the_game_with_the_points_of_every_side(game: TurnedGame) -> None:
    game.unbarred()
    plays(game, *TURNS[-1])
    ends_with_the_right_points(game)


@long
@pytest.mark.parametrize("game", [0], indirect=True)
def test_a_whole_game(game: TurnedGame) -> None:
    for number, (now, after) in enumerate(TURNS):
        if number in WRONG:
            breaks(game, now, WRONG[number])
        plays(game, now, after)
    assert [entry["verdict"] for entry in game.state()["history"] if entry["counts"]] == ["legal"] * len(TURNS)
    ends_with_the_right_points(game)


def plays(game: TurnedGame, now: TurrisPosition, after: Tower) -> None:
    """Play a legal turn, shown from as many sides as are asked for."""
    state = game.ends(after.text)
    assert (state["position"]["tower"], state["phase"]["id"]) in (
        (after.text, "playing"),
        (after.text, "finished"),
    ), (state["banner"], state["board"]["text"], after.text)


def breaks(game: TurnedGame, now: TurrisPosition, rule: str) -> None:
    """Play a turn against a rule: it is named, the turn is taken back, and that is seen."""
    wrong = against(now, rule)
    assert wrong is not None
    state = game.ends(wrong.text)
    assert state["phase"]["id"] == "violation", (state["banner"], state["board"]["text"], wrong.text)
    assert [one["rule"] for one in state["violation"]["rules"]] == [rule]
    expect(game.page.locator(f'[data-rule="{rule}"]')).to_be_visible()
    game.unbarred()
    game.shows(now.tower.text, "east")
    if game.state()["phase"]["id"] == "violation":
        game.press("put_back")
    game.phase("playing")


def ends_with_the_right_points(game: TurnedGame) -> None:
    """Verify the scores of all five pictures by the rules, and the winner on the page."""
    now, after = TURNS[-1]
    wanted = ruled(now, after.text).next
    assert wanted is not None
    game.phase("finished")
    state = game.state()
    position = wanted.to_json()
    assert state["position"]["scores"] == position["scores"]
    assert state["winners"] == position["winners"]
    for player, scores in untyped(position)["scores"].items():
        counters = next(seat for seat in state["seats"] if seat["colour"] == player)["counters"]
        assert {each["id"]: each["value"] for each in counters if each["id"] in scores} == {
            name: points for name, points in scores.items() if name != "total"
        }
    expect(game.page.locator(".tower-points").first).to_be_visible()
    game.unbarred()
    game.fits()
