"""Judges a recorded game again: the same eyes and rules decide the same, and every difference has a cause."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.again.audit import AgainAudit
from referee.again.comparison import Cause, JudgedAgain, explained, rules_of, tally
from referee.again.page import audit_report
from referee.archive.export import export
from referee.archive.measures import measures_folder
from referee.cli import main
from referee.games import game_named, package_named
from referee.match.events import TurnRuled, Unsure, Verdict
from referee.report.disputepage import Evidence
from referee.report.gamefile import GameFile, opened_game
from referee.report.html import html_of
from referee.report.overlays import Overlays
from referee.session.readers import reader_of
from referee.storage.journal import JournalEntry, read_journal
from tests.again.recorded import bundled, recorded
from tests.archive.game import packed, unpacked, write_journal
from tests.report.playing import played
from tests.shared import TABLES
from vision.reader import TableReader

pytestmark = pytest.mark.long

GAME = game_named("terra-turrium")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Referee the first looks of the bundled recording and pack them."""
    path = tmp_path_factory.mktemp("again") / "game.journal"
    bundled(path, looks=2)
    export(path, path.with_suffix(".zip"), measures_folder(path))
    return path.with_suffix(".zip")


@pytest.fixture(scope="module")
def file(exported: Path) -> Iterator[GameFile]:
    with opened_game(exported) as opened:
        yield opened


@pytest.fixture(scope="module")
def judged(file: GameFile) -> list[JudgedAgain]:
    assert file.table is not None
    eyes = TableReader.open(file.table, kit=GAME.kit)
    return list(AgainAudit(GAME, eyes, file.picture).all(file.entries))


def test_the_same_eyes_and_rules_say_the_same(judged: list[JudgedAgain]) -> None:
    assert [one.past.then.verdict for one in judged] == [Verdict.ILLEGAL, Verdict.LEGAL]
    assert [one.cause for one in judged] == [Cause.SAME, Cause.SAME]
    assert tally(tuple(judged)).same == 2


def _spoilt(text: str, row: int, sign: str) -> str:
    rows = text.split("/")
    rows[row] = sign + rows[row][1:]
    return "/".join(rows)


def _then(one: JudgedAgain, **changes: Any) -> JudgedAgain:
    return replace(one, past=replace(one.past, then=replace(one.past.then, **changes)))


def test_what_is_read_otherwise_is_put_down_to_the_reading(judged: list[JudgedAgain]) -> None:
    legal = judged[1]
    assert legal.now is not None
    other = replace(legal, now=replace(legal.now, observed=_spoilt(legal.now.observed, 0, "3")))
    assert other.cause is Cause.READING
    assert explained(other, GAME.kit).text() == "The rules say the same as then; today’s eyes read 1 field otherwise."


def test_what_is_ruled_otherwise_is_put_down_to_the_rules(judged: list[JudgedAgain]) -> None:
    unsure = _then(judged[1], found=Unsure())
    assert unsure.cause is Cause.RULE
    ruled = replace(judged[1].ruled, found=Unsure())
    assert replace(judged[1], ruled=ruled, past=unsure.past).cause is Cause.READING
    assert judged[0].now is not None
    assert replace(unsure, now=judged[0].now).cause is Cause.BOTH


def test_what_today_is_not_read_is_told(file: GameFile) -> None:
    found = list(AgainAudit(GAME, None, file.picture).all(file.entries))
    assert {one.cause for one in found} == {Cause.UNREAD}
    assert "not known here" in explained(found[0], GAME.kit).text()


def test_without_pictures_only_the_rules_are_applied_again(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "game.journal")
    found = list(AgainAudit(GAME, None, lambda content: None).all(read_journal(path)))
    assert [one.cause for one in found] == [Cause.SAME] * 3


def test_the_command_tells_each_ruling_and_writes_the_differences(exported: Path, tmp_path: Path) -> None:
    out = tmp_path / "audit.html"
    done = CliRunner().invoke(main, ["audit", "--game", str(exported), "--turn", "1", "--report", str(out)])
    assert done.exit_code == 0, done.output
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["turn"], one["then"]["ruling"], one["now"]["rules"], one["cause"]) for one in told] == [
        (1, "illegal", told[0]["then"]["rules"], "same"),
        (1, "legal", [], "same"),
    ]
    assert "Of 2 rulings 2 are the same" in done.stderr
    assert "Every ruling" in out.read_text(encoding="utf-8")


def test_an_export_without_a_lens_gives_no_advice_on_folders_that_are_gone(exported: Path, tmp_path: Path) -> None:
    files = {name: content for name, content in unpacked(exported).items() if "/calibration/" not in name}
    (tmp_path / "blind.zip").write_bytes(packed(files))
    done = CliRunner().invoke(main, ["audit", "--game", str(tmp_path / "blind.zip")])
    told = f"{tmp_path / 'blind.zip'}: it holds no lens: its pictures can't be read again"
    assert (done.exit_code, done.stderr) == (2, f"referee audit: {told}\n")


def test_a_difference_is_shown_with_both_boards(file: GameFile, judged: list[JudgedAgain]) -> None:
    legal = judged[1]
    assert legal.now is not None
    other = replace(legal, now=replace(legal.now, observed=_spoilt(legal.now.observed, 0, "3")))
    page = html_of(audit_report(GAME, [judged[0], other], Evidence(file.picture)))
    assert page.count("<svg") == 2
    assert page.count("<img") == 2
    assert "today’s eyes read 1 field otherwise" in page


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--turn", "1"], "belong to --game"),
        ([], "Missing option '--table'"),
        (["--game", "nothing.zip"], "nothing.zip"),
    ],
)
def test_what_does_not_fit_together_is_told(options: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["audit", *options])
    assert (done.exit_code, said in done.output) == (2, True)


def test_a_turn_nobody_ruled_on_is_told(exported: Path) -> None:
    done = CliRunner().invoke(main, ["audit", "--game", str(exported), "--turn", "9"])
    assert (done.exit_code, "no turn 9 was ruled on" in done.output) == (2, True)


def test_towers_of_several_turns_are_ruled_on_again(tmp_path: Path) -> None:
    game = game_named("turris")
    entries = read_journal(played(tmp_path / "towers.journal", "turris", 3))

    def told(entry: JournalEntry) -> JournalEntry:
        if entry.kind != "reading":
            return entry
        tower = entry.data["board"]
        return replace(entry, data={**entry.data, "belief": f"{tower} {tower} south"})

    found = list(AgainAudit(game, None, lambda content: None).all([told(entry) for entry in entries]))
    assert [one.cause for one in found] == [Cause.SAME] * 3


@pytest.mark.long
def test_a_tower_is_read_again_from_all_looks_of_its_turn(tmp_path: Path) -> None:
    recording = package_named("turris").recording
    assert recording is not None
    path = tmp_path / "tower.journal"
    bundled(path, looks=2, folder=recording)
    export(path, tmp_path / "tower.zip", measures_folder(path))
    with opened_game(tmp_path / "tower.zip") as opened:
        game = game_named("turris")
        found = list(AgainAudit(game, reader_of(game, opened.table), opened.picture).all(opened.entries))
        assert [one.cause for one in found] == [Cause.SAME, Cause.SAME]
        assert [one.reading and one.reading.belief for one in found] == [
            one.past.state.reading and one.past.state.reading.belief for one in found
        ], "the second look adds to the first, as it did then"
        without = list(AgainAudit(game, None, opened.picture).all(opened.entries))
        assert {one.cause for one in without} == {Cause.UNREAD}
        report = html_of(audit_report(game, found, Evidence(opened.picture, Overlays.at(game, opened.table))))
    assert "Of 2 rulings 2 are the same" in report


@pytest.mark.long
@pytest.mark.skipif(not TABLES.is_dir(), reason="no photographed tables here")
@pytest.mark.parametrize(("table", "name"), [("kitchen", "game2a"), ("club", "game1a")])
def test_a_photographed_game_audited_again_is_as_right_as_then(tmp_path: Path, table: str, name: str) -> None:
    path = tmp_path / "game.journal"
    truth = recorded(TABLES / table, name, path)
    export(path, tmp_path / "game.zip", measures_folder(path))
    with opened_game(tmp_path / "game.zip") as opened:
        assert opened.table is not None
        eyes = TableReader.open(opened.table, kit=GAME.kit)
        found = list(AgainAudit(GAME, eyes, opened.picture).all(opened.entries))
    assert [_right(one.past.then, what) for one, what in zip(found, truth, strict=True)] == [
        one.now is not None and _right(one.now, what) for one, what in zip(found, truth, strict=True)
    ]


def _right(ruled: TurnRuled, what: Any) -> bool:
    right: bool = what.right(ruled.verdict.value, rules_of(ruled))
    return right
