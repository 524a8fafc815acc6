"""Options that other commands spell otherwise are taken in both spellings."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main


@pytest.mark.parametrize("spelling", ["--out", "--output", "-o"])
@pytest.mark.parametrize("command", [("report",), ("journal", "export")])
def test_a_file_to_write_is_named_either_way(command: tuple[str, ...], spelling: str, tmp_path: Path) -> None:
    got = CliRunner().invoke(main, [*command, str(tmp_path / "none.journal"), spelling, str(tmp_path / "made")])
    assert "No such option" not in got.output
    assert "none.journal" in got.output


def test_a_table_is_named_as_an_argument_or_an_option(tmp_path: Path) -> None:
    place = str(tmp_path / "no-table")
    told = [CliRunner().invoke(main, ["run", *named]).output for named in ([place], ["--table", place])]
    assert told[0] == told[1]
    assert "no-table" in told[0]
    assert "Missing argument 'TABLE'" in CliRunner().invoke(main, ["run", "--new"]).output
