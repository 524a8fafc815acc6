"""States, events, streams and pictures."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from referee.service.eventlog import KEPT, JournalFeed
from referee.storage.journal import Journal
from tests.auth.doors import PICTURE
from tests.auth.house import House
from tests.untyped import untyped


def parsed(chunks: Iterator[bytes]) -> Iterator[tuple[str, str, Any]]:
    """Yield the events of a stream: id, kind, data."""
    said = ""
    for chunk in chunks:
        lines = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        said = lines.get("id", said)
        if "event" in lines:
            yield said, lines["event"], json.loads(lines["data"])


class Listener:
    """Listens to a stream, as a browser does; leaves when told to."""

    def __init__(self, house: House, said: str = "", client: Any = None) -> None:
        headers = {"Last-Event-ID": said} if said else {}
        self.answer = (client or house.app.test_client()).get("/api/stream", headers=headers)
        assert self.answer.status_code == 200
        self.events = parsed(self.answer.iter_encoded())
        self.id = said
        self.numbers: list[int] = []

    def until_state(self) -> Any:
        """Take in everything up to the next state and return it."""
        for said, kind, data in self.events:
            self.id = said
            if kind == "happened":
                self.numbers.append(data["number"])
            elif kind == "state":
                return data
        raise AssertionError("the stream ended")

    def leave(self) -> None:
        self.answer.close()


def happen(house: House, count: int = 1) -> None:
    for _ in range(count):
        house.journal.append("note", {"für": "Blau"})
    house.board.publish({"last": house.journal.last})


def test_a_listener_that_was_cut_off_misses_nothing(house: House) -> None:
    happen(house, 3)
    first = Listener(house)
    assert first.until_state()["last"] == 3
    assert first.numbers == [], "what was before is not news"
    happen(house, 2)
    first.until_state()
    assert first.numbers == [4, 5]
    first.leave()
    happen(house, 450)  # more than one batch
    back = Listener(house, first.id)
    assert back.until_state()["last"] == 455
    assert back.numbers == list(range(6, 456))
    back.leave()


def test_an_id_can_be_given_in_the_address(house: House) -> None:
    happen(house, 2)
    first = Listener(house)
    first.until_state()
    game = first.id.split("-")[0]
    first.leave()
    with house.app.test_client().get(f"/api/stream?since={game}-1") as answer:
        kinds = [
            (kind, data.get("number"))
            for _, kind, data in (next(events) for events in [parsed(answer.iter_encoded())] * 2)
        ]
    assert kinds == [("happened", 2), ("state", None)]


@pytest.mark.parametrize("said", ["0000-1", "nonsense", "a-b-c", "-", "x" * 500, "00-99999999999999"])
def test_ids_that_are_not_of_this_game_harm_nothing(house: House, said: str) -> None:
    happen(house, 3)
    listener = Listener(house, said)
    listener.until_state()
    assert listener.numbers in ([], [1, 2, 3])
    listener.leave()


def test_a_number_ahead_of_the_journal_hears_everything(house: House) -> None:
    """A journal that was restored from an older copy must not swallow what happens next."""
    happen(house, 2)
    feed: JournalFeed = untyped(house.services.log)
    listener = Listener(house, f"{feed.game}-50")
    listener.until_state()
    assert listener.numbers == [1, 2]
    listener.leave()


def test_a_new_game_is_heard_from_its_beginning(house: House) -> None:
    happen(house, 5)
    listener = Listener(house)
    listener.until_state()
    old = listener.id
    with Journal(house.folder / "next.journal") as journal:
        house.journal.close()
        house.journal = journal
        happen(house, 2)
        listener.until_state()
        assert listener.numbers == [1, 2]
        assert listener.id != old
        late = Listener(house, old)
        late.until_state()
        assert late.numbers == [1, 2]
        late.leave()
        listener.leave()


def test_events_that_come_while_many_listen_reach_everybody_once(house: House) -> None:
    house.app.config["MAX_STREAMS"] = 8
    happen(house)
    listeners = [Listener(house) for _ in range(8)]
    for listener in listeners:
        listener.until_state()

    def listen(listener: Listener) -> None:
        while listener.until_state()["last"] < 61:
            pass

    threads = [threading.Thread(target=listen, args=[listener]) for listener in listeners]
    for thread in threads:
        thread.start()
    for _ in range(20):
        happen(house, 3)
    for thread in threads:
        thread.join(20)
    assert all(listener.numbers == list(range(2, 62)) for listener in listeners)
    for listener in listeners:
        listener.leave()


def test_the_feed_reads_older_events_from_the_file(house: House) -> None:
    happen(house, KEPT + 50)
    feed: JournalFeed = untyped(house.services.log)
    assert [event.number for event in feed.after(10, 3)] == [11, 12, 13]
    assert [event.number for event in feed.after(KEPT + 48, 9)] == [KEPT + 49, KEPT + 50]
    assert list(feed.after(KEPT + 50, 9)) == []


def test_events_are_paged(house: House) -> None:
    happen(house, 5)
    client = house.app.test_client()
    told = client.get("/api/events?after=1&limit=2").json
    assert (told["last"], [event["number"] for event in told["events"]]) == (5, [2, 3])
    assert told["events"][0]["data"] == {"für": "Blau"}
    for wrong in ("after=-1", "after=x", "limit=0", "limit=501", "surplus=1", "after=99999999999999999999"):
        assert client.get(f"/api/events?{wrong}").status_code == 400
    assert client.get("/api/events?after=99").json["events"] == []


def test_when_streams_run_out_players_still_have_theirs(house: House) -> None:
    from web.streams import StreamSlots

    house.swap(streams=StreamSlots(3, reserved=1))
    watchers = [Listener(house) for _ in range(2)]
    refused = house.app.test_client().get("/api/stream?lang=fr")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "30")
    assert refused.json["poll_ms"] == 1000
    assert "celle-ci" in refused.json["detail"]
    player = Listener(house, client=house.pair().client)
    player.until_state()
    for listener in (*watchers, player):
        listener.leave()


def test_a_forgotten_device_hears_nothing_more_of_a_closed_table(closed: House) -> None:
    tablet = closed.pair()
    listener = Listener(closed, client=tablet.client)
    listener.until_state()
    closed.auth.devices.forget(tablet.id)
    happen(closed)
    assert [kind for _, kind, _ in listener.events if kind == "state"] == []
    listener.leave()


def test_pictures_come_by_their_content_alone(house: House) -> None:
    client = house.app.test_client()
    answer = client.get(f"/api/pictures/{house.content}")
    assert (answer.data, answer.mimetype) == (PICTURE, "image/jpeg")
    assert "immutable" in answer.headers["Cache-Control"]
    etag = answer.headers["ETag"]
    assert client.get(f"/api/pictures/{house.content}", headers={"If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize(
    "trick",
    [
        "../game.journal",
        "..%2fgame.journal",
        "..%5cgame.journal",
        "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "....//....//etc/passwd",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "file:%2f%2f%2fetc%2fpasswd",
        "game.journal",
        "devices.db",
        "checkpoint.key",
        ".",
        "..",
        "%00",
        "a" * 64,
        "A" * 64,
        "{content}%00.jpg",
        "{content}.jpg",
        "{content}/../x",
        "{upper}",
        "{content}%0a",
        "x" * 5000,
    ],
)
def test_tricks_with_paths_find_nothing(house: House, trick: str) -> None:
    name = trick.format(content=house.content, upper=house.content.upper())
    with house.app.test_client().get(f"/api/pictures/{name}") as answer:
        assert answer.status_code == 404
        assert "SQLite" not in answer.text
        assert "root:" not in answer.text
        assert str(house.folder) not in answer.text
    with house.app.test_client().get(f"/static/{name}") as answer:
        assert answer.status_code == 404


def test_what_lies_among_the_pictures_but_is_none_is_not_given_away(house: House) -> None:
    import hashlib

    for kind, data in ((".bin", b"<script>alert(1)</script>"), (".jpg", b"<svg onload=alert(1)>")):
        content = hashlib.sha256(data).hexdigest()
        (house.pictures.folder / (content + kind)).write_bytes(data)
        assert house.app.test_client().get(f"/api/pictures/{content}").status_code == 404
    path = house.pictures.folder / f"{house.content}.jpg"
    path.write_bytes(PICTURE + b"changed")
    assert house.app.test_client().get(f"/api/pictures/{house.content}").status_code == 404


def test_words_are_in_the_language_asked_for(house: House) -> None:
    client = house.app.test_client()
    assert client.get("/api/state?lang=fr").headers["Content-Language"] == "fr"
    assert client.get("/api/state?lang=xx").headers["Content-Language"] == "en"
    answer = client.get("/api/nothing", headers={"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"})
    assert answer.json["detail"] == "Unter dieser Adresse gibt es nichts."


def test_failures_say_no_more_than_they_must(house: House, caplog: pytest.LogCaptureFixture) -> None:
    untyped(house.services.checkpoint).text = lambda: 1 / 0
    answer = house.app.test_client().get("/api/checkpoint")
    assert (answer.status_code, answer.json["code"]) == (500, "failure")
    assert "ZeroDivision" not in answer.text
    assert "ZeroDivisionError" in caplog.text
