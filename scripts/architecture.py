"""Draw the rooms and their imports into docs/develop/tour.md, from the imports themselves.

``python -m scripts.architecture`` writes the drawing; with ``--check`` it only says whether it is up to date.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "develop" / "tour.md"
OURS = ("referee", "vision", "calibration", "web")
BEGIN, END = "<!-- drawn from the imports: python -m scripts.architecture -->", "<!-- end of the drawing -->"


def room(module: str) -> str:
    """The room a module stands in: the part of ``referee``, or the whole floor elsewhere."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "referee" else parts[0]


def edges() -> dict[str, set[str]]:
    """Each room with the rooms it imports from."""
    found: dict[str, set[str]] = defaultdict(set)
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if name == "referee":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS:
                    target = node.module if "." in node.module else f"{node.module}.{node.names[0].name}"
                    found[room(name)].add(room(target))
            found[room(name)].discard(room(name))
    return dict(found)


def floors(imports: dict[str, set[str]]) -> list[list[str]]:
    """The rooms from the ground up: each stands on the lowest floor above all it imports."""
    height: dict[str, int] = {}
    for one in TopologicalSorter(imports).static_order():
        height[one] = max((height[below] + 1 for below in imports.get(one, ())), default=0)
    top = max(height.values())
    return [sorted(one for one, floor in height.items() if floor == number) for number in range(top + 1)]


def drawing() -> str:
    """The rooms floor by floor, the top one first, and the imports that no other import implies."""
    imports = edges()
    rows = floors(imports)
    lines = [BEGIN, "```mermaid", "flowchart TD"]
    for number, rooms in reversed(list(enumerate(rows))):
        lines.append(f"  subgraph floor{number} [ ]")
        lines += [f'    {_id(one)}["{one}"]' for one in rooms]
        lines.append("  end")
    for one in sorted(imports):
        direct = {
            below for below in imports[one] if not any(_reaches(imports, o, below) for o in imports[one] - {below})
        }
        lines += [f"  {_id(one)} --> {_id(below)}" for below in sorted(direct)]
    lines += ["```", END]
    return "\n".join(lines)


def _reaches(imports: dict[str, set[str]], one: str, other: str) -> bool:
    return other in imports.get(one, ()) or any(_reaches(imports, below, other) for below in imports.get(one, ()))


def _id(name: str) -> str:
    return name.replace(".", "_")


def updated(text: str) -> str:
    """The page with the drawing made anew."""
    before, _, rest = text.partition(BEGIN)
    return before + drawing() + rest.partition(END)[2]


def main() -> int:
    """Write the drawing, or say that it is out of date."""
    text = PAGE.read_text(encoding="utf-8")
    made = updated(text)
    if "--check" in sys.argv:
        return int(made != text)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
