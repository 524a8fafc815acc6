"""Messages arrive where the settings say, in the table's language, whatever the network does; and nowhere else."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from email.header import decode_header, make_header
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from referee.addons.messages import table as joining
from referee.addons.messages.sending import Recipient, ntfy, webhook
from referee.addons.messages.settings import MessageSettings
from referee.addons.messages.telling import TableMessage, TableMoment, told
from referee.service.settings import load_settings
from tests.auth.playing import Playing, until
from tests.vision.sources.patience import eventually

TURN = TableMessage("turn", "Steps", "Red is to play: turn 1.")
JPEG = b"\xff\xd8\xffa picture"


ATTACHED = ("Title", "Message", "Click", "Filename", "Tags", "Priority")


class Caught(ThreadingHTTPServer):
    """An HTTP server that keeps what it is sent. answers: statuses to give, 200 once they are used up."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[tuple[str, Any]] = []
        self.answers: list[int] = []
        self.opened = threading.Event()
        self.opened.set()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def texts(self) -> list[str]:
        return [body.get("text") or body.get("message") for _, body in self.got]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Caught)
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Type"] == "image/jpeg":  # as ntfy takes attachments
            body = {name.lower(): str(make_header(decode_header(self.headers[name]))) for name in ATTACHED}
            body["attachment"] = sent
        else:
            body = json.loads(sent)
        server.opened.wait()
        status = server.answers.pop(0) if server.answers else 200
        if status == 200:
            server.got.append((self.path, body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def caught() -> Iterator[Caught]:
    with Caught() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.opened.set()
        server.shutdown()
        thread.join()


def joined(folder: Path, parts: ExitStack, **chosen: str) -> Playing:
    """Referee a table whose settings have these messages, in German."""
    playing = Playing(folder, parts)
    rows = [f"{key} = {value}" if key == "pictures" else f'{key} = "{value}"' for key, value in chosen.items()]
    file = folder / "referee.toml"
    file.write_text("\n".join(['language = "de"', *(["[messages]", *rows] if rows else [])]), encoding="utf-8")
    added = playing.hosting.added
    assert added is not None
    own = replace(added, settings=load_settings(file, {}).settings, once_served=[], notices=[])
    joining.join(own)
    for begin in own.once_served:
        begin()
    return playing


def broken(playing: Playing) -> Any:
    """Play a turn that breaks a rule."""
    playing.say("begin", "begin-0001")
    until(playing, "playing")
    playing.say("turn_ended", "ended-0001")
    until(playing, "unsure")  # nothing has changed on the board: is the turn over?
    playing.say("turn_over", "over-00001")
    return until(playing, "violation")


def test_a_turn_a_breach_a_dispute_and_the_end_are_told_in_the_tables_language(
    tmp_path: Path, caught: Caught
) -> None:
    with ExitStack() as parts:
        playing = joined(tmp_path, parts, webhook=f"{caught.address}/hook", ntfy=f"{caught.address}/club_7")
        entry = broken(playing)["violation"]["entry"]
        playing.say("dispute", "argue-0001", entry=entry, words="Das war anders.")
        playing.say("end_game", "agree-0001", how="draw", winners=[])
        until(playing, "finished")
        eventually(lambda: len(caught.got) >= 8)
    hooks = [body for path, body in caught.got if path == "/hook"]
    assert [one["about"] for one in hooks] == ["turn", "breach", "dispute", "end"]
    assert hooks[0]["text"] == "Rot ist am Zug: Zug 1."
    assert hooks[1]["text"].startswith("Rot hat eine Regel verletzt: ")
    assert hooks[2]["text"] == "Ein Einspruch wurde erhoben. Das war anders."
    assert {one["title"] for one in hooks} == {"Steps"}
    phones = [body for path, body in caught.got if path == "/"]
    assert [one["message"] for one in phones] == [one["text"] for one in hooks]
    assert {one["topic"] for one in phones} == {"club_7"}


def test_a_game_goes_on_while_nobody_takes_its_messages(tmp_path: Path, caught: Caught) -> None:
    caught.opened.clear()
    with ExitStack() as parts:
        playing = joined(tmp_path, parts, webhook=caught.address)
        broken(playing)
        assert caught.got == []
        caught.opened.set()
        eventually(lambda: len(caught.got) >= 2)
    assert [body["about"] for _, body in caught.got] == ["turn", "breach"]


def test_only_what_is_asked_for_is_told(tmp_path: Path, caught: Caught) -> None:
    with ExitStack() as parts:
        playing = joined(tmp_path, parts, webhook=caught.address, about="breach end")
        broken(playing)
        eventually(lambda: caught.got)
    assert [body["about"] for _, body in caught.got] == ["breach"]


def test_the_picture_of_the_board_goes_along_where_that_is_allowed(
    tmp_path: Path, caught: Caught, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "newest_picture", lambda record, picture: JPEG)
    addresses = {"webhook": f"{caught.address}/hook", "ntfy": f"{caught.address}/club_7"}
    for pictures in ("true", "false"):
        (tmp_path / pictures).mkdir()
        with ExitStack() as parts:
            broken(joined(tmp_path / pictures, parts, **addresses, pictures=pictures))
            eventually(lambda: len(caught.got) >= 4)
        got, caught.got = caught.got, []
        hooks = [body for path, body in got if path == "/hook"]
        phones = [body for path, body in got if path != "/hook"]
        assert [one["about"] for one in hooks] == ["turn", "breach"]
        assert [one["message"] for one in phones] == [one["text"] for one in hooks]
        if pictures == "true":
            assert [path for path, _ in got if path != "/hook"] == ["/club_7"] * 2
            assert (
                {one["attachment"] for one in phones} == {base64.b64decode(one["picture"]) for one in hooks} == {JPEG}
            )
            assert [(one["filename"], one["tags"], one["priority"]) for one in phones] == [
                ("board.jpg", "game_die", "3"),
                ("board.jpg", "no_entry", "4"),
            ]
        else:
            assert not any("picture" in one or "attachment" in one for one in hooks + phones)


def test_the_title_of_an_ntfy_message_names_the_table(caught: Caught) -> None:
    for picture in (b"", JPEG):
        place = Recipient(caught.address, ntfy(f"{caught.address}/club_7", "Küche", ""), ())
        place.start()
        place.put(replace(TURN, picture=picture))
        eventually(lambda: caught.got)
        place.close()
        assert caught.got.pop()[1]["title"] == "Küche: Steps"


@pytest.mark.parametrize("status", [400, 413])
def test_a_place_that_takes_no_pictures_gets_the_text(caught: Caught, status: int) -> None:
    for path, make in (
        ("/club_7", ntfy(f"{caught.address}/club_7", "", "http://table/")),
        ("/hook", webhook(f"{caught.address}/hook", "", "")),
    ):
        caught.answers = [status]
        place = Recipient(caught.address, make, ())
        place.start()
        place.put(replace(TURN, text="Zoë → é", picture=JPEG))
        eventually(lambda: caught.got)
        assert place.trouble is None
        place.close()
        assert "attachment" not in caught.got[0][1]
        assert "picture" not in caught.got[0][1]
        assert caught.texts == ["Zoë → é"], path
        caught.got = []


def test_without_an_address_nothing_begins(tmp_path: Path) -> None:
    with ExitStack() as parts:
        playing = Playing(tmp_path, parts)
        running = threading.active_count()
        added = playing.hosting.added
        assert added is not None
        own = replace(added, once_served=[], notices=[])
        joining.join(own)
        assert (own.once_served, own.notices, threading.active_count()) == ([], [], running)


def test_what_does_not_arrive_is_sent_again_and_what_is_refused_is_not(caught: Caught) -> None:
    caught.answers = [503, 429, 200, 403]
    place = Recipient(caught.address, webhook(caught.address, "club", "http://table:8080/"), (0.0, 0.0))
    place.start()
    place.put(TURN)
    eventually(lambda: caught.got)
    eventually(lambda: place.trouble is None)  # once the answer has come
    place.put(replace(TURN, text="refused"))
    eventually(lambda: place.trouble is not None)
    assert str(place.trouble) == "Messages don’t reach 127.0.0.1."
    place.put(replace(TURN, text="taken"))
    eventually(lambda: len(caught.got) == 2)
    place.close()
    assert caught.texts == [TURN.text, "taken"]
    assert (caught.got[0][1]["table"], caught.got[0][1]["page"]) == ("club", "http://table:8080/")


def test_a_place_that_is_never_there_is_told_of_and_holds_up_nobody() -> None:
    place = Recipient("http://127.0.0.1:9/x", ntfy("http://127.0.0.1:9/x", "", ""), (0.0,))
    place.start()
    for _ in range(200):
        place.put(TURN)
    eventually(lambda: place.trouble is not None)
    place.close()


def view(**changed: Any) -> dict[str, Any]:
    cameras = [{"name": "left", "ok": True, "words": "left sees the table.", "held": False}]
    return {
        **{
            "title": "Steps",
            "phase": {"id": "playing"},
            "turn": 3,
            "to_move": "red",
            "violation": None,
            "asked": None,
        },
        **{"doubt": None, "disputes": [], "result": None, "cameras": cameras, "players": {"red": {"name": "Red"}}},
        **changed,
    }


def test_a_camera_that_is_lost_is_told_once_and_one_in_the_hand_never() -> None:
    lost = [{"name": "left", "ok": False, "words": "left sends no pictures any more.", "held": False}]
    held = [{"name": "phone", "ok": False, "words": "Nobody shows anything.", "held": True}]
    turn = (3, "red")
    first = list(told(TableMoment.of(view()), turn, view(cameras=lost), "en"))
    assert first == [TableMessage("camera", "Steps", "left sends no pictures any more.")]
    assert not list(told(TableMoment.of(view(cameras=lost)), turn, view(cameras=lost), "en"))
    assert not list(told(TableMoment.of(view()), turn, view(cameras=held), "en"))


def test_a_turn_that_goes_on_is_not_told_again_and_a_question_accuses_nobody() -> None:
    assert not list(told(TableMoment.of(view(phase={"id": "reading"})), (3, "red"), view(), "en"))
    rules = [{"words": "No."}]
    breach = view(phase={"id": "violation"}, violation={"entry": 4, "player": "red", "rules": rules})
    assert [one.text for one in told(TableMoment.of(view()), (3, "red"), breach, "en")] == ["Red broke a rule: No."]
    asked = breach | {"asked": {"words": "Was it a second turn?"}}
    assert not list(told(TableMoment.of(view()), (3, "red"), asked, "en"))
    assert [one.about for one in told(TableMoment.of(asked), (3, "red"), breach, "en")] == ["breach"]


@pytest.mark.parametrize(
    "chosen",
    [
        {"webhook": "ftp://host/x"},
        {"webhook": "https://me:secret@host/x"},
        {"ntfy": "https://ntfy.sh"},
        {"about": "all"},
    ],
)
def test_settings_that_lead_nowhere_are_refused(chosen: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        MessageSettings.model_validate(chosen)
