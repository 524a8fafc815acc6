"""Check the prose of the documents and the docstrings with proselint: ``python -m scripts.prose``.

Code, links, figures and names in capitals are blanked before. What is found is printed as FILE:LINE, and the exit
status is 1.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from proselint.checks import __register__
from proselint.config import DEFAULT, Config
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("referee", "vision", "calibration", "web", "scripts", "benchmarks")
OFF = (
    "dates_times",  # ranges of figures are no dates
    "misc.but",
    "misc.illogic",
    "misc.preferred_forms",  # "ms" and "nee" are milliseconds and seats here
    "social_awareness.sexism",  # waitress is a web server
    "typography",  # straight quotes, x between sizes and three dots are what Markdown and code have
    "weasel_words.very",
)
"""Checks of proselint that are left out."""
OURS = (
    (r"\b(?:is|are|was|were) (?:told|said) (?:to|of) nobody\b", "say who doesn't get what"),
    (
        r"\b(?:gainsaid|whereupon|thereupon|heretofore|aforesaid|unbeknownst|hearken\w*|bespeaks?)\b",
        "use a plain word",
    ),
    (r"\bmatter of opinion\b", "say who decides it"),
    (r"\botherwise than\b", "say what differs from what"),
    (r"\bwhat is no\b", "name it: an invalid one, anything else"),
    (r"\btake it that\b", "say what is assumed or counted"),
    (r"\b(?:is|are) told as\b", "say who reports or takes it as what"),
)
"""Turns of phrase that this project once had, and what to do about them."""
NO_PROSE = re.compile(
    r"``[^`]*``|`[^`]*`|<!--.*?-->|https?://\S+|(?<=\])\([^)]*\)"  # code, comments, addresses
    r"|\b[A-Z][A-Z_]+\b|\d[\d ,.:]*|\|"  # names in capitals, figures, the edges of cells
)
BLANK = " \N{WHITE SQUARE} "
"""Stands in place of code and figures, so that the words around it do not meet."""


def masked(text: str) -> str:
    """Return Markdown with everything blanked that is no prose; every line stays where it was."""
    lines, fenced = [], False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        heading = "." if line.startswith("#") else ""
        code = fenced or fence or line.startswith("    ")
        lines.append("" if code else NO_PROSE.sub(BLANK, line) + heading)
        fenced ^= fence
    return "\n".join(lines)


def documents() -> Iterator[tuple[str, str]]:
    """Yield every document with its prose."""
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        if path.name != "BENCHMARKS.md" and not {"example-game", "example-kind", "examples"} & set(path.parts):
            yield path.relative_to(ROOT).as_posix(), masked(path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield every module with its docstrings, each at its line, and nothing else."""
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        lines = [""] * (text.count("\n") + 1)
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                for number, line in enumerate(node.value.value.splitlines(), node.lineno - 1):
                    lines[number] = NO_PROSE.sub(BLANK, line)
        yield path.relative_to(ROOT).as_posix(), "\n".join(lines)


def found() -> Iterator[str]:
    """Yield what is amiss, as FILE:LINE: WORDS."""
    CheckRegistry().register_many(__register__)
    checks = DEFAULT["checks"] | dict.fromkeys(OFF, False)
    finest_first = dict(sorted(checks.items(), key=lambda check: -check[0].count(".")))
    config: Config = {"max_errors": DEFAULT["max_errors"], "checks": finest_first}
    for name, text in [*documents(), *docstrings()]:
        for result in LintFile(name, text).lint(config) if text.strip() else ():
            told = result.check_result
            yield f"{name}:{result.pos[0]}: {' '.join(told.message.split())} ({told.check_path})"
        for pattern, instead in OURS:
            for hit in re.finditer(pattern, text, re.IGNORECASE):
                yield f"{name}:{text.count(chr(10), 0, hit.start()) + 1}: {hit[0]!r}: {instead}"


def main() -> int:
    """Print what is found."""
    told = list(found())
    sys.stdout.writelines(f"{line}\n" for line in told)
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
