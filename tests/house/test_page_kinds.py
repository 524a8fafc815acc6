"""The page never asks which kind of observation it shows: nothing but a kind's own folder names the kind.

What differs from kind to kind is in the kind's widget (web/static/kinds.js says what that is).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ("referee", "vision", "calibration", "web")
ENDINGS = ("*.js", "*.css", "*.html")
NOT_OURS = ("web/static/vendor/", "web/manual/", "referee/report/static/uplot.min.")
KINDS = sorted(path.parent.name for path in (ROOT / "referee" / "kinds").glob("*/__init__.py"))

LAYOUT = re.compile(
    r"display:\s*(?:inline-)?grid|\bgrid-(?:area|auto|column|row|template)[\w-]*:|\.style\.grid[A-Z]\w+"
)
"""What style sheets say of layout; no kind is meant."""
SWITCH = re.compile(
    r"\b(?:board|kit|before|after|like|shown)\??\.kind\b"  # board.kind === …
    r"|\{[^{}\n]*\bkind\b[^{}\n]*\}\s*=\s*[\w.]*\b(?:board|kit|before|after)\b"  # const { kind } = state.board
    r"|\[data-kind="  # a style for one kind
)

ALLOWED = {
    ("referee/report/static/session.js", "grid"): "lines behind a chart, as the chart's library calls them",
    ("web/static/app.js", "grid"): "a role in the accessibility tree",
    ("web/static/fieldwalk.js", "grid"): "a role in the accessibility tree",
    ("web/static/setup.js", "grid"): "the lines that are drawn over a camera's picture, whatever is observed",
    ("web/static/virtual.js", "tower"): "a pile of cubes that somebody knocks over",
}
"""Names that stand somewhere else, with the reason."""


def asked(text: str, own: str = "") -> set[str]:
    """Return what a file asks or names of kinds: their names but its own, and ``switch`` where it looks at one."""
    said = LAYOUT.sub("", text).lower()
    return {kind for kind in KINDS if kind != own and kind in said} | ({"switch"} if SWITCH.search(text) else set())


def owner(name: str) -> str:
    """Return the kind in whose folder a file lies, empty for none."""
    found = re.match(r"referee/kinds/(\w+)/page/", name)
    return found[1] if found else ""


def found() -> set[tuple[str, str]]:
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for place in PLACES
        for ending in ENDINGS
        for path in (ROOT / place).rglob(ending)
    }
    return {
        (name, what)
        for name, text in files.items()
        if not name.startswith(NOT_OURS)
        for what in asked(f"{Path(name).name}\n{text}", owner(name))
    }


def test_only_a_kind_knows_its_name() -> None:
    """Ask the widget (web/static/kinds.js), move it into the kind's folder, or give a reason here, while needed."""
    assert found() == set(ALLOWED)


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ('if (state.board.kind === "tower") turn();', {"tower", "switch"}),
        ("const { kind } = state.board;", {"switch"}),
        ("const draws = { [found.before?.kind]: drawn };", {"switch"}),
        ('import { drawGrid } from "./board.js";', {"grid"}),
        (".room .ledger { gap: 1em; }", {"ledger"}),
        ('[data-kind="cups"] { gap: 1em; }', {"switch"}),
        ("a { display: grid; grid-template-columns: 1fr; grid-area: b; }", set()),
        ('if (field.kind === "choice") ask(pieces.map((kind) => kind.word));', set()),
    ],
)
def test_a_switch_is_found(text: str, hits: set[str]) -> None:
    assert asked(text) == hits


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_brings_its_widget(kind: str) -> None:
    widget = ROOT / "referee" / "kinds" / kind / "page" / "widget.js"
    assert "export const widget = {" in widget.read_text(encoding="utf-8")
