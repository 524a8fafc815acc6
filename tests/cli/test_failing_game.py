"""Commands go on where a game of other people fails, and say what failed and where."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee import games
from referee.cli import main
from referee.demo.recording import BUNDLED
from referee.values.installed import entries
from tests.games import faulty
from tests.web.examplegame import FULL, Table, board

MOVED = board(R1="0011111111", R5="1111311111")


@pytest.fixture
def fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    with faulty.installed(tmp_path / "site", monkeypatch) as found:
        yield found


def command(*words: str, lines: object = None) -> tuple[int, list[dict[str, Any]], str]:
    result = CliRunner().invoke(main, words, input=json.dumps(lines) + "\n")
    assert "please report" not in result.output
    assert "Traceback" not in result.output
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()], result.stderr


@pytest.mark.parametrize("function", ["position", "observation", "check"])
def test_check(fails: dict[str, str], function: str, caplog: pytest.LogCaptureFixture) -> None:
    fails[function] = "leaves"
    position = {"game": "three-stones", "players": ["red", "blue"], "board": FULL}
    status, (answer,), _ = command("check", lines={"id": 1, "position": position, "observed": MOVED})
    assert status == 2
    assert answer["error"]["code"] == "game"
    assert f"referee-faulty 1.0, {function}, faulty_stones line" in answer["error"]["message"]
    told = [record.exc_info for record in caplog.records if record.levelno >= logging.WARNING]
    assert told == [None], "a terminal gets no traceback"


def test_audit_is_unsure_and_goes_on(tmp_path: Path, fails: dict[str, str]) -> None:
    table = tmp_path / "table"
    shutil.copytree(BUNDLED, table)
    measures = json.loads((table / "table.json").read_text(encoding="utf-8"))
    (table / "table.json").write_text(json.dumps(measures | {"game": "three-stones"}), encoding="utf-8")
    recorded = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
    players = ["yellow", "green", "blue", "red"]
    position = {"game": "three-stones", "players": players, "board": recorded["position"]["board"]}
    pictures = {camera: str(BUNDLED / name) for camera, name in recorded["looks"][2]["pictures"].items()}
    for function, status in (("check", 1), ("prior_after", 2), ("form", 0)):
        fails |= {function: "raises"}
        ended, (answer,), _ = command(
            "audit", "--table", str(table), lines={"images": pictures, "position": position}
        )
        assert ended == status
        told = answer.get("reason") or answer.get("error", {}).get("message", "")
        assert (f"referee-faulty 1.0, {function}, " in told) == (status != 0)
        fails.clear()


@pytest.mark.parametrize(("function", "status"), [("check", 1), ("prior_after", 1), ("position", 2), ("citation", 0)])
def test_audit_of_a_game(tmp_path: Path, fails: dict[str, str], function: str, status: int) -> None:
    with ExitStack() as parts:
        table = Table(tmp_path, [FULL, MOVED, MOVED], parts, game=games.game_named("three-stones"))
        assert table.tell("look_again")
        assert table.tell("turn_ended")
    fails[function] = "raises"
    report = tmp_path / "out.html"
    ended, answers, told = command("audit", "--game", str(tmp_path / "game.journal"), "--report", str(report))
    assert ended == status
    assert (f"referee-faulty 1.0, {function}, " in f"{answers}{told}") == (status != 0)
    assert report.exists() == (status < 2)


def test_a_game_that_can_not_be_loaded(fails: dict[str, str]) -> None:
    fails["import"] = "raises"
    for cached in (entries, games._loaded):
        cached.cache_clear()
    assert "three-stones" not in games.packages()
    _, (answer,), _ = command("check", lines={"position": {"game": "three-stones"}})
    why = "can't be loaded (referee-faulty 1.0, faulty_stones:package, SystemExit: no licence): repair it, or"
    assert why in answer["error"]["message"]
    status, _, told = command("replay", str(faulty.EXAMPLE / "three_stones" / "playthrough.txt"))
    assert (status, why in told) == (2, True)
