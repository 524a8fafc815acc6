"""Nobody outside a kind of observation asks which kind it is: its modules are loaded by the kit's word alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("referee", "vision", "calibration", "web")
OWN = ("referee/kinds/", "referee/games/", "vision/tower/", "vision/ledger/")
"""What belongs to one kind: its package, its games, its eyes."""
LOADERS = frozenset({"platform", "has_platform", "kind_named"})
TABLES = frozenset({"tower", "die_mm"})
"""Measures that only the tables of one kind have: asking for them is asking for the kind."""
SEEN = frozenset({"Board", "PartialBoard", "TableReader", "TowerReader", "MatReader", "MatSeen", "TowerLook"})
"""Classes outside kinds whose instances only one kind has."""

ALLOWED = {
    ("calibration/table.py", "asks for tower"): "the measure itself, for those who ask how high a base is",
    ("referee/cli/auditing.py", "asks for Board"): "an audit may ask about any field of a board, and of nothing else",
    ("referee/demo/scripted.py", "asks for Board"): "a record leaves fields of a board open, and nothing else",
    ("referee/match/standing.py", "asks for Board"): "boards of stacks are what this room judges",
    ("referee/values/board.py", "asks for Board"): "equality of a board with anything",
    ("referee/values/partial.py", "asks for PartialBoard"): "the same",
    ("referee/view/board.py", "uses kit.kind"): "tells the page which widget to load",
}
"""Where the kind is asked for all the same, and why."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(OWN):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


@cache
def classes() -> frozenset[str]:
    """Return the names of the classes that kinds define."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "referee/kinds").rglob("*.py"))
    return SEEN | {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


KINDS = frozenset(path.parent.name for path in ROOT.glob("referee/kinds/*/__init__.py"))
"""The referee's own: what else is installed may be called by a word that means something else here."""


def asked(tree: ast.Module) -> Iterator[str]:
    """Yield each way in which a module asks which kind it is."""
    loads = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in LOADERS
        for argument in call.args
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if text in KINDS:
                yield f"names {text}"
            case ast.Attribute(value=ast.Name(id="kit") | ast.Attribute(attr="kit"), attr="kind"):
                if id(node) not in loads:
                    yield "uses kit.kind"
            case ast.Compare(left=ast.Attribute(attr=measure)) if measure in TABLES:
                yield f"asks for {measure}"
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                names = {one.id for one in ast.walk(kinds) if isinstance(one, ast.Name)}
                yield from (f"asks for {name}" for name in names & classes())
            case ast.MatchClass(cls=ast.Name(id=name)) if name in classes():
                yield f"asks for {name}"
            case ast.ImportFrom(module=str() as module) if module.startswith("referee.kinds."):
                yield f"imports {module}"
            case _:
                pass


def test_no_module_asks_which_kind_it_is() -> None:
    found = {(name, way) for name, tree in sources() for way in asked(tree)}
    assert not found - set(ALLOWED), "load the kind's module (referee.kinds.platform), or give a reason here"
    assert not set(ALLOWED) - found, "these exceptions are no longer needed"


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("if game.kit.kind == word: pass", "uses kit.kind"),
        ("found = TABLES.get(kit.kind)", "uses kit.kind"),
        ("if kind in ('grid', 'cups'): pass", "names grid"),
        ("match one:\n    case TowerEvidence(): pass", "asks for TowerEvidence"),
        ("isinstance(one, str | TowerEvidence)", "asks for TowerEvidence"),
        ("if table.tower is None: pass", "asks for tower"),
        ("from referee.kinds.tower.observation import TowerEvidence", "imports referee.kinds.tower.observation"),
    ],
)
def test_every_way_of_asking_is_found(text: str, way: str) -> None:
    assert way in set(asked(ast.parse(text)))


def test_loading_a_module_of_a_kind_is_no_question() -> None:
    assert not set(asked(ast.parse('platform(game.kit.kind, "view")')))
