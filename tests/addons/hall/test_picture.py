"""Every game's view becomes messages of a hall, and gives the page's own view back in each language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from referee.addons.hall.chronicle import Chronicle
from referee.addons.hall.messages import MOST_BYTES, payload_of
from referee.addons.hall.picture import cameras_lost, clock_of, health_of, measured, ruling_of, state_of
from referee.addons.hall.spoken import joined, spoken
from referee.games import game_named
from referee.match.clock import Clock, TimeControl
from referee.match.events import ClockMoved, Disputed, GameStarted
from referee.match.live import CameraState, Live, Waiting
from referee.storage.journal import Journal
from referee.values.metrics import VitalSigns
from referee.values.words import LANGUAGES, say
from referee.view import table_view
from referee.view.room import Room
from tests.match.fakes import StepGame, start
from tests.report.playing import played
from tests.untyped import untyped

Json = dict[str, JsonValue]


def views_of(game: Any, chronicle: Chronicle, live: Live) -> dict[str, JsonValue]:
    """Return the page's view in every language, as JSON has it."""
    assert chronicle.state is not None
    return {
        language: json.loads(json.dumps(table_view(game, chronicle.state, live, language))) for language in LANGUAGES
    }


def joined_view(views: dict[str, JsonValue]) -> Json:
    view = joined(views)
    assert isinstance(view, dict)
    return view


@pytest.mark.parametrize("name", ["terra-turrium", "torres", "terrabilis", "turris"])
def test_a_games_view_is_told_in_every_language(name: str, tmp_path: Path) -> None:
    game = game_named(name)
    chronicle = Chronicle(game)
    with Journal(played(tmp_path / "1.journal", name)) as journal:
        for entry in journal.entries():
            assert chronicle.follow(entry) == 0
        head, last = journal.head, journal.last
    views = views_of(game, chronicle, Live(event=last))
    view = joined_view(views)
    state = state_of(view, chronicle, Room().to_json(), {}, {"0" * 16: 7})
    assert (state.game.id, state.event, state.head) == (chronicle.hashes[0][:16], last, head)
    assert len(payload_of(state)) < MOST_BYTES / 8
    for language, page in views.items():
        told = spoken(untyped(state.view), language)
        assert told == {key: untyped(page)[key] for key in state.view}
    ruling = ruling_of(view, chronicle)
    assert (ruling.verdict, ruling.event) == ("legal", last)
    assert not clock_of(view, chronicle).used


def test_what_a_table_needs_comes_with_the_time_since_when(tmp_path: Path) -> None:
    game = untyped(StepGame())
    clock = Clock.starting(TimeControl(total_s=60), ["red", "yellow"])
    chronicle = Chronicle(game)
    with Journal(tmp_path / "1.journal") as journal:
        run_out = clock.turned(1, "red").going(True).passed(60_000)
        for event in (GameStarted(untyped(start()), clock=clock), ClockMoved(run_out)):
            chronicle.follow(journal.append(event.kind, event.to_json()))
    cameras = (
        CameraState("cam0", False, say("No camera sends pictures.")),
        CameraState("cam1", True, say("Playing")),
    )
    live = Live(event=2, cameras=cameras, waiting=Waiting("still", say("Paused")))
    view = joined_view(views_of(game, chronicle, live))
    lost = cameras_lost(view, cameras_lost(view, {}, 5), 9)
    assert lost == {"cam0": 5}
    state = state_of(view, chronicle, Room().to_json(), lost, {})
    assert [(need.what, need.since) for need in state.needs] == [("camera", 5), ("flag", chronicle.fallen.at_ms)]
    assert state.needs[1].event == 2
    assert state.waits is not None
    assert state.waits.text("de") == say("Paused").text("de")
    told = clock_of(view, chronicle)
    assert (told.used, told.fallen, told.left_ms) == (True, "red", {"red": 0, "yellow": 60_000})
    health = health_of(view, VitalSigns(cameras={"cam0": None, "cam1": 0.25}), "1", 15, 3)
    assert [(one.name, one.ok, one.age_s) for one in health.cameras] == [("cam0", False, -1.0), ("cam1", True, 0.2)]
    assert health.problem
    assert health.undelivered == 3
    seen = measured(health, {"cam0": (8, 2.0), "cam1": (7, 1.456)})
    assert [(one.markers, one.sharpness) for one in seen.cameras] == [(-1, -1.0), (7, 1.46)], "not of a lost camera"


def test_an_event_of_a_later_version_is_passed_on(tmp_path: Path) -> None:
    chronicle = Chronicle(untyped(StepGame()))
    with Journal(tmp_path / "1.journal") as journal:
        started = GameStarted(untyped(start()))
        for kind, data in ((started.kind, started.to_json()), ("of_next_year", {}), (Disputed.kind, {})):
            assert chronicle.follow(journal.append(kind, data)) == 0
        assert chronicle.hashes[-1] == journal.head
