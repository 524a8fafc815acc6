"""Long games travel as what changed: put together again it is the state, on the page as here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.midgame import GAME, played, started, state_after
from referee.daemon import ViewPublisher
from referee.match.events import GameStarted, LookTaken
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.view import EntryViews, table_view
from tests.match.fakes import StepGame, start
from tests.match.rulings import reading, ruled
from tests.untyped import untyped
from tests.web.browser import needs_browser, open_page
from tests.web.noticeboard import Served
from web.changes import changes
from web.statecache import REMEMBERED, StateCache

values = st.none() | st.integers(-3, 3) | st.text(max_size=3) | st.lists(st.integers(0, 2), max_size=2)
entries = st.dictionaries(st.integers(1, 9), values, max_size=9).map(
    lambda found: [{"entry": number, "value": found[number]} for number in sorted(found)]
)
states = st.builds(
    lambda version, members, record: members | {"version": version} | ({} if record is None else {"history": record}),
    st.integers(1, 99),
    st.dictionaries(st.sampled_from("abcd"), values),
    st.none() | entries,
)


def applied(before: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Apply changes to a state as the page does (web/static/changes.js)."""
    assert told["from"] == before["version"]
    after = {name: value for name, value in before.items() if name not in told["gone"]}
    after |= told["set"] | {"version": told["version"]}
    if record := told.get("history"):
        known = {entry["entry"]: entry for entry in (*before["history"], *record["entries"])}
        after["history"] = [known[n] for n in sorted(known) if record["first"] <= n <= record["last"]]
    return after


@given(states, states)
def test_what_changed_leads_to_the_state(before: dict[str, Any], after: dict[str, Any]) -> None:
    told = json.loads(json.dumps(changes(before, after)))
    assert applied(before, told) == after


@pytest.fixture(scope="module")
def game() -> tuple[TableState, TableState]:
    """Return a table before a turn and after it, in the middle of a game."""
    events = played(61)
    before = state_after(events[:180])
    after = before
    for event in events[180:183]:
        after = step(after, event)
    return before, after


def test_a_turn_of_a_long_game_is_told_in_a_few_kilobytes(game: tuple[TableState, TableState]) -> None:
    made = EntryViews()
    before, after = (table_view(GAME, state, entries=made) | {"version": n} for n, state in enumerate(game))
    told = changes(before, after)
    assert applied(before, told) == after
    assert len(json.dumps(told)) < 12_000 < 70_000 < len(json.dumps(after))
    assert [entry["entry"] for entry in untyped(told)["history"]["entries"]] == [61]


def test_views_of_entries_are_made_once_and_anew_when_they_change(game: tuple[TableState, TableState]) -> None:
    made, (before, after) = EntryViews(), game
    first = made.of(GAME, before, "en")
    assert all(one is other for one, other in zip(first, made.of(GAME, after, "en"), strict=False))
    assert made.of(GAME, after, "en") == EntryViews().of(GAME, after, "en")
    assert made.of(GAME, after, "de") == EntryViews().of(GAME, after, "de")
    assert made.of(GAME, state_after([]), "en") == []
    assert started().kind == "game_started"


@pytest.fixture
def long_game(board: ViewPublisher) -> list[dict[str, Any]]:
    """Publish a game of 301 turns and return its record."""
    before = step(step(begin(GameStarted(start(), "Recorded game")), LookTaken(1)), reading())
    shown = untyped(table_view(StepGame(), step(before, ruled(before, "12r/1y1"))))
    record = [
        shown["history"][0] | {"entry": number, "turn": number, "counts": number < 200} for number in range(1, 302)
    ]
    board.publish(shown | {"history": record})
    return record


def test_the_state_is_as_large_after_300_turns_as_after_100(
    client: FlaskClient, board: ViewPublisher, long_game: list[dict[str, Any]]
) -> None:
    sizes = []
    for turns in (100, 199):
        board.publish(dict(board.snapshot()) | {"history": long_game[:turns]})
        sizes.append(len(client.get("/api/state").data))
        assert client.get("/api/state").json["history"] == long_game[turns - 50 : turns]
    assert abs(sizes[1] - sizes[0]) < 200


def test_a_state_goes_back_to_the_last_turn_that_counts(client: FlaskClient, long_game: list[dict[str, Any]]) -> None:
    """Who undoes much goes on from there."""
    assert client.get("/api/state").json["history"] == long_game[198:]


def test_the_record_is_given_in_parts(client: FlaskClient, long_game: list[dict[str, Any]]) -> None:
    before, found = 302, []
    while part := client.get(f"/api/record?before={before}&limit=200").json["entries"]:
        found = part + found
        before = part[0]["entry"]
    assert found == long_game
    assert client.get("/api/record?before=151").json["entries"] == long_game[100:150]


def told_by(chunks: Any, count: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for chunk in chunks:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if lines.get("event") in ("state", "changed"):
            found.append((lines["event"], json.loads(lines["data"])))
        if len(found) == count:
            break
    return found


def test_a_stream_tells_the_whole_once_and_then_what_changes(client: FlaskClient, board: ViewPublisher) -> None:
    board.publish({"turn": 1, "history": [{"entry": 1, "x": "y" * 20_000}]})
    with client.get("/api/stream?changes=1") as answer:
        stream = answer.iter_encoded()
        ((kind, state),) = told_by(stream, 1)
        assert kind == "state"
        for turn in range(2, 5):
            board.publish({"turn": turn, "history": [*state["history"], {"entry": turn}]})
            ((kind, told),) = told_by(stream, 1)
            assert kind == "changed"
            assert len(json.dumps(told)) < 300
            state = applied(state, told)
            assert state == json.loads(client.get("/api/state").data)
    with client.get("/api/stream?changes=0") as answer:
        stream = answer.iter_encoded()
        board.publish({"turn": 9})
        assert [kind for kind, _ in told_by(stream, 1)] == ["state"]


def test_who_is_far_behind_is_told_the_whole() -> None:
    board = ViewPublisher()
    board.publish({"n": 0})
    states = StateCache(board)
    known = states.newest("en").version
    for number in range(1, REMEMBERED):
        board.publish({"n": number})
        newest = states.newest("en")
        assert json.loads(states.changed("en", known, newest) or b"")["set"] == {"n": number}
    board.publish({"n": -1})
    assert states.changed("en", known, states.newest("en")) is None
    assert states.changed("de", known, states.newest("de")) is None


@needs_browser
def test_the_page_puts_changes_together_as_they_are_meant(game: tuple[TableState, TableState]) -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"version": 1, "a": 1, "b": 2}, {"version": 2, "b": 3, "c": None}),
        (
            {"version": 1, "history": [{"entry": n} for n in (1, 2, 3)]},
            {"version": 2, "history": [{"entry": 3, "x": 1}]},
        ),
        ({"version": 1}, {"version": 2, "history": [{"entry": 1}]}),
        ({"version": 1, "history": [{"entry": 1}]}, {"version": 2, "history": []}),
    ]
    made = EntryViews()
    before, after = (table_view(GAME, state, entries=made) | {"version": n} for n, state in enumerate(game))
    cases.append((json.loads(json.dumps(before)), json.loads(json.dumps(after))))
    board = ViewPublisher()
    board.publish({})
    served = Served(board)
    with served.parts, open_page() as page:
        page.goto(f"{served.url}static/changes.js")
        for old, new in cases:
            told = json.loads(json.dumps(changes(old, new)))
            script = "async ([old, told]) => (await import('/static/changes.js')).applied(old, told)"
            assert page.evaluate(script, [old, told]) == new
            assert page.evaluate(script, [old | {"version": 77}, told]) is None
        board.close()
