"""Print the product's lines by room, core and add-ons apart, what the core imports of them, and a session's shape.

``python -m scripts.sizes`` counts Python, JavaScript, style sheets and templates, without vendored files.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("referee", "vision", "calibration", "web")
COUNTED = frozenset({".py", ".js", ".css", ".html"})
NOT_OURS = ("web/manual/", "web/static/vendor/", "referee/report/static/uplot")
SCRIPTS = re.compile(r"""(?:from|import\() ?"\./([\w/]+\.js)\"""")
"""What a script imports from beside it."""
GRID_WORDS = frozenset({"height", "heights", "flag", "flags", "stone", "stones", "untouched"})

ADDONS: dict[str, tuple[str, ...]] = {
    "rehearsals": ("referee/kinds/*/rehearsal.py", "referee/kinds/*/tasks.py"),
}
"""Add-ons by name, and the files of theirs that lie in rooms of the core."""


def files() -> list[str]:
    """Return the product's own files that are counted, as paths below the root."""
    found = (
        path.relative_to(ROOT).as_posix()
        for floor in FLOORS
        for path in (ROOT / floor).rglob("*")
        if path.suffix in COUNTED and path.is_file()
    )
    return sorted(path for path in found if not path.startswith(NOT_OURS))


def addon_of(path: str) -> str:
    """Return the add-on that a file belongs to; empty for the core's."""
    if (parts := path.split("/"))[:2] == ["referee", "addons"] and len(parts) > 3:
        return parts[2]
    return next((name for name, own in ADDONS.items() if any(fnmatch(path, one) for one in own)), "")


def room_of(path: str) -> str:
    """Return the room of the core that a file stands in; a kind's and a game's rooms are those packages."""
    parts = path.split("/")
    deep = 3 if parts[:2] in (["referee", "kinds"], ["referee", "games"]) else 2 if parts[0] == "referee" else 1
    return "/".join(parts[: min(deep, len(parts) - 1)])


def lines_of(path: str) -> int:
    """Return how many lines a file has."""
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def sizes() -> tuple[Counter[str], Counter[str]]:
    """Return the core's lines by room, and the add-ons' by name."""
    core, addons = Counter[str](), Counter[str]()
    for path in files():
        addon = addon_of(path)
        (addons if addon else core)[addon or room_of(path)] += lines_of(path)
    return core, addons


def _imports(path: str) -> set[str]:
    """Return the files of ours that a module or a script imports."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".js"):
        return {(PurePosixPath(path).parent / name).as_posix() for name in SCRIPTS.findall(text)}
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {f"{name.replace('.', '/')}.py" for name in names if name.split(".")[0] in FLOORS}


def crossings() -> list[tuple[str, str, str]]:
    """Return each of the core's files that imports an add-on: its path, the add-on, and the file imported there."""
    return [
        (path, addon, other)
        for path in files()
        if path.endswith((".py", ".js")) and not addon_of(path)
        for other in sorted(_imports(path))
        if (addon := addon_of(other)) and (ROOT / other).exists()
    ]


def remembered() -> dict[str, int]:
    """Return how large the core of a session is, and how much of it can change or must be known together."""
    session = sorted((ROOT / "referee/session").glob("*.py"))
    kinds = sorted((ROOT / "referee/kinds").glob("*/session.py"))
    match = [ROOT / f"referee/match/{name}.py" for name in ("state", "transitions", "phases")]
    classes = {node.name: node for path in (*session, *kinds) for node in _classes(path)}
    state = {node.name: node for node in _classes(ROOT / "referee/match/state.py")}
    ruled = {node.name: node for node in _classes(ROOT / "referee/match/events/ruled.py")}
    public = {
        name
        for part in ("Refereeing", "Viewing", "Session")
        for name in (*_methods(classes[part]), *_assigned(classes[part], inside=True))
        if not name.startswith("_")
    }
    grids = sum(
        len(_lines_with(GRID_WORDS, path))
        for room in ("session", "match", "view", "daemon")
        for path in (ROOT / "referee" / room).rglob("*.py")
    )
    return {
        "lines of session, state, transitions, phases and the kinds' sessions": sum(
            lines_of(path.relative_to(ROOT).as_posix()) for path in (*session, *kinds, *match)
        ),
        "attributes that change in sessions and adapters": sum(
            len(_assigned(node, inside=False)) for node in classes.values()
        ),
        "public members of a session": len(public),
        "members of an adapter": sum(name[0] != "_" for name in _methods(classes["ObservationAdapter"])),
        "fields of the table's state": _fields(state["TableState"]),
        "most fields of a ruling's variant": max(_fields(ruled[name]) for name in ("Legal", "Illegal", "Unsure")),
        "lines outside of the grid's kind with a word of its own": grids,
    }


def _lines_with(names: frozenset[str], path: Path) -> set[int]:
    """Return the numbers of a file's lines of code in which one of the names stands."""
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    return {token.start[0] for token in tokens if token.type == tokenize.NAME and token.string in names}


def _classes(path: Path) -> list[ast.ClassDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def _methods(node: ast.ClassDef) -> list[str]:
    return [part.name for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("__")]


def _fields(node: ast.ClassDef) -> int:
    return sum(isinstance(part, ast.AnnAssign) and "ClassVar" not in ast.dump(part) for part in node.body)


def _assigned(node: ast.ClassDef, inside: bool) -> set[str]:
    """Return the attributes of ``self`` that a class assigns: inside its ``__init__``, or anywhere else."""
    return {
        target.attr
        for part in node.body
        if isinstance(part, ast.FunctionDef) and (part.name == "__init__") == inside
        for target in ast.walk(part)
        if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store)
        if isinstance(target.value, ast.Name) and target.value.id == "self"
    }


def table() -> list[str]:
    """Return the lines that are printed."""
    lines = []
    for title, counted in zip(("core", "add-ons"), sizes(), strict=True):
        lines.append(f"{title:<28}{counted.total():>8,}")
        lines += [f"  {name:<26}{count:>8,}" for name, count in counted.most_common()]
    found = crossings()
    lines.append(f"{len(found)} imports of an add-on, in {len({path for path, _, _ in found})} files of the core")
    lines += [f"  {path} ({addon}): {other}" for path, addon, other in found]
    return lines + [f"{count:>6,}  {what}" for what, count in remembered().items()]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(), ""]))
