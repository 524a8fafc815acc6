"""``referee demo`` of a game without cameras: after its end another one can be played; both are on the shelf."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.attacks.longgame import Tablet
from tests.demo.command import Demo


@pytest.mark.process
def test_after_the_recorded_game_another_is_played(tmp_path: Path) -> None:
    with Demo(tmp_path / "game.journal", "--game", "terrabilis", "--pace", "0.02") as demo:
        tablet = Tablet.paired(tmp_path, urlsplit(demo.url).port or 0)

        def until(phase: str) -> Any:
            by = time.monotonic() + 60
            while (state := tablet.ask("GET", "/api/state")[1])["phase"]["id"] != phase:
                assert time.monotonic() < by, state["phase"]
                time.sleep(0.1)
            return state

        until("finished")
        assert [game["over"] for game in tablet.ask("GET", "/api/games")[1]["games"]] == [True]
        choice = {"edition": "fr", "seats": {"first": "red", "third": "blue"}}
        assert tablet.command("new_game", choice=choice) == 200
        until("set-up")
        assert tablet.command("begin") == 200
        until("playing")
        assert (tmp_path / "game-2.journal").exists()
        assert len(tablet.ask("GET", "/api/games")[1]["games"]) == 2
        assert tablet.command("pause") == 200


@pytest.mark.process
def test_no_turn_is_played_before_somebody_looks(tmp_path: Path) -> None:
    demo = Demo(tmp_path / "game.journal", "--game", "terrabilis", "--pace", "0")
    demo.until(r"The game begins when the page is opened\.$")
    demo.process.terminate()
    assert demo.wait() == 0
    assert not [line for line in demo.said if line.startswith("look ")]
