"""A paired device plays through the API: the real turn loop behind it, the real journal, the real server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.auth.playing import Playing, until
from web.contract import KEY_HEADER


@pytest.fixture
def playing(folder: Path) -> Iterator[Playing]:
    with ExitStack() as parts:
        yield Playing(folder, parts)


def test_a_device_plays_and_nothing_it_sends_twice_counts_twice(playing: Playing) -> None:
    state = until(playing, "playing", "set-up")
    if state["phase"]["id"] == "set-up":
        playing.say("begin", "begin-0001")
        until(playing, "playing")
    first = playing.say("turn_ended", "turn-00001")
    assert first[0] == 200, first
    assert playing.say("turn_ended", "turn-00001") == first
    until(playing, "unsure")  # nothing has changed on the board: is the turn over?
    playing.say("turn_over", "over-00001")
    state = until(playing, "violation")
    assert state["banner"]["tone"] == "illegal"
    status, refused = playing.say("turn_ended", "turn-00002")
    assert (status, refused["code"]) == (409, "phase")
    assert refused["detail"].startswith("Das geht jetzt nicht")
    events = playing.ask("GET", "/api/events")[1]
    assert [event["number"] for event in events["events"]] == list(range(1, events["last"] + 1))
    rulings = [event["data"]["ruling"] for event in events["events"] if event["kind"] == "ruling"]
    assert rulings == ["unsure", "illegal"]


def test_who_decides_on_what_is_over_is_told(playing: Playing) -> None:
    until(playing, "playing", "set-up")
    status, refused = playing.say("pause", "pause-0001", seen=0)
    assert status == 409
    assert refused["detail"]


def test_a_watcher_changes_nothing(playing: Playing) -> None:
    until(playing, "playing", "set-up")
    before = playing.loop.journal.journal.head
    status, told = playing.ask("POST", "/api/commands/pause", {}, {KEY_HEADER: "pause-0002"})
    assert (status, told["code"]) == (401, "pairing")
    assert playing.loop.journal.journal.head == before
