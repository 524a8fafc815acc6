"""A table at a real broker: what is told, and that no event is lost or out of order however the line breaks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.addons.hall.homeassistant import picture_topic
from referee.addons.hall.messages import MESSAGES, Availability, HallHealth, HallRuling, HallState, parsed
from referee.addons.hall.signing import id_of, message_is_signed, public_of
from referee.addons.hall.spoken import spoken
from referee.addons.hall.topics import RETAINED, Leaf, parse_topic
from referee.match.phases import Phase
from tests.addons.hall.broker import Listener, Mosquitto, signature_of, until
from tests.addons.hall.table import SECRET, numbers, published
from tests.match.looking import At
from tests.ports import free_port
from tests.untyped import untyped


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path, free_port()) as started:
        yield started


def heard(listener: Listener) -> list[tuple[int, str]]:
    """Return number and hash of the events as a reader takes them: the next in order, never one twice."""
    found: list[tuple[int, str]] = []
    for line in listener.events:
        if line.number == len(found) + 1:
            found.append((line.number, line.hash))
        elif line.number <= len(found):
            assert found[line.number - 1] == (line.number, line.hash), "an event that came twice is the same"
    return found


def test_everything_is_told_signed_and_kept(broker: Mosquitto, tmp_path: Path) -> None:
    at = At(tmp_path / "1.journal")
    with Listener(broker.port) as listener, published(at, broker.address, tmp_path):
        at.shows("11r/1y1", 3)
        at.ends("12r/1y1")
        at.shows("12r/1y1", 3)
        assert at.phase is Phase.PLAYING
        until(lambda: len(heard(listener)) == at.journal.last, "every event comes")
        until(lambda: b'"turn":2' in listener.newest(Leaf.STATE), "the state after the turn comes")
        assert heard(listener) == numbers(at.journal)
        for message in list(listener.came):
            topic = parse_topic(message.topic)
            assert topic is not None
            payload = bytes(message.payload)
            assert message_is_signed(public_of(SECRET), message.topic, payload, signature_of(message))
            parsed(MESSAGES[topic.leaf], payload)
        for line in listener.events:
            assert hashlib.sha256((line.previous + line.body).encode()).hexdigest() == line.hash
        state = parsed(HallState, listener.newest(Leaf.STATE))
        assert state.head == at.journal.head
        assert state.banner.headline.text("de") != state.banner.headline.en
        view = at.board.snapshot("fr")
        told = spoken(json.loads(listener.newest(Leaf.STATE))["view"], "fr")
        assert isinstance(told, dict)
        assert told == json.loads(json.dumps({key: view[key] for key in told}))
        until(lambda: b'"legal"' in listener.newest(Leaf.RULING), "the ruling comes")
        assert parsed(HallRuling, listener.newest(Leaf.RULING)).event == at.journal.last
        until(lambda: listener.payloads(Leaf.HEALTH), "how it does comes")
        assert parsed(HallHealth, listener.newest(Leaf.HEALTH)).disk_free_bytes == 0
        with Listener(broker.port) as late:
            until(lambda: len(late.came) >= len(RETAINED), "states are kept for who comes late")
            leaves = {topic.leaf for message in late.came if (topic := parse_topic(message.topic))}
            assert leaves == RETAINED
    until(lambda: parsed(Availability, listener.newest(Leaf.AVAILABILITY)).state == "offline", "the end is told")


def test_the_board_is_shown_once_a_ruling_and_to_nobody_afterwards(broker: Mosquitto, tmp_path: Path) -> None:
    at, made = At(tmp_path / "1.journal"), iter(range(100))
    topic = picture_topic(id_of(public_of(SECRET)))
    with Listener(broker.port, topic=topic) as listener:
        with published(at, broker.address, tmp_path, picture=lambda: f"board {next(made)}".encode()):
            until(lambda: len(listener.came) == 1, "the set-up comes")
            at.shows("11r/1y1", 3)
            at.ends("12r/1y1")
            at.shows("12r/1y1", 3)
            until(lambda: len(listener.came) == 2, "the turn comes")
            with Listener(broker.port, topic=topic) as late:
                until(lambda: len(late.came) == 1, "who comes late sees the board")
        until(lambda: len(listener.came) == 3, "it is taken away")
    assert [bytes(message.payload) for message in listener.came] == [b"board 0", b"board 1", b""]


def test_a_killed_broker_loses_and_reorders_nothing(broker: Mosquitto, tmp_path: Path) -> None:
    at = At(tmp_path / "1.journal")
    with Listener(broker.port) as listener, published(at, broker.address, tmp_path) as table:
        at.shows("11r/1y1", 3)
        until(lambda: len(heard(listener)) == at.journal.last, "the set-up comes")
        for _ in range(3):
            broker.kill()
            at.tell("pause")
            at.tell("resume")
            broker.start()
            for _ in range(10):
                at.tell("pause")
                at.tell("resume")
            until(lambda: listener.there, "the listener is back")
            until(lambda: listener.events[-1].number == at.journal.last, "what was written meanwhile comes")
            if len(heard(listener)) < at.journal.last:  # the broker had it and was killed, or the listener was late
                table.again(listener.events[0].game, len(heard(listener)))
            until(lambda: heard(listener) == numbers(at.journal), "what was missed comes when it is asked for")


def test_a_table_that_begins_again_goes_on_where_the_broker_was(broker: Mosquitto, tmp_path: Path) -> None:
    at = At(tmp_path / "1.journal")
    with Listener(broker.port) as listener:
        with published(at, broker.address, tmp_path):
            at.shows("11r/1y1", 3)
            until(lambda: len(listener.events) == at.journal.last, "the set-up comes")
        before = at.journal.last
        at.tell("pause")
        at.tell("resume")
        with published(at, broker.address, tmp_path):
            until(lambda: listener.events[-1].number == at.journal.last, "the rest comes")
        assert [line.number for line in listener.events] == list(range(1, at.journal.last + 1)), "nothing twice"
        assert before < at.journal.last


def test_what_was_not_delivered_of_an_older_game_comes_first(broker: Mosquitto, tmp_path: Path) -> None:
    first = At(tmp_path / "1.journal")
    first.shows("11r/1y1", 3)
    broker.kill()
    with published(first, broker.address, tmp_path):
        until(lambda: (tmp_path / "hall" / "delivered.json").exists(), "the game is noted")
    first.loop.close()
    broker.start()
    second = At(tmp_path / "2.journal")
    with Listener(broker.port) as listener, published(second, broker.address, tmp_path):
        until(lambda: len(listener.events) == first.journal.last + second.journal.last, "both games come")
        games = [line.game for line in listener.events]
        assert games == [games[0]] * first.journal.last + [games[-1]] * second.journal.last
        assert games[0] != games[-1]


def test_a_correction_says_what_it_replaces(broker: Mosquitto, tmp_path: Path) -> None:
    at = At(tmp_path / "1.journal")
    with Listener(broker.port) as listener, published(at, broker.address, tmp_path):
        at.shows("11r/1y1", 3)
        at.ends("12r/1y1")
        ruled = at.journal.last
        assert at.tell("undo", entry=1)
        undone = at.journal.last
        until(lambda: len(heard(listener)) == undone, "every event comes")
    assert [line.number for line in listener.events if line.kind == "ruling"] == [ruled]
    assert {line.number: line.replaces for line in listener.events if line.replaces} == {undone: ruled}


def test_a_table_that_dies_is_told_to_be_offline(broker: Mosquitto, tmp_path: Path) -> None:
    at = At(tmp_path / "1.journal")
    with Listener(broker.port) as listener, published(at, broker.address, tmp_path) as table:
        until(lambda: b"online" in listener.newest(Leaf.AVAILABILITY), "the table is there")
        assert table._line is not None
        sock = untyped(table._line._client.socket())
        sock.shutdown(2)
        until(lambda: len(listener.payloads(Leaf.AVAILABILITY)) >= 3, "the table is back")
        states = [parsed(Availability, payload).state for payload in listener.payloads(Leaf.AVAILABILITY)]
        assert states[-3:] == ["online", "offline", "online"]
    assert table.id == id_of(public_of(SECRET))


def test_a_copied_data_folder_is_told(broker: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    at, copy = At(tmp_path / "1.journal"), At(tmp_path / "2.journal")
    with Listener(broker.port) as listener, published(at, broker.address, tmp_path):
        until(lambda: listener.events, "the table is there")
        with published(copy, broker.address, tmp_path / "copy"):
            until(lambda: "another table has this one's key" in caplog.text, "both have one id")
