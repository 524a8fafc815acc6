"""What the manual shows is what the program takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.service.settings import load_settings, variable_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["running.md", "button-box.md"])
def test_settings_in_the_manual_are_settings(tmp_path: Path, name: str) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        (tmp_path / "referee.toml").write_text(block, encoding="utf-8")
        assert load_settings(tmp_path / "referee.toml", {}).origins


def test_variables_and_commands_in_the_manual_exist() -> None:
    text = (DOCS / "running.md").read_text(encoding="utf-8")
    for key in ("page.port", "cameras.cam0"):
        assert variable_of(key) in text
    for words in set(re.findall(r"`referee (journal \w+|settings)", text)):
        assert CliRunner().invoke(main, [*words.split(), "--help"]).exit_code == 0, words
