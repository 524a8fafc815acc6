"""What the manual shows is what the program takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.service.settings import load_settings, variable_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["operate/running.md", "set-up/button-box.md"])
def test_settings_in_the_manual_are_settings(tmp_path: Path, name: str) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        (tmp_path / "referee.toml").write_text(block, encoding="utf-8")
        assert load_settings(tmp_path / "referee.toml", {}).origins


def test_variables_and_commands_in_the_manual_exist() -> None:
    text = (DOCS / "operate" / "running.md").read_text(encoding="utf-8")
    for key in ("page.port", "cameras.cam0"):
        assert variable_of(key) in text
    for words in set(re.findall(r"`referee (journal \w+|settings)", text)):
        assert CliRunner().invoke(main, [*words.split(), "--help"]).exit_code == 0, words


def test_what_the_readme_leads_to_is_in_the_source_distribution() -> None:
    root = DOCS.parent
    manifest = (root / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    grafted = {line.split()[1] for line in manifest if line.startswith("graft ")}
    included = {name for line in manifest if line.startswith("include ") for name in line.split()[1:]}
    for name in grafted | included:
        assert (root / name).exists(), name
    links = re.findall(r"\]\(([^)#:]+)[)#]", (root / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 10
    assert len((root / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
    assert not [link for link in links if link.split("/")[0] not in grafted and link not in included | {"LICENSE"}]
