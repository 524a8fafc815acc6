"""Print the product's lines by room, the core and its add-ons apart, and which core files import an add-on.

``python -m scripts.sizes`` counts Python, JavaScript, style sheets and templates, without vendored files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("referee", "vision", "calibration", "web")
COUNTED = frozenset({".py", ".js", ".css", ".html"})
NOT_OURS = ("web/manual/", "web/static/vendor/", "referee/report/static/uplot")
SCRIPTS = re.compile(r"""(?:from|import\() ?"\./([\w/]+\.js)\"""")
"""What a script imports from beside it."""

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


def table() -> list[str]:
    """Return the lines that are printed."""
    lines = []
    for title, counted in zip(("core", "add-ons"), sizes(), strict=True):
        lines.append(f"{title:<28}{counted.total():>8,}")
        lines += [f"  {name:<26}{count:>8,}" for name, count in counted.most_common()]
    found = crossings()
    lines.append(f"{len(found)} imports of an add-on, in {len({path for path, _, _ in found})} files of the core")
    return lines + [f"  {path} ({addon}): {other}" for path, addon, other in found]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*table(), ""]))
