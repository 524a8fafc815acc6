"""``referee new-game`` writes a distribution that goes all the way: installed, checked, played by cameras."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.addons.authoring.written import MODULE, NAME, referee, write
from tests.installing import bring, install

ROOT = Path(__file__).parents[3]
IN_SCRIPTS = pytest.mark.skipif(not os.environ.get("ALL_SCRIPTS"), reason="make scripts plays it")


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("written"))


@pytest.fixture(scope="module")
def site(distribution: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(distribution, tmp_path_factory.mktemp("installed"))


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(
    ("script", "phone"),
    [
        pytest.param("playthrough.txt", (), id="played, two cameras", marks=IN_SCRIPTS),
        pytest.param("breaches.txt", ("--phone",), id="breaches, one phone"),
    ],
)
def test_installed_it_is_played_at_the_virtual_table(
    site: Path, script: str, phone: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(site, monkeypatch)
    played = referee("demo", "--script", str(site / MODULE / script), "--fast", *phone)
    assert "The record is as the script implies" in played.stdout, played.stdout + played.stderr
    assert "told by hand" not in played.stdout


@pytest.mark.process
@pytest.mark.long
def test_installed_its_own_test_passes(distribution: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(site, monkeypatch)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=distribution, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.process
@pytest.mark.long
def test_its_code_is_typed_and_tidy(distribution: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = str(ROOT / "pyproject.toml")
    for command in (["ruff", "check", "--config", settings], ["ruff", "format", "--check", "--config", settings]):
        tidy = subprocess.run([sys.executable, "-m", *command, "."], cwd=distribution, capture_output=True, text=True)
        assert tidy.returncode == 0, tidy.stdout
    monkeypatch.setenv("MYPYPATH", f"{site}:{ROOT}")
    command = ["mypy", "--strict", "--follow-imports", "silent", "--no-incremental", "-p", MODULE]
    typed = subprocess.run([sys.executable, "-m", *command], cwd=distribution, capture_output=True, text=True)
    assert typed.returncode == 0, typed.stdout


def test_each_rule_that_its_code_names_is_broken_alone(distribution: Path) -> None:
    code = (distribution / MODULE / "game.py").read_text(encoding="utf-8")
    stated = (distribution / MODULE / "breaches.txt").read_text(encoding="utf-8")
    for rule in ("pawn.foreign", "pawn.one", "step.near", "step.climb", "stone.laid", "stone.kept"):
        assert code.count(f'"{rule}"') == 1
        assert re.search(rf"illegal: {re.escape(rule)} [A-E1-5 ]+}}", stated)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Dry Feet"], "'Dry Feet' is no name of a game: use small letters"),
        (["turris"], "'turris' is taken"),
        (["json"], "'json' is taken"),
        (["class"], "'class' is taken"),
        (["wet-feet", "--title", 'Wet "feet"'], "a title is one line without quotes"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(tmp_path: Path, words: list[str], said: str) -> None:
    refused = CliRunner().invoke(main, ["new-game", *words, "--folder", str(tmp_path / "new")])
    assert refused.exit_code == 2
    assert said in refused.output
    assert not (tmp_path / "new").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "README.md").write_text("Mine.", encoding="utf-8")
    refused = CliRunner().invoke(main, ["new-game", NAME, "--folder", str(folder)])
    assert refused.exit_code == 2
    assert "is there already: name another folder" in refused.output
    assert (folder / "README.md").read_text(encoding="utf-8") == "Mine."
