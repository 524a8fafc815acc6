"""Cameras that fail for real: processes killed and stopped, a server that stalls, lies, changes and goes away."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.sources.patience import HASTY, LONGEST_S, eventually
from tests.vision.sources.webcam import picture, webcam
from vision.sources.address import parse_source
from vision.sources.camera import Camera
from vision.sources.state import SourceHealth, SourceState
from vision.sources.words import camera_words

NO_RESTART = replace(HASTY, answer_s=LONGEST_S)
"""Patience with a silent reader for as long as a test waits: no restart saves one that hangs."""


def live(camera: Camera) -> None:
    eventually(lambda: camera.state.health is SourceHealth.LIVE)


class Watched:
    """A camera that remembers every state it was in."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.states: list[SourceState] = []

    def until(self, health: SourceHealth) -> SourceState:
        eventually(lambda: self.look().health is health)
        return self.states[-1]

    def look(self) -> SourceState:
        self.states.append(self.camera.state)
        return self.states[-1]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSEGV])
def test_a_killed_child_is_started_anew(end: int) -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
        live(camera)
        first, number = camera.pid, camera.since(0)[-1].number
        assert first is not None
        os.kill(first, end)
        state = Watched(camera).until(SourceHealth.CRASHED)
        assert "come to a stop" in str(camera_words(state))
        assert camera.newest() is None
        live(camera)
        assert camera.pid not in (first, None)
        assert camera.state.restarts >= 1
        newest = camera.newest()
        assert newest is not None
        assert newest.number > number


def test_a_frozen_child_is_ended() -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
        live(camera)
        first = camera.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        Watched(camera).until(SourceHealth.STUCK)
        live(camera)
        assert not Path(f"/proc/{first}").exists()


def test_a_late_camera_is_no_fresh_one() -> None:
    """What such a camera shows just after the button was pressed was taken before."""
    with webcam() as server, Camera("cam0", parse_source(server.url() + "#delay=9"), patience=HASTY) as camera:
        live(camera)
        pressed_s, number = time.monotonic(), camera.since(0)[-1].number
        assert camera.wait(number + 3, LONGEST_S)
        assert all(frame.at_s < pressed_s for frame in camera.since(number)[:3])


def test_a_stall_is_seen_and_the_camera_comes_back() -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
        live(camera)
        server.fault = "stall"
        Watched(camera).until(SourceHealth.SILENT)
        assert camera.newest() is None
        server.fault = ""
        live(camera)


def test_the_same_picture_again_and_again_is_no_camera() -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
        live(camera)
        server.fault = "same"
        Watched(camera).until(SourceHealth.FROZEN)
        server.fault = ""
        live(camera)


def test_the_same_picture_is_no_fault_where_it_is_allowed() -> None:
    with webcam() as server:
        server.fault = "same"
        with Camera("cam0", parse_source(server.url() + "#same=yes"), patience=HASTY) as camera:
            live(camera)
            watched, end_s = Watched(camera), time.monotonic() + 3 * HASTY.same_s
            eventually(lambda: watched.look().health is SourceHealth.LIVE and time.monotonic() > end_s)
            assert SourceHealth.FROZEN not in {state.health for state in watched.states}


@pytest.mark.parametrize("fault", ["garbage", "cut", "noise"])
def test_garbled_pictures_are_reported(fault: str) -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
        live(camera)
        number = camera.since(0)[-1].number
        server.fault = fault
        Watched(camera).until(SourceHealth.GARBLED)
        server.fault = ""
        live(camera)
        assert camera.wait(number, LONGEST_S)


def test_another_size_is_refused_until_the_old_one_is_back() -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url()), size=(320, 240), patience=HASTY) as camera:
        live(camera)
        server.fault = "resize"
        state = Watched(camera).until(SourceHealth.RESIZED)
        assert "160 x 120 instead of 320 x 240" in str(camera_words(state))
        time.sleep(0.5)
        assert all(frame.size == (320, 240) for frame in camera.since(0))
        server.fault = ""
        live(camera)


def test_a_camera_that_goes_away_and_returns() -> None:
    with webcam() as server:
        port = server.port
        camera = Camera("cam0", parse_source(server.url()), patience=HASTY)
        live(camera)
        server.fault = "stall"  # its threads end with the test; no more pictures come
    with camera:
        Watched(camera).until(SourceHealth.FAILED)
        assert camera.state.detail == "unreachable"
        eventually(lambda: camera.state.restarts > 1)
        with webcam(port):
            live(camera)


def test_passwords_are_used_and_never_told(capfd: pytest.CaptureFixture[str]) -> None:
    with webcam() as server:
        server.password = "Basic dTpzM2NyM3Q="  # u:s3cr3t
        with Camera("cam0", parse_source(server.url(user="u:s3cr3t@")), patience=HASTY) as camera:
            live(camera)
            pid = camera.pid
            for place in ("cmdline", "environ"):
                assert b"s3cr3t" not in Path(f"/proc/{pid}/{place}").read_bytes()
        with Camera("cam0", parse_source(server.url(user="u:wrong-s3cr3t@")), patience=HASTY) as camera:
            state = Watched(camera).until(SourceHealth.FAILED)
            assert state.detail == "refused"
            assert "s3cr3t" not in repr(state) + str(camera_words(state))
    assert "s3cr3t" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("target", ["file:///etc/passwd", "http://localhost.invalid/", "ftp://127.0.0.1/"])
def test_redirects_stay_with_the_same_host(target: str) -> None:
    with webcam() as server:
        source = parse_source(server.url("redirect?" + target))
        with Camera("cam0", source, patience=HASTY) as camera:
            assert Watched(camera).until(SourceHealth.FAILED).detail == "no-pictures"


def test_a_page_is_no_picture() -> None:
    with webcam() as server:
        server.fault = "text"
        with Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
            assert Watched(camera).until(SourceHealth.FAILED).detail == "no-pictures"


def test_stills_from_an_address() -> None:
    with webcam() as server, Camera("cam0", parse_source(server.url("still#fps=20")), patience=HASTY) as camera:
        assert camera.wait(3, LONGEST_S)
        newest = camera.newest()
        assert newest is not None
        loaded = newest.load()
        assert loaded is not None
        assert loaded.shape == (240, 320, 3)


def test_a_stream_without_lengths() -> None:
    with webcam() as server:
        server.length = False
        with Camera("cam0", parse_source(server.url()), patience=HASTY) as camera:
            assert camera.wait(5, LONGEST_S)


BAR_PX = 8


def video(path: Path, frames: int) -> Path:
    """Write a video whose pictures tell their number by the width of a white bar."""
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 240))
    for number in range(frames):
        shown = cv2.imdecode(np.frombuffer(picture(number), np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        shown[:, : BAR_PX * number] = 255
        writer.write(shown)
    writer.release()
    return path


def number_of_newest(camera: Camera) -> int:
    """Return the newest picture's number in its video, from 0. A slow machine may have skipped pictures before it."""
    seen = camera.since(0)[-1].load()
    assert seen is not None
    return round(float((seen.mean(axis=(0, 2)) > 230).sum()) / BAR_PX)


def test_a_cut_video_ends_where_it_is_cut(tmp_path: Path) -> None:
    whole = video(tmp_path / "whole.avi", 40)
    cut = tmp_path / "cut.avi"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    for path, first, last in ((whole, 39, 39), (cut, 5, 30)):
        with Camera("cam0", parse_source(f"file:{path}"), patience=HASTY) as camera:
            Watched(camera).until(SourceHealth.ENDED)
            assert first <= number_of_newest(camera) <= last


def test_no_video_at_all(tmp_path: Path) -> None:
    (tmp_path / "no.avi").write_bytes(b"#EXTM3U\nfile:///etc/passwd\n" * 20)
    with Camera("cam0", parse_source(f"file:{tmp_path}/no.avi"), patience=HASTY) as camera:
        assert Watched(camera).until(SourceHealth.FAILED).detail == "no-pictures"


def test_a_folder_that_fills(tmp_path: Path) -> None:
    (tmp_path / "0.jpg").write_bytes(picture(0))
    with Camera("cam0", parse_source(f"folder:{tmp_path}?watch=yes&fps=30"), patience=NO_RESTART) as camera:
        assert camera.wait(0, LONGEST_S)
        Watched(camera).until(SourceHealth.WAITING)
        assert camera.newest() is not None
        content = picture(1)
        with (tmp_path / "1.jpg").open("wb") as slowly:  # as a slow copy over the network writes it
            slowly.write(content[:900])
            slowly.flush()
            time.sleep(0.3)
            slowly.write(content[900:])
        (tmp_path / "notes.txt").write_text("no picture")
        assert camera.wait(1, LONGEST_S)
        assert camera.state.seeing
        assert camera.state.restarts == 0


@pytest.mark.parametrize("what", ["pipe", "endless device", "folder", "link to itself", "huge file"])
def test_what_is_no_file_of_a_picture_holds_a_folder_up_no_longer_than_a_torn_one(tmp_path: Path, what: str) -> None:
    """Read as a picture, a pipe is waited for without end, and a device fills the memory."""
    odd = tmp_path / "1.jpg"
    match what:
        case "pipe":
            os.mkfifo(odd)
        case "endless device":
            odd.symlink_to("/dev/zero")
        case "folder":
            odd.mkdir()
        case "link to itself":
            odd.symlink_to(odd)
        case _:
            with odd.open("wb") as file:
                file.truncate(1 << 40)  # sparse: a terabyte that takes no room
    (tmp_path / "2.jpg").write_bytes(picture(1))
    with Camera("cam0", parse_source(f"folder:{tmp_path}?watch=yes&fps=30"), patience=NO_RESTART) as camera:
        assert camera.wait(0, LONGEST_S)
        newest = camera.newest()
        assert newest is not None
        assert newest.load() is not None
        assert camera.state.restarts == 0


def test_nothing_is_left_when_it_is_closed() -> None:
    with webcam() as server:
        camera = Camera("cam0", parse_source(server.url()), patience=HASTY)
        live(camera)
        pid = camera.pid
        camera.close()
        assert not Path(f"/proc/{pid}").exists()
        assert camera.state.health is SourceHealth.CLOSED
