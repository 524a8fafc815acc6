"""What a table begins with, and what is said of it when the referee starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.gamebook import usual_start
from referee.games import package_named
from referee.games.terrabilis.copy.files import EXAMPLE
from tests.demo.command import Demo
from tests.ports import free_port

GAME = package_named("terrabilis").game
INVENTED = "The cards are invented, not those of your copy."


def keep(folder: Path, name: str, **change: object) -> None:
    """Keep a copy's file as the page does."""
    folder.mkdir(parents=True, exist_ok=True)
    data = json.loads(EXAMPLE.read_text(encoding="utf-8")) | {"copy": name} | change
    (folder / f"{name}.json").write_text(json.dumps(data))


def test_a_game_begins_with_the_one_copy_that_is_kept(tmp_path: Path) -> None:
    keep(tmp_path, "club")
    assert usual_start(GAME, tmp_path).data.name == "club"
    assert GAME.invented_copy(usual_start(GAME, tmp_path)) is None


def test_without_a_copy_or_with_several_the_invented_one_is_played_with(tmp_path: Path) -> None:
    for start in (usual_start(GAME), usual_start(GAME, tmp_path / "none")):
        assert GAME.invented_copy(start).text() == INVENTED
    keep(tmp_path, "club")
    keep(tmp_path, "home")
    assert usual_start(GAME, tmp_path).data.name == "example"


def test_a_copy_too_incomplete_to_begin_with_is_passed_over(tmp_path: Path) -> None:
    keep(tmp_path, "club", countries={})
    assert usual_start(GAME, tmp_path).data.name == "example"
    (tmp_path / "club.json").write_text("{")
    assert usual_start(GAME, tmp_path).data.name == "example"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n "game": "chess",\n "cameras": []}', "line 2: game: 'chess' is no game the referee knows"),
        ('{"game": "terrabilis",\n "cameras": [],\n "shoes": 2}', "line 3: shoes: unknown key; remove it or correct"),
    ],
)
def test_what_is_wrong_with_a_table_without_cameras_is_told_with_its_line(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    (tmp_path / "table.json").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["run", str(tmp_path), "--port", "0"])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"referee run: {tmp_path / 'table.json'}, {why}")


@pytest.mark.process
def test_the_start_says_whose_cards_are_played_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    table = tmp_path / "table"
    table.mkdir()
    (table / "table.json").write_text('{"game": "terrabilis", "cameras": []}')
    with Demo.run(str(table)) as run:
        run.until("minutes")
    (line,) = (line for line in run.said if INVENTED in line)
    assert line.endswith("#/copies")
    keep(tmp_path / "data" / "copies", "club")
    with Demo.run(str(table), "--new") as run:
        run.until("minutes")
    assert not any("invented" in line for line in run.said)


@pytest.mark.process
def test_a_phone_in_the_hand_scans_a_code_and_needs_no_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("REFEREE_PAGE_HTTPS_PORT", str(free_port()))
    table = str(tmp_path / "table")
    for words in (["new", table, "--preset", "one-phone"], ["https"]):
        assert CliRunner().invoke(main, words).exit_code == 0
    with Demo.run(table, "--host", "0.0.0.0") as run:
        url = run.url
        run.until("minutes")
    (code,) = (at for at, line in enumerate(run.said) if "scan this code" in line)
    (more,) = (at for at, line in enumerate(run.said) if f"open {url}trust on the phone once" in line)
    assert code < more
    assert any(f"open {url} and type the code" in line for line in run.said)
