"""``referee run`` on two network cameras with every fault cameras have: the game goes on and the table is told."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.webcams import Cameras, Run, refereed
from tests.vision.sources.webcam import webcam

ALL = bool(os.environ.get("ALL_SCREENS"))
AWAY_S = 60.0 if ALL else 5.0
"""By then it is looked for as seldom as it ever is; ``make browser`` waits the whole minute."""
FAULTS = (
    ("stall", "cam0 sends no pictures any more"),
    ("resize", "cam0 sends pictures of 160 x 120 instead of 1280 x 960 pixels"),
    ("same", "cam0 sends the same old picture again and again"),
    ("garbage", "cam0 sends pictures that can't be read"),
)
ENDS = signal.SIGKILL, signal.SIGSTOP
"""``make browser`` goes through all of both. tests/vision/sources holds every one against a camera alone."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, Cameras]]:
    with refereed(tmp_path, monkeypatch) as made:
        yield made


def test_faults_are_told_and_pass_and_a_lost_camera_returns(table: tuple[Run, Cameras]) -> None:
    run, cameras = table
    web = cameras.of["cam0"]
    for fault, words in FAULTS if ALL else FAULTS[:1]:
        run.well("cam0")
        web.fault = fault
        run.told("cam0", words)
        assert run.state()["phase"]["id"] == "playing"
        web.fault = ""
    for end in ENDS if ALL else ENDS[:1]:
        for camera in cameras.of:
            run.well(camera)
        before = run.children()
        os.kill(before[0], end)
        run.gone(before[0])
        run.until(lambda state: all(camera["ok"] for camera in state["cameras"]))
    cameras.show(2)
    state = run.until(lambda state: state["turn"] == 2)
    assert [turn["verdict"] for turn in state["history"]] == ["legal"]
    # One of two is lost: the game goes on with the other, and says so, until it is back.
    web = cameras.of["cam0"]
    port, web.fault = web.port, "stall"
    web.shutdown()
    web.server_close()
    went_s = time.monotonic()
    run.told("cam0", "cam0 can't be reached")
    cameras.show(3)
    state = run.until(lambda state: len(state["history"]) == 2)
    # One camera may see too little for a ruling: then it says so, and looks again by itself once the other is back.
    assert state["history"][-1]["verdict"] in ("legal", "unsure")
    assert state["history"][-1]["pictures"].keys() == {"cam1"}
    run.blind(state, "Ruled on without cam0: cam0 sent no pictures.")
    while time.monotonic() < went_s + AWAY_S:
        run.told("cam0", "cam0 can't be reached")
        time.sleep(1.0)
    with webcam(port) as web:
        cameras.back("cam0", web)
        run.well("cam0")
        run.until(lambda state: state["turn"] == 3)
        cameras.show(4)
        state = run.until(lambda state: state["turn"] == 4)
        assert state["history"][-1]["pictures"].keys() == {"cam0", "cam1"}
        assert not state["history"][-1]["sightless"]
        ruled = len(state["history"])
        cameras.show(5, covered=True)
        state = run.until(lambda state: len(state["history"]) > ruled)
        run.blind(state, "Ruled on without cam0: cam0’s picture is dark")
