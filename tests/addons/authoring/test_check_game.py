"""``referee check-game`` finds nothing in a game that holds, and every defect that is planted in one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.addons.authoring.checkgame import PARTS, found
from referee.addons.authoring.subject import Check, Subject
from referee.games import check_kit
from referee.games.contract import Plays, Rules
from referee.games.record import RecordRules
from tests.addons.authoring.written import MODULE, NAME, checked, imported, referee, spoil, write
from tests.installing import bring, install
from tests.shared import SHARED

PO = f"locale/fr/LC_MESSAGES/{MODULE}.po"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the game's distribution, which holds."""
    return write(tmp_path_factory.mktemp("written"))


def told(subject: Subject, parts: Sequence[tuple[str, tuple[Check, ...]]] = PARTS) -> Iterator[str]:
    """Yield what is found, check by check."""
    return (one for _, checks in parts for check in checks for one in found(check, subject))


def told_of(distribution: Path, parts: Sequence[tuple[str, tuple[Check, ...]]]) -> Iterator[str]:
    """Yield what is found in a game, when it is loaded or after that."""
    try:
        with imported(distribution) as subject:
            check_kit(subject.raw.game.kit)
            yield from told(subject, parts)
    except ValueError as error:
        yield str(error)


PLANTED: dict[str, tuple[str, str, str, str]] = {
    "two hues alike": ("kit.py", "paint_of(word)", 'paint_of("blue")', "'red' and 'blue' can't be told apart"),
    "a hue between two": ("kit.py", "paint_of(word)", 'paint_of("light")', "'red'"),
    "unknown shape": ("kit.py", '"pawn", paint', '"disc", paint', "unknown shape 'disc'"),
    "unknown figure": ("presets.py", '"knight"', '"pawn"', "no table has a figure 'pawn'"),
    "untranslated breach": (PO, "Un pion avance sur une case voisine : {at}.", "", "fr: 'A pawn steps to a neigh"),
    "untranslated end": (PO, "{who} ne peut plus avancer.", "", "fr: '{who} can’t step any more.' (dry_feet/game.py"),
    "text without its field": (
        PO,
        "autre pierre n’est posée ni prise : {at}.",
        "autre : {ou}.",
        "with other {} in it",
    ),
    "field left out": (
        *("game.py", "Violation(CLIMB, (start, to), words)", "Violation(CLIMB, (to,), words)"),
        "breaches, turn 3 B1-A1 +B1: ruled step.climb A1, stated illegal: step.climb B1 A1",
    ),
    "field mirrored": (
        *(
            "game.py",
            "odd := tuple(at for at in self.raised",
            "odd := tuple(Field(at.col, at.row) for at in self.raised",
        ),
        "it points at",
    ),
    "another rule": (
        "game.py",
        "Violation(NEAR, (start",
        "Violation(CLIMB, (start",
        "ruled step.climb A1 A3, stated",
    ),
    "a rule nobody breaks": (
        "game.py",
        'RuleId("stone.kept")',
        'RuleId("stone.stays")',
        "no turn breaks stone.stays",
    ),
    "a hand lays two": (
        "laying.py",
        'heights[at] += 1 if match[1] == "+"',
        'heights[at] += 2 if match[1] == "+"',
        "finds no legal turn in the first position",
    ),
    "turns not counted": (
        "game.py",
        "turn=position.turn + 1, to_move",
        "turn=position.turn, to_move",
        "has the number 1",
    ),
    "two answers": (
        *("game.py", '"acts": [act.text for act in acts]}', '"acts": [], "at": __import__("uuid").uuid4().hex}'),
        "check gives two answers to one question",
    ),
    "anything is a position": (
        "position.py",
        "    if unknown:",
        "    if not unknown - unknown and False:",
        "position takes",
    ),
    "a piece counts twice": (
        "kit.py",
        "PieceKind(word[0], word",
        'PieceKind("x", word',
        "two pieces have the letter 'x'",
    ),
}
"""By what is wrong: the file, what stands there, what is put in its place, and what is said of it."""


@pytest.mark.long
@pytest.mark.parametrize("defect", PLANTED)
def test_a_defect_that_is_planted_is_found(tmp_path: Path, defect: str) -> None:
    file, old, new, said = PLANTED[defect]
    distribution = write(tmp_path)
    spoil(distribution / MODULE, file, old, new)
    assert any(said in one for one in told_of(distribution, PARTS[-1:] if file == PO else PARTS))


def test_the_command_tells_of_a_defect_and_fails(tmp_path: Path) -> None:
    file, old, new, said = PLANTED["field left out"]
    distribution = write(tmp_path)
    spoil(distribution / MODULE, file, old, new)
    with imported(distribution) as subject:
        told = checked(subject)
    assert told.exit_code == 1, told.output
    assert any(said in line for line in told.output.splitlines() if line.lstrip().startswith("!")), told.output


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(not os.environ.get("ALL_SCRIPTS"), reason="takes a minute: make scripts checks it")
def test_a_game_that_holds_passes_without_and_with_cameras(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(install(written, tmp_path), monkeypatch)
    ran = referee("check-game", NAME, "--sentences")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{NAME}: nothing was found." in ran.stdout
    for told in (
        "preset 'wood', one phone",
        "breaches.txt, two cameras",
        "game 2, one phone",
        "  fr  Un pion avance",
    ):
        assert told in ran.stdout


IN_SANTORINI = {
    "nothing": ("game.py", "", "", "broke 14 rules"),
    "two hues": ("kit.py", '("white", "red")', '("white", "blue")', "can't be told apart: both are blue"),
    "unknown word": ("kit.py", '"pawn"', '"worker"', "unknown shape 'worker'"),
    "sentence": (
        "locale/de/LC_MESSAGES/santorini.po",
        "Was gebaut ist, bleibt stehen: {at}.",
        "",
        "de: 'What is built",
    ),
    "field": (
        "game.py",
        "Violation(CLIMB, (start, to), words)",
        "Violation(CLIMB, (start,), words)",
        "move.climb, turn",
    ),
    "exception": (
        "game.py",
        "change = Change(position.board, observed",
        "1 // 0; change = Change(position.board, observed",
        "play, santorini.game line",
    ),
}
"""The same for a stranger's game, which states no breaches."""


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(not (SHARED / "stranger").exists(), reason="the shared game is not here")
@pytest.mark.parametrize("defect", IN_SANTORINI)
def test_a_defect_in_a_strangers_game_is_found(defect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, old, new, said = IN_SANTORINI[defect]
    shutil.copytree(SHARED / "stranger", tmp_path / "stranger", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    spoil(tmp_path / "stranger" / "santorini", file, old, new)
    if defect == "two hues":
        spoil(tmp_path / "stranger" / "santorini", file, '"red": say("Red")', '"blue": say("Blue")')
    bring(install(tmp_path / "stranger", tmp_path), monkeypatch)
    ran = referee("check-game", "santorini", "--no-cameras")
    assert ran.returncode == (defect != "nothing"), ran.stdout + ran.stderr
    assert said in ran.stdout, ran.stdout


def fails(*_: object, **__: object) -> Any:
    raise ZeroDivisionError


FUNCTIONS = sorted(
    {"laid", "prompt", "explained", "why_over"}
    | {
        name
        for kind in (Rules, RecordRules, Plays)
        for name, one in vars(kind).items()
        if name[0] != "_" and callable(one)
    }
)
"""Every function of the contract that a game of the template has."""


@pytest.mark.long
@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_exception_in_any_function_of_the_contract_is_found_and_ends_no_check(
    function: str, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with imported(written) as subject:
        raw = subject.raw
        if function == "laid":
            subject = Subject.of(replace(raw, laid=fails), "referee-dry-feet 0.1")
        else:
            owner = next(each for each in (raw.game, raw.records, raw.plays) if hasattr(each, function))
            monkeypatch.setattr(type(owner), function, fails)
        where = f"The game Dry Feet failed (referee-dry-feet 0.1, {function}, "
        assert any(where in one and "ZeroDivisionError" in one for one in told(subject))
