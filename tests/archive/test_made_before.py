"""An export that an earlier version made is verified, opened and played again. It was made by that version's code."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.archive.export import VERIFIER
from referee.cli import main

MADE = Path(__file__).with_name("made-before.zip")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("journal", "verify", MADE), "11 events, the chain holds"),
        (("replay", MADE), "2 turns, all legal"),
        (("report", MADE, "--turn", "1", "--out", "report.html"), "report.html"),
        (("report", MADE, "--out", "report.html"), "report.html"),
    ],
)
def test_everything_that_reads_exports_reads_it(
    words: tuple[object, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, list(map(str, words)))
    assert (done.exit_code, told in done.output) == (0, True), done.output


@pytest.mark.process
def test_its_own_verifier_and_todays_verify_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(MADE) as pack:
        pack.extractall(tmp_path)
    for words in ((tmp_path / "verify.py",), (tmp_path / "verify.py", MADE), (VERIFIER, MADE), (VERIFIER, tmp_path)):
        done = subprocess.run([sys.executable, "-I", *map(str, words)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "VERIFIED"), done.stdout
