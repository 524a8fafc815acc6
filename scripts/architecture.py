"""Draw the rooms and their imports for docs/develop/tour.md, from the imports themselves.

``python -m scripts.architecture`` writes the drawing; with ``--check`` it only says whether it is up to date.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "develop" / "tour.md"
DRAWING = ROOT / "docs" / "develop" / "rooms.svg"
OURS = ("referee", "vision", "calibration", "web")
WIDE, HIGH, GAP, ROW = 140, 30, 14, 66
"""Width and height of a room's box, the space between two, and from one floor to the next."""
VIA = ">"
"""Stands in the name of a place where an import passes a floor."""


def room(module: str) -> str:
    """Return the room a module stands in: the part of ``referee``, or the whole package elsewhere."""
    parts = module.split(".")
    if parts[:2] == ["referee", "kinds"]:  # a kind stands on the rooms it serves, which stand on the registry
        if parts[3:] in (["observation"], ["presets"]):
            return "referee.values"
        return "kinds/NAME" if parts[2:] else "referee.kinds"
    if parts[:2] == ["referee", "addons"] and parts[2:]:
        return "addons/NAME"
    return ".".join(parts[:2]) if parts[0] == "referee" else parts[0]


def edges() -> dict[str, set[str]]:
    """Return each room with the rooms it imports from."""
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
    """Return the rooms from the ground up: each stands on the lowest floor above all it imports."""
    height: dict[str, int] = {}
    for one in TopologicalSorter(imports).static_order():
        height[one] = max((height[below] + 1 for below in imports.get(one, ())), default=0)
    top = max(height.values())
    return [sorted(one for one, floor in height.items() if floor == number) for number in range(top + 1)]


def drawing() -> str:
    """Return an SVG of the rooms floor by floor, the top one first, with the imports that no other import implies."""
    imports = edges()
    rows, ways = _with_ways(floors(imports)[::-1], imports)
    rows = _ordered(rows, ways)
    width, height = max(map(_length, rows)) + 2 * GAP, len(rows) * ROW + GAP
    middles = {
        one: (x + width / 2, GAP + number * ROW + HIGH / 2)
        for number, rooms in enumerate(rows)
        for one, x in _across(rooms).items()
    }
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#fdfbf7"/>',
        '<g fill="none" stroke="#b58449" stroke-width="1.3" opacity="0.75">',
        *(f'<path d="{_line([middles[one] for one in way])}"/>' for way in ways),
        '</g>\n<g font-size="13" text-anchor="middle" fill="#2b231a">',
    ]
    for one, (x, y) in sorted(middles.items()):
        if VIA not in one:
            box = f'x="{x - WIDE / 2:.0f}" y="{y - HIGH / 2:.0f}" width="{WIDE}" height="{HIGH}" rx="6"'
            lines.append(
                f'<rect {box} fill="#f3ede3" stroke="#7b5c3e"/><text x="{x:.0f}" y="{y + 4.5:.1f}">{one}</text>'
            )
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _wide(one: str) -> int:
    return 4 if VIA in one else WIDE


def _with_ways(rows: list[list[str]], imports: dict[str, set[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows with a narrow place wherever an import passes a floor, and the places of each import."""
    floor = {one: number for number, rooms in enumerate(rows) for one in rooms}
    rows, ways = [list(rooms) for rooms in rows], []
    for one in sorted(imports):
        for below in sorted(_direct(imports, one)):
            between = range(floor[one] + 1, floor[below])
            way = [one, *(f"{one}{VIA}{below}{VIA}{number}" for number in between), below]
            for number, place in zip(between, way[1:-1], strict=True):
                rows[number].append(place)
            ways.append(way)
    return rows, ways


def _length(rooms: list[str]) -> int:
    return sum(_wide(one) + GAP for one in rooms) - GAP


def _across(rooms: list[str]) -> dict[str, float]:
    """Return how far the middle of each place lies from the middle of its row."""
    found, x = {}, -_length(rooms) / 2
    for one in rooms:
        found[one] = x + _wide(one) / 2
        x += _wide(one) + GAP
    return found


def _ordered(rows: list[list[str]], ways: list[list[str]]) -> list[list[str]]:
    """Sort the rows by the neighbours of their places, down and up in turns; keep the shortest lines."""
    pairs = [pair for way in ways for pair in pairwise(way)]
    best, shortest = rows, float("inf")
    for turn in range(40):
        side, rows = turn % 2, [list(rooms) for rooms in rows]
        for number in range(len(rows)) if side == 0 else reversed(range(len(rows))):
            at = {one: x for rooms in rows for one, x in _across(rooms).items()}
            near = {one: [at[pair[side]] for pair in pairs if pair[1 - side] == one] for one in rows[number]}
            middle = {one: sum(xs) / len(xs) if xs else at[one] for one, xs in near.items()}
            rows[number].sort(key=middle.__getitem__)
        at = {one: x for rooms in rows for one, x in _across(rooms).items()}
        length = sum((at[upper] - at[lower]) ** 2 for upper, lower in pairs)
        if length < shortest:
            best, shortest = rows, length
    return best


def _line(places: list[tuple[float, float]]) -> str:
    """Return the path of an import from the lower edge of its room to the upper edge of the one below."""
    (x, y), *rest = places
    y += HIGH / 2
    drawn = f"M{x:.0f} {y:.0f}"
    for number, (u, v) in enumerate(rest):
        v -= HIGH / 2
        bend = (v - y) / 2
        drawn += f"C{x:.0f} {y + bend:.0f} {u:.0f} {v - bend:.0f} {u:.0f} {v:.0f}"
        x, y = u, v
        if number < len(rest) - 1:
            y += HIGH
            drawn += f"V{y:.0f}"
    return drawn


def _direct(imports: dict[str, set[str]], one: str) -> set[str]:
    below = imports.get(one, set())
    return {other for other in below if not any(_reaches(imports, o, other) for o in below - {other})}


def _reaches(imports: dict[str, set[str]], one: str, other: str) -> bool:
    return other in imports.get(one, ()) or any(_reaches(imports, below, other) for below in imports.get(one, ()))


def main() -> int:
    """Write the drawing, or say that it is out of date."""
    made = drawing()
    if "--check" in sys.argv:
        return int(DRAWING.read_text(encoding="utf-8") != made)
    DRAWING.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
