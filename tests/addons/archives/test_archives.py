"""Judges an archive again: the same rows whoever does the work, whatever dies on the way, whenever it is taken up."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from referee.addons.archives.archive import ArchiveAudit, AuditProgress, Task, summary, tasks_of
from referee.addons.archives.exports import AuditRow, audit_export
from referee.addons.archives.workers import ClusterWork, LocalWork
from referee.archive.export import export
from referee.cli import main
from tests.archive.game import write_journal

ROOT = Path(__file__).parents[2]
Rows = list[dict[str, object]]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an archive of five exports, one of them in a folder below, and one that was cut off."""
    folder = tmp_path_factory.mktemp("archive")
    whole = folder / "made.zip"
    export(write_journal(folder / "made.journal"), whole)
    games = folder / "games" / "2026"
    games.mkdir(parents=True)
    for number in range(4):
        shutil.copy(whole, folder / "games" / f"game{number}.zip")
    shutil.copy(whole, games / "late.zip")
    (games / "cut.zip").write_bytes(whole.read_bytes()[:2000])
    return folder / "games"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["archive", "audit", *map(str, words)])


def rows_in(out: Path) -> Rows:
    return list(pq.read_table(out / "rulings.parquet").to_pylist())


def one_by_one(tasks: Sequence[Task]) -> Iterator[tuple[Task, list[AuditRow]]]:
    for task in tasks:
        yield task, audit_export(str(task.path), task.name)


@pytest.fixture(scope="module")
def plain(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Return the rows that an audit without workers writes."""
    out = tmp_path_factory.mktemp("plain")
    whole = ArchiveAudit(tasks_of(archive), out)
    whole.run(one_by_one, lambda *_: None)
    whole.finish()
    return rows_in(out)


def test_every_ruling_of_every_export_is_a_row(plain: Rows) -> None:
    names = [f"game{number}.zip" for number in range(4)]
    assert {row["export"] for row in plain} == {"2026/cut.zip", "2026/late.zip", *names}
    first = [row for row in plain if row["export"] == "game0.zip"]
    assert [(row["turn"], row["then"], row["then_rules"]) for row in first] == [
        (1, "illegal", "cubes.conserved"),
        (1, "legal", ""),
        (2, "legal", ""),
    ]
    (cut,) = (row for row in plain if row["export"] == "2026/cut.zip")
    assert (cut["cause"], cut["problem"] != "") == ("error", True)
    assert len({row["build"] for row in plain}) == 1


def test_the_work_is_taken_up_where_it_was_broken_off(archive: Path, tmp_path: Path, plain: Rows) -> None:
    tasks, out = tasks_of(archive), tmp_path / "out"
    judged: list[str] = []

    def broken_off(left: Sequence[Task]) -> Iterator[tuple[Task, list[AuditRow]]]:
        for task, rows in one_by_one(left):
            if len(judged) == 3:
                raise KeyboardInterrupt
            judged.append(task.name)
            yield task, rows

    with pytest.raises(KeyboardInterrupt):
        ArchiveAudit(tasks, out).run(broken_off, lambda *_: None)
    told: list[tuple[int, int, int]] = []
    again = ArchiveAudit(tasks, out)
    again.run(one_by_one, lambda *counts: told.append(counts))
    assert told[0] == (3, 6, 0)
    assert told[-1] == (6, 6, 3)
    again.finish()
    assert rows_in(out) == plain


def test_another_export_under_the_same_name_is_judged_anew(archive: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(archive, copied)
    before = {task.name: task.key for task in tasks_of(copied)}
    content = bytearray((copied / "game1.zip").read_bytes())
    content[-1] ^= 1
    (copied / "game1.zip").write_bytes(content)
    after = {task.name: task.key for task in tasks_of(copied)}
    assert [name for name in before if before[name] != after[name]] == ["game1.zip"]


@pytest.mark.long
def test_two_processes_give_the_same_and_the_command_sums_it_up(archive: Path, tmp_path: Path, plain: Rows) -> None:
    done = run(archive, "--out", tmp_path / "out", "--processes", 2)
    assert done.exit_code == 2, done.output  # one export can't be audited
    assert rows_in(tmp_path / "out") == plain
    assert "2026/cut.zip can’t be audited" in done.output
    said = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (said["exports"], said["rulings"]) == (6, 15)


HEAVY = pytest.mark.skipif(not os.environ.get("ALL_ARCHIVE"), reason="takes half a minute: make archive runs it")


def dying(path: str, name: str) -> list[AuditRow]:
    """End the process at one export, always, and at another the first time."""
    mark = Path(path).with_suffix(".tried")
    if name == "game2.zip" or (name == "game3.zip" and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return audit_export(path, name)


@HEAVY
@pytest.mark.long
def test_a_process_that_dies_makes_no_difference(
    archive: Path, tmp_path: Path, plain: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(archive, copied)
    monkeypatch.setattr("referee.addons.archives.workers.audit_export", dying)
    whole = ArchiveAudit(tasks_of(copied), tmp_path / "out")
    whole.run(LocalWork(2), lambda *_: None)
    whole.finish()
    rows = rows_in(tmp_path / "out")
    assert [row for row in rows if row["export"] != "game2.zip"] == [
        row for row in plain if row["export"] != "game2.zip"
    ]
    (lost,) = (row for row in rows if row["export"] == "game2.zip")
    assert "ended from outside" in str(lost["problem"])


CLUSTER = """
import os, signal, sys
from pathlib import Path
from distributed import LocalCluster
from referee.addons.archives.archive import ArchiveAudit, tasks_of
from referee.addons.archives.workers import ClusterWork

if __name__ == "__main__":
    folder, out = map(Path, sys.argv[1:])
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        killed = []

        def tell(done, of, fresh):
            if fresh == 2 and not killed:
                killed.append(victim)
                os.kill(victim, signal.SIGKILL)

        whole = ArchiveAudit(tasks_of(folder), out)
        whole.run(ClusterWork(cluster.scheduler_address), tell)
        whole.finish()
        assert killed
"""


@HEAVY
@pytest.mark.process
@pytest.mark.long
def test_a_cluster_that_loses_a_worker_half_way_gives_the_same(archive: Path, tmp_path: Path, plain: Rows) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    child = [sys.executable, str(script), str(archive), str(tmp_path / "out")]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(child, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert rows_in(tmp_path / "out") == plain


@pytest.mark.long
def test_a_cluster_nobody_answers_for_is_an_error_that_says_so(archive: Path) -> None:
    with pytest.raises(OSError, match=r"127\.0\.0\.1:1"):
        list(ClusterWork("tcp://127.0.0.1:1", patience_s=0.5)(tasks_of(archive)))


def test_a_folder_without_exports_says_so(tmp_path: Path) -> None:
    done = run(tmp_path, "--out", tmp_path / "out")
    assert (done.exit_code, "no exports" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (AuditProgress(0, 10, 0, 5.0), "0 of 10 exports"),
        (AuditProgress(4, 10, 2, 20.0), "4 of 10 exports, about 1 min 00 s left"),
        (AuditProgress(1, 3001, 1, 3.0), "1 of 3,001 exports, about 2 h 30 min left"),
    ],
)
def test_how_long_it_will_take_is_told_by_what_was_done(progress: AuditProgress, words: str) -> None:
    assert progress.words.text() == words


def test_the_summary_names_who_would_be_accused_now() -> None:
    same = AuditRow("a.zip", then="legal", now="legal", cause="same")
    turned = AuditRow("a.zip", turn=7, then="legal", now="illegal", cause="reading")
    missed = AuditRow("b.zip", turn=3, then="illegal", now="legal", cause="rule")
    unread = AuditRow("b.zip", turn=4, then="legal", cause="unread")
    told = summary([same, turned, missed, unread])
    assert (told.exports, told.rulings, told.accused, told.missed) == (2, 4, (("a.zip", 7),), (("b.zip", 3),))
    assert dict(told.turned) == {"illegal > legal": 1, "legal > illegal": 1}
    assert "Legal then, illegal now: a.zip, turn 7" in [words.text() for words in told.lines]
