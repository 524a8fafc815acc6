"""Pictures for a lens out of a film: a real file, decoded; the coach decides, the folder keeps what was there."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.coach import Advice, Call, CoachState, Place, Tilt
from calibration.lens import load_lens
from calibration.masked import FLAT
from referee.cli import main
from referee.cli.coaching import advice_words, missing_words
from referee.cli.frames import FramesError, live_frames, one_picture, source_of, video_frames
from referee.cli.shooting import keep_pictures, shoot
from referee.values.words import LANGUAGES, Words
from tests.calibration.target_scenes import TARGET, held, picture
from tests.scene import table_json
from tests.untyped import untyped
from tests.vision.sources.webcam import webcam

HOLDS = [
    ((320.0, 240.0), (0.0, 0.0), 420.0), ((190.0, 150.0), (25.0, 0.0), 480.0), ((450.0, 330.0), (-25.0, 0.0), 480.0),
    ((450.0, 150.0), (0.0, 25.0), 480.0), ((190.0, 330.0), (0.0, -25.0), 480.0),
    ((320.0, 240.0), (18.0, 18.0), 330.0),
]  # fmt: skip


def film(path: Path, holds: list[tuple[tuple[float, float], tuple[float, float], float]]) -> Path:
    """Film ten frames a second: each hold for 0.8 s, and one smeared frame of moving between them."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    assert writer.isOpened()
    for number, hold in enumerate(holds):
        still = picture(*held(*hold), seed=number)
        for _ in range(8):
            writer.write(still)
        writer.write(cv2.blur(still, (31, 3)))
    writer.release()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.json").write_text(json.dumps(table_json()))
    return tmp_path


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["calibrate", "lenses", *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.long
def test_a_film_becomes_a_lens(folder: Path) -> None:
    old = folder / "calibration" / "left"
    old.mkdir(parents=True)
    (old / "old.jpg").write_bytes(b"old")
    path = film(folder / "film.avi", HOLDS)
    status, out, err = run("--table", str(folder), "--camera", "left", "--video", str(path), "--language", "de")
    assert (status, err) == (0, "")
    assert out.count("aufgenommen") == len(HOLDS)
    kept = sorted(path.name for path in old.iterdir())
    assert kept == [f"target-{number:02d}.jpg" for number in range(1, len(HOLDS) + 1)]
    first = cv2.imread(str(old / kept[0]))
    assert first is not None
    assert np.abs(first[:20].astype(int) - FLAT).max() < 8, "who holds the target is not kept"
    assert (folder / "calibration" / "left-before-1" / "old.jpg").read_bytes() == b"old"
    assert load_lens(folder / "calibration" / "left.json").matrix[0, 0] == pytest.approx(700, rel=0.01)
    # The pictures kept give the same lens again.
    assert run("--table", str(folder), "--camera", "left")[0] == 0
    assert load_lens(folder / "calibration" / "left.json").matrix[0, 0] == pytest.approx(700, rel=0.01)


@pytest.mark.long
def test_a_film_with_too_little_leaves_everything_as_it_was(folder: Path) -> None:
    path = film(folder / "film.avi", HOLDS[:2])
    status, out, err = run("--table", str(folder), "--camera", "left", "--video", str(path))
    assert status == 2
    assert "ended before the target was shown" in out
    assert "found in 2 of 2 pictures, 4 are needed" in err
    assert not (folder / "calibration").exists()


@pytest.mark.long
def test_a_film_that_never_stands_still_becomes_a_lens_from_its_sharpest_frames(folder: Path) -> None:
    path = folder / "moving.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    for number in range(120):  # twelve seconds, swung to and fro, a quarter of it smeared
        turn = 2 * np.pi * number / 40
        at = (320 + 110 * np.cos(turn), 240 + 70 * np.sin(2 * turn))
        tilt = (28 * np.sin(1.7 * turn), 28 * np.cos(1.3 * turn))
        seen = picture(*held(at, tilt, 430 + 60 * np.sin(0.9 * turn)), seed=number)
        writer.write(cv2.blur(seen, (9, 1)) if number % 4 == 0 else seen)
    writer.release()
    status, out, err = run("--table", str(folder), "--camera", "left", "--video", str(path))
    assert (status, err) == (0, ""), out
    assert re.search(r"The target was never held still: the (1[0-9]|20) sharpest frames are used\.", out), out
    assert re.search(r"120 frames were looked at, the target was found in \d+\.", out)
    assert load_lens(folder / "calibration" / "left.json").matrix[0, 0] == pytest.approx(700, rel=0.02)


@pytest.mark.long
def test_a_film_without_a_target_says_what_was_looked_at(folder: Path) -> None:
    path = folder / "mirrored.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    for number in range(12):
        seen = picture(*held((320, 240), (0, 0), 420), seed=number)
        writer.write(np.ascontiguousarray(seen[:, ::-1]) if number < 9 else np.full_like(seen, 90))
    writer.release()
    status, _, err = run("--table", str(folder), "--camera", "left", "--video", str(path))
    assert status == 2
    assert "12 frames were looked at, the target was found in 0 (9 times: the target is mirrored" in err
    assert "3 times: the target is not found" in err


def test_what_is_no_film(folder: Path) -> None:
    with pytest.raises(FramesError, match="no such film"):
        next(video_frames(folder / "nothing.mp4"))
    (folder / "text.mp4").write_text("no film")
    with pytest.raises(FramesError, match="no film that can be read"):
        next(video_frames(folder / "text.mp4"))
    status, _, err = run("--table", str(folder), "--camera", "left", "--video", str(folder / "text.mp4"))
    assert (status, err.count("\n")) == (2, 1)


def test_a_changed_resolution_is_noticed() -> None:
    one, other = np.zeros((480, 640, 3), np.uint8), np.zeros((640, 480, 3), np.uint8)
    frames: list[tuple[float, NDArray[np.uint8]]] = [(0.0, one), (0.5, one), (1.0, other)]
    with pytest.raises(FramesError, match="changed from 640 x 480 to 480 x 640 after 1 s"):
        shoot(frames, TARGET, lambda _: None)


def test_options_that_contradict(folder: Path) -> None:
    status, _, err = run("--table", str(folder), "--video", "x.mp4")
    assert (status, "--camera left" in err) == (2, True)
    status, _, err = run("--table", str(folder), "--camera", "left", "--video", "x", "--pictures", "y")
    assert (status, "only one of" in err) == (2, True)
    status, _, err = run("--table", str(folder), "--chessboard", "nine")
    assert (status, "inner corners" in err) == (2, True)


def test_kept_pictures_take_the_place_of_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "cam").mkdir()
    keep_pictures(tmp_path / "cam", [("a.jpg", b"1")])
    keep_pictures(tmp_path / "cam", [("b.jpg", b"2")])
    keep_pictures(tmp_path / "cam", [("c.jpg", b"3")])
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jpg"))
    assert names == ["cam-before-1/a.jpg", "cam-before-2/b.jpg", "cam/c.jpg"]


def test_every_advice_is_said_in_every_language() -> None:
    state = CoachState((640, 480))
    for call in Call:
        for place in (None, *Place):
            for tilt in (None, *Tilt):
                words = advice_words(Advice(call, place, tilt, near=True), state)
                told = {words.text(language) for language in LANGUAGES}
                assert len(told) == len(LANGUAGES), words
    missing = missing_words(state)
    assert missing is not None
    assert len({missing.text(language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.long
def test_a_live_camera(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real stream over HTTP: the target is held here and there; the settings know the camera."""
    jpegs = []
    for number, hold in enumerate(HOLDS[:5]):
        for again in range(2):  # a camera's noise is never twice the same
            still = picture(*held(*hold), seed=10 * number + again)
            jpegs.append(bytes(cv2.imencode(".jpg", still)[1]))
    taken: list[str] = []
    with webcam() as server:

        def content() -> bytes:
            server.sent += 1
            return jpegs[2 * min(len(taken), 4) + server.sent % 2]

        def tell(words: Words) -> None:
            if words.text().endswith("taken.") or " taken. " in words.text():
                taken.append(words.text())

        monkeypatch.setattr(server, "content", content)
        frames = live_frames("left", source_of("left", server.url(), folder))
        shots = shoot(itertools.takewhile(lambda _: len(taken) < 5, frames), TARGET, tell)
        untyped(frames).close()
    assert len(shots.pictures) == 5
    assert shots.solve("left").lens.matrix[0, 0] == pytest.approx(700, rel=0.03)


@pytest.mark.long
def test_where_live_pictures_come_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SETTINGS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    with pytest.raises(FramesError, match=r"write it under \[cameras\]"):
        source_of("left", "", folder)
    monkeypatch.setenv("REFEREE_CAMERAS_LEFT", "folder:stills")
    assert str(source_of("left", "", folder)) == "folder:stills"
    with pytest.raises(FramesError, match="begins with its kind"):
        source_of("left", "nonsense", folder)
    monkeypatch.setattr("referee.cli.frames.PATIENCE_S", 0.5)
    with pytest.raises(FramesError, match="left"):
        next(live_frames("left", source_of("left", "folder:nowhere", folder)))
    monkeypatch.setattr("referee.cli.frames.PATIENCE_S", 20.0)
    (folder / "stills").mkdir()
    cv2.imwrite(str(folder / "stills" / "a.png"), picture(*held(*HOLDS[0])))
    assert one_picture("left", source_of("left", "", folder)).shape == (480, 640, 3)
