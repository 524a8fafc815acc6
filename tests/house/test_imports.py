"""Holds the rooms to their order: every room imports only from rooms below it, and no import runs in a circle."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("referee", "vision", "calibration", "web")

BELOW: dict[str, tuple[str, ...]] = {
    "referee.values": (),
    "calibration": ("referee.values",),
    "vision": ("referee.values", "calibration"),
    "referee.games": ("referee.values", "referee.kinds"),
    "referee.opponents": ("referee.values", "referee.games"),
    "referee.certificate": ("referee.values",),
    "referee.match": ("referee.values", "referee.games", "referee.kinds"),
    "referee.view": ("referee.values", "referee.games", "referee.match", "referee.kinds"),
    "referee.session": (
        "referee.values",
        "calibration",
        "vision",
        "referee.games",
        "referee.match",
        "referee.view",
        "referee.kinds",
    ),
    "referee.kinds": ("referee.values",),
    "referee.addons": ("referee.values",),
    "referee.storage": ("referee.values",),
    "referee.archive": (
        "referee.values",
        "calibration",  # a table's pictures are packed without their metadata
        "referee.games",
        "referee.match",
        "referee.storage",
    ),
    "referee.report": (
        "referee.values",
        "calibration",
        "vision",
        "referee.games",
        "referee.match",
        "referee.storage",
        "referee.archive",
        "referee.view",
        "referee.session",
        "referee.kinds",
    ),
    "referee.buttonbox": ("referee.values",),
    "web": ("referee.values", "referee.certificate", "referee.kinds", "referee.addons"),
    "referee.service": ("referee.values", "referee.addons", "referee.storage", "web"),
}
"""What each room may import besides itself; rooms that are not named stand at the edge, where all parts meet."""
SERVES = {
    "observation": "referee.values",
    "presets": "referee.values",
    "kitcheck": "referee.values",
    "session": "referee.session",
    "reader": "referee.session",
    "turn": "referee.match",
    "judging": "referee.match",
    "view": "referee.view",
    "virtual": "referee.virtual",
    "bodies": "referee.virtual",
    "tablejudge": "referee.certificate",
    "tasks": "referee.addons.rehearsals",
    "eyes": "referee.daemon",
    "certificate": "referee.daemon",
    "rehearsal": "referee.addons.rehearsals",
    "desk": "referee.daemon",
    "table": "referee.cli",
    "requests": "referee.cli",
    "report": "referee.report",
    "drawing": "referee.report",
}
"""A kind's module stands in the room it serves: it imports what that room may, and is imported as that room is.

Modules that are not named stand with the kind's session.
"""
ADDONS = tuple(f"referee.addons.{path.parent.name}" for path in (ROOT / "referee" / "addons").glob("*/__init__.py"))
"""Packages of add-ons: they may import all of the core, and one another."""
EDGE = (
    *ADDONS,
    "referee.daemon",
    "referee.virtual",
    "referee.doctor",
    "referee.demo",
    "referee.again",
    "referee.cli",
)
OF_A_TEST = re.compile(
    r"^[ \t]*(?:from[ \t]+\S*\btest_|from[ \t]+\S+[ \t]+import[ \t]+(?:\([^)]*|[^(\n]*)\btest_"
    r"|import[ \t][^\n]*\btest_)",
    re.MULTILINE,
)
"""An import of a module, or of a name in one, that is a test's."""


def sources() -> list[Path]:
    return sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path): path for path in sources()}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imports(name: str) -> frozenset[str]:
    """Return the modules of ours that a module imports, under their full names."""
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            assert node.module is not None
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in MODULES else node.module for one in inside}
    return frozenset(one for one in found if one.split(".")[0] in OURS)


def served(name: str) -> str:
    """Return the room that a kind's module serves, empty for every other module."""
    parts = name.split(".")
    return SERVES.get(parts[3], "referee.session") if parts[:2] == ["referee", "kinds"] and len(parts) > 3 else ""


def room(name: str) -> str:
    return served(name) or next(
        (one for one in (*ADDONS, *BELOW, *EDGE) if name == one or name.startswith(one + ".")), ""
    )


def test_every_module_stands_in_a_room() -> None:
    assert not tree("referee").body, "referee/__init__.py stays empty"
    assert [name for name in MODULES if name != "referee" and not room(name)] == []


def test_imports_point_one_way() -> None:
    found = {}
    for name in MODULES:
        at = room(name)
        if at in BELOW:
            stray = {one for one in imports(name) if room(one) not in (*BELOW[at], at)}
            if stray:
                found[name] = sorted(stray)
    assert found == {}


def test_the_core_imports_no_add_on() -> None:
    found = {name: sorted(one for one in imports(name) if room(one) in ADDONS) for name in MODULES}
    assert not {name: addons for name, addons in found.items() if addons and room(name) not in ADDONS}


def test_no_import_cycles() -> None:
    try:
        TopologicalSorter({name: imports(name) - {name} for name in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_a_room_below_never_looks_up() -> None:
    """The rooms themselves have no cycle, so the table above is a house and not a ring."""
    TopologicalSorter({one: set(below) for one, below in BELOW.items()}).prepare()


def test_one_name_for_one_thing() -> None:
    """No two public classes share a name."""
    places: dict[str, list[str]] = defaultdict(list)
    for name in MODULES:
        for node in tree(name).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    assert not {name: where for name, where in places.items() if len(where) > 1}


def test_no_test_imports_another_test() -> None:
    """What tests share lies in modules of its own: a test can be renamed, split and dropped without the others."""
    paths = [path for folder in ("tests", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    assert not [path for path in paths if OF_A_TEST.search(path.read_text(encoding="utf-8"))]
