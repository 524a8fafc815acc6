"""Uses a phone as a camera: who may send pictures, what, how fast.

A real browser's camera shows a film of ours, all the way into the frames the referee reads.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from referee.daemon.phonecameras import LivePhones
from referee.service.server import PageServer, bind
from tests.auth.house import House
from tests.untyped import untyped
from tests.vision.sources.patience import eventually
from tests.web.browser import launched, needs_browser
from vision.sources.address import parse_source
from vision.sources.camera import Camera
from web.api.phones import MOST_JPEG

PAIR = """async (secret) => (await import("/static/session.js")).pairByLink(secret, "Phone")"""
JPEG = b"\xff\xd8 a picture \xff\xd9"


def send(
    house: House, camera: str = "cam0", age: str = "120", media: str = "image/jpeg", content: bytes = JPEG
) -> int:
    device = house.pair()
    answer = device.client.post(
        f"/api/phones/{camera}/frames?age_ms={age}", data=content, content_type=media, headers=device.headers()
    )
    return answer.status_code


def test_a_paired_phone_sends_pictures(house: House) -> None:
    assert send(house) == 204
    assert house.phones.taken == [(JPEG, 0.12)]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"camera": "cam1"}, 404),
        ({"media": "text/plain"}, 415),
        ({"media": "application/json"}, 415),
        ({"content": bytes(MOST_JPEG + 1)}, 413),
        ({"age": "-1"}, 400),
        ({"age": "99999"}, 400),
        ({"age": "soon"}, 400),
    ],
)
def test_what_is_no_picture_for_a_phone_camera_is_refused(house: House, sent: dict[str, str], status: int) -> None:
    assert send(house, **untyped(sent)) == status
    assert house.phones.taken == []


def test_a_picture_that_comes_too_fast_is_left_out(house: House) -> None:
    assert [send(house) for _ in range(3)] == [204, 204, 503]


def test_whoever_watches_hears_which_cameras_are_phones(house: House) -> None:
    answer = house.app.test_client().get("/api/phones")
    assert answer.json == {
        "phones": [
            {
                "camera": "cam0",
                "phone": "left",
                "held": False,
                "sending": False,
                "size": [64, 48],
                "lens": "",
                "bare": False,
            }
        ]
    }


def film(path: Path) -> np.ndarray:
    """Film one picture, each quarter of another colour, for Chromium to take for a camera; return the picture."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:240, :320], picture[:240, 320:], picture[240:, :320] = (200, 40, 40), (40, 200, 40), (40, 40, 200)
    done, content = cv2.imencode(".jpg", picture)
    assert done
    path.write_bytes(content.tobytes() * 30)
    return picture


@needs_browser
@pytest.mark.browser
@pytest.mark.process
def test_what_a_browsers_camera_sees_reaches_the_referee(house: House, tmp_path: Path) -> None:
    """Paired, chosen, sending; hidden and reloaded it is silent and comes back."""
    picture = film(tmp_path / "film.mjpeg")
    arguments = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={tmp_path / 'film.mjpeg'}",
    ]
    with ExitStack() as parts:
        eye = parts.enter_context(Camera("cam0", parse_source("phone:left")))
        house.swap(phones=LivePhones({"cam0": eye}, lambda camera: (640, 480)))
        sock = parts.enter_context(bind("127.0.0.1", 0))
        parts.enter_context(PageServer(house.app, sock))
        url = f"http://127.0.0.1:{sock.getsockname()[1]}/"
        browser = parts.enter_context(launched(*arguments))
        page = browser.new_page(viewport={"width": 800, "height": 380})
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{url}camera")
        expect(page.locator("#status")).to_contain_text("Pair this phone")
        page.evaluate(PAIR, house.auth.desk.new_code().secret)
        page.reload()
        page.get_by_role("button", name="cam0: left").click()
        expect(page.locator("#vitals")).to_contain_text("pictures a second")
        eventually(lambda: eye.newest() is not None)
        newest = eye.newest()
        assert newest is not None
        seen = newest.load()
        assert seen is not None
        assert seen.shape == picture.shape
        for y, x in ((120, 160), (120, 480), (360, 160), (360, 480)):
            assert np.abs(seen[y, x].astype(int) - picture[y, x].astype(int)).max() < 40

        page.reload()  # a phone that was locked, or its browser ended: it goes on by itself
        eventually(lambda: not eye.state.seeing)
        eventually(lambda: eye.state.seeing)
        assert not troubles
