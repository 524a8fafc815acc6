"""Imports point one way: every room knows only the rooms the design lets it know."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("referee", "vision", "calibration", "web")
CORE = ("referee.board", "referee.belief", "referee.choices", "referee.ruling", "referee.words")
STATE = ("referee.events", "referee.phases", "referee.state")
ALLOWED: dict[str, tuple[str, ...]] = {
    "referee/board.py": (),
    "referee/belief.py": ("referee.board",),
    "referee/words.py": ("referee.board",),
    "referee/boardtext.py": ("referee.board",),
    "referee/choices.py": ("referee.board", "referee.words"),
    "referee/ruling.py": ("referee.board", "referee.belief", "referee.choices", "referee.words"),
    "referee/adjudicate.py": CORE,
    "referee/certificate": (*CORE, "referee.certificate"),
    "referee/doctor": ("referee.doctor",),
    "referee/tracking.py": (*CORE, "referee.adjudicate"),
    "referee/games": (*CORE, "referee.games"),
    "referee/events": (*CORE, "referee.events"),
    "referee/phases.py": ("referee.events",),
    "referee/state.py": (*CORE, "referee.events", "referee.phases"),
    "referee/table.py": (*CORE, *STATE),
    "referee/commands.py": (*CORE, *STATE, "referee.table"),
    "referee/live.py": (*CORE, *STATE, "referee.table", "referee.boardtext"),
    "referee/view": (
        *CORE,
        *STATE,
        "referee.table",
        "referee.commands",
        "referee.live",
        "referee.view",
        "referee.boardtext",
    ),
    "referee/journal.py": CORE,
    "referee/diskspace.py": (),
    "referee/evidence.py": ("referee.diskspace", "referee.words"),
    "referee/export.py": (
        *CORE,
        *STATE,
        "referee.table",
        "referee.games",
        "referee.journal",
        "referee.evidence",
    ),
    "referee/logs.py": ("referee.masking",),
    "referee/masking.py": (),
    "referee/retention.py": ("referee.evidence", "referee.journal"),
    "referee/storekeeper.py": ("referee.diskspace", "referee.retention"),
    "referee/vitals.py": (),
    "referee/watchdog.py": (),
    "referee/settings.py": ("referee.masking",),
    "referee/checkpoint.py": ("referee.journal",),
    "referee/feed.py": ("referee.journal", "web.tableview"),
    "referee/boxline.py": (),
    "referee/boxlink.py": ("referee.boxline",),
    "referee/serialbox.py": ("referee.boxlink", "referee.words"),
    "calibration": ("calibration", "referee.words"),
    "vision": ("vision", "calibration", "referee.board", "referee.belief", "referee.words"),
    "web": ("web", "referee.vitals", "referee.certificate", *CORE),
}
EVERYWHERE = ("referee/pairing.py", "referee/daemon", "referee/server.py", "referee/demo", "referee/cli")


def own_imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in OURS}


def sources(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix else sorted(path.rglob("*.py"))


def within(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(place + ".") for place in places)


@pytest.mark.parametrize("place", ALLOWED)
def test_imports_point_one_way(place: str) -> None:
    for path in sources(place):
        if path.exists():
            stray = {name for name in own_imports(path) if not within(name, ALLOWED[place])}
            assert not stray, f"{path.relative_to(ROOT)} imports {sorted(stray)}"


def test_every_source_has_a_room() -> None:
    rooms = (*ALLOWED, *EVERYWHERE)
    for package in OURS:
        for path in (ROOT / package).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            if place != "referee/__init__.py":
                assert any(place == room or place.startswith(room + "/") for room in rooms), place


def test_referee_init_stays_empty() -> None:
    assert (ROOT / "referee" / "__init__.py").read_text(encoding="utf-8") == ""


def test_only_its_own_room_names_the_game() -> None:
    """Vision, journal, daemon, commands and page serve every game, so none of them may name one."""
    for package in OURS:
        for path in (ROOT / package).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith("referee/games/"):
                text = path.read_text(encoding="utf-8").lower().replace("-", "_").replace(" ", "_")
                assert "terra_turrium" not in text, place


def test_files_stay_small() -> None:
    for package in (*OURS, "tests"):
        for path in (ROOT / package).rglob("*.py"):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            assert lines <= 500, f"{path.relative_to(ROOT)} has {lines} lines"
