"""The schema of a hall: topics, messages that are refused, and views in every language at once."""

from __future__ import annotations

import pytest

from referee.addons.hall.messages import (
    MOST_BYTES,
    Availability,
    EventLine,
    HallError,
    HallModel,
    HallState,
    parsed,
    payload_of,
)
from referee.addons.hall.spoken import joined, said, spoken
from referee.addons.hall.topics import HallTopic, Leaf, parse_topic
from referee.values.words import LANGUAGES, say
from tests.addons.hall.desk.tables import Voice

TABLE = "0123456789abcdef"


def test_topics_are_read_as_they_are_written() -> None:
    for leaf in Leaf:
        topic = HallTopic(TABLE, leaf)
        assert parse_topic(str(topic)) == topic
    assert str(HallTopic(TABLE, Leaf.STATE)) == "referee/v1/0123456789abcdef/state"


@pytest.mark.parametrize(
    "text",
    [
        "referee/v1/0123456789abcdef/answer/fedcba9876543210",  # each topic more could be kept by the broker
        "referee/v1/0123456789ABCDEF/state",
        "referee/v1/+/state",
        "referee/v2/0123456789abcdef/state",
        "referee/v1/0123456789abcdef/state\n",
        "referee/v1/0123456789abcdef/orders",
    ],
)
def test_other_topics_are_none(text: str) -> None:
    assert parse_topic(text) is None


def test_a_message_survives_its_bytes_and_keys_of_later_versions() -> None:
    message = Availability(sent=1, state="online")
    assert parsed(Availability, payload_of(message)) == message
    assert parsed(Availability, b'{"sent": 1, "state": "online", "later": [1]}') == message


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"sent": "1", "state": "online"}',
        b'{"sent": 1, "state": "asleep"}',
        b'{"sent": -1, "state": "online"}',
        b'{"sent": 1e400, "state": "online"}',
        b"[" * 100_000,
        b" " * (MOST_BYTES + 1),
    ],
)
def test_rubbish_is_no_message(payload: bytes) -> None:
    with pytest.raises(HallError):
        parsed(Availability, payload)


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_a_view_has_no_number_that_a_browser_can_not_read(number: str) -> None:
    _, payload, _ = Voice(1).stands(1, view={"board": {"heights": [[1.5]]}})
    assert parsed(HallState, payload).view["board"] == {"heights": [[1.5]]}
    with pytest.raises(HallError):
        parsed(HallState, payload.replace(b"[[1.5]]", f"[[{number}]]".encode()))


def test_events_are_bounded() -> None:
    line = EventLine(
        sent=1, game=TABLE, number=1, kind="look", at="2026-01-01", previous="0" * 64, hash="1" * 64, body="{}"
    )
    assert parsed(EventLine, payload_of(line)) == line
    with pytest.raises(HallError):
        parsed(EventLine, payload_of(line).replace(b'"number":1', b'"number":0'))


def test_a_view_in_every_language_gives_each_back() -> None:
    words = say("Please check the set-up")
    views = {
        name: {
            "words": words.text(name),
            "same": [1, {"a": None}],
            "lists": list(range(len(name + words.text(name)))),
        }
        for name in LANGUAGES
    }
    view = joined(views)  # type: ignore[arg-type]
    assert isinstance(view, dict)
    assert view["words"] == said(words)
    assert view["same"] == [1, {"a": None}]
    assert {name: spoken(view, name) for name in LANGUAGES} == views


def test_every_model_is_frozen() -> None:
    def kinds(of: type[HallModel]) -> set[type[HallModel]]:
        return {of}.union(*(kinds(one) for one in of.__subclasses__()))

    assert all(one.model_config.get("frozen") and one.model_config.get("strict") for one in kinds(HallModel))
