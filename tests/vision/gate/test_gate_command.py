from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.vision.gate import stills
from tests.vision.gate.film import SIZE, Film, place, stone, table


def written(film: Film, path: Path) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), film.fps, SIZE)
    for frame in film.frames:
        writer.write(frame)
    writer.release()
    return path


@pytest.mark.long
def test_a_video_of_one_move(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.4)
    film.reach(place(0, 0), "right", stone(place(0, 0)))
    film.wait(0.4)
    video = written(film, tmp_path / "one move #1.avi")
    outline, _ = cv2.findContours(table()[1].mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    box = 4 * cv2.boxPoints(cv2.minAreaRect(outline[0]))
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in box)
    done = CliRunner().invoke(main, ["gate", str(video), "--board", corners, "--save", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert f"{len(film.frames)} frames, new boards after the first: 1." in done.output
    saved = sorted((tmp_path / "out").glob("*.png"))
    assert len(saved) == 2
    assert film.boards[int(saved[1].stem)] == 1
    assert film.free[int(saved[1].stem)]


@pytest.mark.long
def test_a_board_that_nobody_was_seen_to_change_is_told_so(tmp_path: Path) -> None:
    film = Film()
    for pieces in ((), ((14, 3), (14, 4), (14, 5), (14, 6))):
        shown = cv2.resize(cv2.cvtColor(stills.picture(pieces), cv2.COLOR_GRAY2BGR), SIZE)
        film.frames += [np.asarray(shown, np.uint8)] * 38
    left, top, side = (4 * px for px in (stills.LEFT, stills.TOP, stills.SIDE_PX * stills.FIELDS))
    corners = f"{left},{top} {left + side},{top} {left + side},{top + side} {left},{top + side}"
    done = CliRunner().invoke(main, ["gate", str(written(film, tmp_path / "stills.avi")), "--board", corners])
    assert done.exit_code == 0, done.output
    assert "76 frames, new boards after the first: 1." in done.output
    assert done.output.count("nobody was seen to change it") == 1


def test_what_can_not_be_watched(tmp_path: Path) -> None:
    broken = tmp_path / "broken.avi"
    broken.write_bytes(b"no video")
    for arguments, told in (
        ([str(tmp_path / "none.avi")], "can't be read as a video"),
        ([str(broken)], "can't be read as a video"),
        ([str(tmp_path / "a.txt")], "a file source is a video"),
        ([str(broken), "--board", "1,2 3"], "takes four corners"),
    ):
        done = CliRunner().invoke(main, ["gate", *arguments])
        assert done.exit_code == 2
        assert told in done.output
        assert "Traceback" not in done.output


@pytest.mark.long
def test_a_board_nobody_pointed_at_is_warned_of_twice(tmp_path: Path) -> None:
    film = Film()
    film.wait(0.6)
    done = CliRunner().invoke(main, ["gate", str(written(film, tmp_path / "film.avi"))])
    assert done.exit_code == 0, done.output
    assert done.stderr.count("it is not known where the board lies") == 2
    assert "--board" in done.stderr
    assert done.stdout.splitlines()[-1].endswith("Not to be relied on: nobody said where the board lies.")
