"""The numbers the referee gives of itself, as a supervisor and Prometheus read them."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from referee.buttonbox.serialport import BoxState
from referee.daemon import ViewPublisher
from referee.daemon.buttons import Buttons
from referee.daemon.commandqueue import CommandQueue
from referee.storage.journal import Journal, JournalError
from referee.values.camerahealth import CameraSample
from referee.values.metrics import BUCKETS_S, Durations, Metrics
from tests.house.tmpfs import small_disk
from tests.match.fakes import StepGame
from tests.untyped import untyped
from web.app import create_app
from web.tableparts import TableParts


class Table:
    """A page whose referee's clock and disk are in the test's hand."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.disk = (5_000_000_000, "on")
        self.vitals = Metrics(lambda: self.disk, ["cam0", "cam1"], lambda: self.now_s)
        board = ViewPublisher()
        board.publish({})
        self.app: Flask = create_app(board, TableParts(signs=self.vitals.signs), TESTING=True)
        self.client = self.app.test_client()

    def works(self) -> None:
        self.vitals.beat()
        self.vitals.frame("cam0")
        self.vitals.frame("cam1", age_s=0.5)

    def sample(self, name: str, **labels: str) -> float:
        found = [
            sample.value
            for family in text_string_to_metric_families(self.client.get("/metrics").text)
            for sample in family.samples
            if sample.name == name and sample.labels == labels
        ]
        assert len(found) == 1, name
        return found[0]


def test_a_table_that_works() -> None:
    table = Table()
    table.works()
    answer = table.client.get("/health")
    assert answer.status_code == 200
    assert answer.json == {
        "status": "ok",
        "problems": [],
        "up_s": 0.0,
        "turn_loop_age_s": 0.0,
        "cameras": {"cam0": 0.0, "cam1": 0.5},
        "evidence": "on",
        "disk_free_mb": 5000,
        "parts": {},
    }
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_a_loop_that_hangs_is_told_with_503() -> None:
    table = Table()
    table.now_s += 9
    assert table.client.get("/health").status_code == 200
    table.now_s += 2  # it never came round
    assert table.client.get("/health").status_code == 503
    table.works()
    assert table.client.get("/health").status_code == 200
    table.now_s += 10.1
    answer = table.client.get("/health")
    assert (answer.status_code, untyped(answer.json)["status"]) == (503, "stalled")


@pytest.mark.parametrize(
    ("happens", "problem"),
    [
        (lambda table: table.vitals.frame("cam1", age_s=3.1), "cam1 gives no pictures"),
        (lambda table: setattr(table, "disk", (0, "full")), "pictures are not kept: the disk is full"),
        (lambda table: setattr(table, "disk", (0, "failed")), "pictures are not kept: the disk can’t be written"),
        (lambda table: table.vitals.part("button box", False), "button box is not connected"),
    ],
)
def test_what_is_amiss_is_named_and_the_game_goes_on(happens: Callable[[Table], object], problem: str) -> None:
    table = Table()
    table.works()
    happens(table)
    answer = table.client.get("/health")
    assert answer.status_code == 200
    assert answer.json is not None
    assert (answer.json["status"], answer.json["problems"]) == ("degraded", [problem])


def test_a_folder_that_waits_is_no_trouble_and_gives_no_frame() -> None:
    table = Table()
    table.works()
    table.vitals.frame("cam1", age_s=30.0)
    table.vitals.rests("cam1")
    answer = table.client.get("/health")
    assert answer.json is not None
    assert (answer.json["status"], answer.json["problems"]) == ("ok", [])
    assert table.sample("referee_camera_frames_total", camera="cam1") == 2


def test_metrics() -> None:
    table = Table()
    table.works()
    table.vitals.sampled("cam0", CameraSample(0.1, 2, 7, 2.5, 0.4, 120.0, 0.01, 0.0))
    table.vitals.sampled("cam0", CameraSample(0.1, 1, 8, 2.4, None, 119.0, 0.02, 0.0))
    assert table.sample("referee_camera_losses_total", camera="cam0") == 3
    assert table.sample("referee_camera_markers", camera="cam0") == 8
    assert table.sample("referee_camera_edge_width_pixels", camera="cam0") == 2.4
    assert math.isnan(table.sample("referee_camera_reprojection_error_pixels", camera="cam0"))
    assert table.sample("referee_camera_brightness", camera="cam0") == 119.0
    assert table.sample("referee_camera_burnt_out_ratio", camera="cam0") == 0.02
    table.vitals.frame("cam0", age_s=1.5)
    for verdict in ("legal", "legal", "unsure"):
        table.vitals.ruled(verdict)
    for took_s in (0.05, 0.1, 0.4, 20.0):
        table.vitals.read(took_s)
    table.vitals.part("button box", True)
    table.now_s += 2
    assert table.sample("referee_turn_loop_age_seconds") == 2.0
    assert table.sample("referee_camera_age_seconds", camera="cam0") == 3.5
    assert table.sample("referee_camera_frames_total", camera="cam0") == 2
    assert table.sample("referee_camera_frames_total", camera="cam1") == 1
    assert table.sample("referee_rulings_total", verdict="legal") == 2
    assert table.sample("referee_rulings_total", verdict="illegal") == 0
    assert table.sample("referee_disk_free_bytes") == 5e9
    assert table.sample("referee_evidence_kept") == 1
    assert table.sample("referee_part_connected", part="button box") == 1
    assert table.sample("referee_reading_seconds_bucket", le="0.1") == 2
    assert table.sample("referee_reading_seconds_bucket", le="0.5") == 3
    assert table.sample("referee_reading_seconds_bucket", le="+Inf") == 4
    assert table.sample("referee_reading_seconds_count") == 4
    assert table.sample("referee_reading_seconds_sum") == pytest.approx(20.55)
    assert table.sample("referee_event_streams") == 0
    with table.client.get("/api/stream"):
        assert table.sample("referee_event_streams") == 1


def _table_over(journal: Journal) -> Table:
    table = Table()
    table.vitals._journal = journal.trouble
    table.works()
    return table


def _told(table: Table) -> tuple[int, str, str]:
    answer = table.client.get("/health")
    assert answer.json is not None
    return answer.status_code, answer.json["status"], "; ".join(answer.json["problems"])


def test_a_journal_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 512) as disk, Journal(disk / "game.journal") as journal:
        table = _table_over(journal)
        assert _told(table) == (200, "ok", "")
        with pytest.raises(OSError, match="No space"):
            (disk / "somebody-elses").write_bytes(bytes(2_000_000))
        with contextlib.suppress(JournalError):
            for _ in range(100):
                journal.append("note", {"text": "x" * 900})
        status, word, problem = _told(table)
        assert (status, word) == (503, "failed")
        assert "could not be written: database or disk is full" in problem
        assert table.sample("referee_journal_writable") == 0
        (disk / "somebody-elses").unlink()
        journal.append("note", {})
        assert _told(table) == (200, "ok", "")


def test_a_journal_moved_away_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    with Journal(path) as journal:
        table = _table_over(journal)
        path.rename(tmp_path / "elsewhere.journal")
        assert _told(table)[:2] == (503, "failed")
        assert "the journal is gone" in _told(table)[2]
        path.write_bytes(b"")
        assert "another file lies where the journal was" in _told(table)[2]
        path.unlink()
        (tmp_path / "elsewhere.journal").rename(path)
        assert _told(table) == (200, "ok", "")


@pytest.mark.parametrize("path", ["/health", "/metrics"])
def test_they_only_read_and_answer_only_own_hosts(path: str) -> None:
    table = Table()
    assert table.client.post(path).status_code == 405
    assert table.client.get(path, headers={"Host": "evil.example"}).status_code == 400


def test_two_tables_count_for_themselves() -> None:
    first, second = Table(), Table()
    first.vitals.ruled("legal")
    assert second.sample("referee_rulings_total", verdict="legal") == 0


@given(st.lists(st.floats(0, 100)))
def test_durations_count_everything_once(took: list[float]) -> None:
    durations = Durations()
    for seconds in took:
        durations = durations.with_one(seconds)
    assert sum(durations.counts) == len(took)
    for index, edge in enumerate(BUCKETS_S):
        assert sum(durations.counts[: index + 1]) == sum(seconds <= edge for seconds in took)


def test_the_button_box_is_a_part_that_comes_and_goes() -> None:
    table = Table()
    table.works()
    buttons = Buttons(StepGame(), CommandQueue(), table.vitals)
    assert untyped(table.client.get("/health").json)["parts"] == {}
    buttons.attach("/dev/no-such-port")
    assert untyped(table.client.get("/health").json)["problems"] == ["button box is not connected"]
    buttons.box_changed(BoxState(True, 4))
    assert untyped(table.client.get("/health").json)["status"] == "ok"


def test_a_closed_table_tells_no_rulings() -> None:
    table = Table()
    table.works()
    table.vitals.ruled("illegal")
    assert "referee_rulings_total" in table.client.get("/metrics").text
    table.app.config["OPEN_WATCHING"] = False
    told = table.client.get("/metrics").text
    assert "referee_rulings" not in told
    assert "referee_reading" not in told
    assert "referee_turn_loop_age_seconds" in told
