"""Mutation testing by random sample, for any package: change one place, run its tests, count who notices.

``python -m scripts.sampled referee/games/NAME tests/games/NAME --count 150`` needs nothing but the tests. Mutants are
drawn evenly from all places that can be changed: operators, comparisons, numbers, words, conditions, truth values and
statements that only do something. Docstrings, annotations and catalogued sentences (``say``) are left alone: they
have tests of their own. Each mutant is tried in a copy of the sources; a run of over ``--most`` seconds of processor
time is noticed, for it goes in circles. The outcomes stand in ``build/sampled-NAME.jsonl``, one a line.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("referee", "vision", "calibration", "web", "tests", "docs", "scripts", "pyproject.toml")
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Add, ast.Mod: ast.Mult, ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
LIMITED = (
    "import os, resource, sys; most = int(sys.argv[1]);"
    "resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5)); os.execv(sys.argv[2], sys.argv[2:])"
)
"""A program that becomes another one, with so many seconds of processor time left."""
WORDS_ONLY = ("say", "say_n", "verbatim", "TypeVar", "RuleId", "RequestError")


class _Places(ast.NodeVisitor):
    """Collects the nodes that can be changed."""

    def __init__(self) -> None:
        self.found: list[ast.AST] = []

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.visit(node.value)
            return
        if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDS_ONLY:
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            for child in node.body:
                if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
                    self.visit(child)
            if isinstance(node, ast.FunctionDef):
                for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one)):
                    self.visit(default)
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if _can_change(node):
            self.found.append(node)
        self.generic_visit(node)


def _can_change(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[op]):
            return type(op) in SWAPS
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            return type(op) in SWAPS
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Constant(value=value):
            return isinstance(value, bool | int | str) and value != ""
        case ast.If() | ast.IfExp():
            return True
        case ast.Expr(value=ast.Call()):
            return True
        case ast.Return(value=value):
            return value is not None and not isinstance(value, ast.Constant)
    return False


def _changed(node: ast.AST) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare():
            node.ops = [SWAPS[type(node.ops[0])]()]
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            node.op = SWAPS[type(node.op)]()
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.UnaryOp():
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int()):
            node.value = int(node.value) + 1
        case ast.Constant():
            node.value = f"XX{node.value!s}"
        case ast.Expr() | ast.Return():
            node.value = ast.Constant(None)


def places(path: Path) -> int:
    """Count the places of a file that can be changed."""
    found = _Places()
    found.visit(ast.parse(path.read_text(encoding="utf-8")))
    return len(found.found)


def mutant(path: Path, number: int) -> tuple[str, str]:
    """Return one mutant of a file: where it was changed and how, and the file's text with it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = _Places()
    found.visit(tree)
    node = found.found[number]
    before = ast.unparse(node).splitlines()[0][:70]
    _changed(node)
    ast.fix_missing_locations(tree)
    return f"{path.name}:{getattr(node, 'lineno', 0)} {type(node).__name__} {before!r}", ast.unparse(tree)


def _tried(place: Path, tests: tuple[str, ...], most_s: int) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(place),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_PROFILE": "quick",
    }
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not browser", *tests]
    # Time of the clock would call a mutant endless because others keep the machine busy.
    limited = [sys.executable, "-c", LIMITED, str(most_s), *command]
    ended = subprocess.run(limited, cwd=place, env=environment, capture_output=True, check=False).returncode
    if ended in (-signal.SIGXCPU, -signal.SIGKILL):
        return "endless"
    return "survived" if ended == 0 else "killed"


@click.command()
@click.argument("package", type=click.Path(exists=True, path_type=Path))
@click.argument("tests", nargs=-1, required=True)
@click.option("--count", default=150, help="mutants to try")
@click.option("--seed", default="1", help="another seed draws other mutants")
@click.option("--skip", multiple=True, help="names of files left alone, such as those that hold sentences only")
@click.option("--most", default=240, help="seconds of processor time a run may take")
def main(package: Path, tests: tuple[str, ...], count: int, seed: str, skip: tuple[str, ...], most: int) -> None:
    """Try COUNT mutants of PACKAGE on TESTS and print the share that was noticed."""
    drawn = [
        (path, place)
        for path in sorted(package.rglob("*.py"))
        if path.name not in skip
        for place in range(places(path))
    ]
    chosen = random.Random(seed).sample(drawn, min(count, len(drawn)))
    results = ROOT / "build" / f"sampled-{package.name}.jsonl"
    results.parent.mkdir(exist_ok=True)
    noticed = 0
    with tempfile.TemporaryDirectory() as folder, results.open("w", encoding="utf-8") as stream:
        place = Path(folder)
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("*.pyc", "__pycache__"))
            else:
                shutil.copyfile(ROOT / name, place / name)
        if _tried(place, tests, most) != "survived":
            raise click.ClickException("the tests fail without any change")
        for number, (path, changed) in enumerate(chosen, 1):
            told, text = mutant(place / path, changed)
            where = place / path
            kept = where.read_text(encoding="utf-8")
            where.write_text(text, encoding="utf-8")
            outcome = _tried(place, tests, most)
            where.write_text(kept, encoding="utf-8")
            noticed += outcome != "survived"
            stream.write(json.dumps([str(path), told, outcome]) + "\n")
            stream.flush()
            click.echo(f"{number:4} {outcome:9} {path.parent.name}/{told}")
    click.echo(f"{len(chosen)} of {len(drawn)} mutants tried, {noticed} noticed: {noticed / max(1, len(chosen)):.1%}")


if __name__ == "__main__":
    main()
