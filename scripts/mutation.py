"""Mutation testing of the rules engine: change the code in one place, and see whether a test notices.

``make mutation`` runs it: mutmut makes the mutants and runs a quick selection of the tests (pyproject.toml) on each,
in ``build/mutation``; a run that was broken off goes on where it was. With ``--share 0.1`` a tenth of the mutants,
drawn at random with the seed, is tried: minutes instead of an hour. Exit status 1 under LEAST killed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutation"
COPIED = ("referee", "tests", "pyproject.toml")
FIRST = "referee.games.terra_turrium.report.*"
"""A small module: trying its mutants makes mutmut write down the names of all."""
LEAST = 0.85
KILLED = {1: "killed", 3: "killed", 24: "endless", 36: "endless", 152: "endless", -24: "endless", 255: "endless"}
"""What mutmut's exit codes mean, as far as the mutant was found; an endless mutant is one that runs in circles."""
SURVIVED = {0: "survived", 5: "no test", 33: "no test"}


def prepare() -> None:
    """Copy what is tested where it is tested; files that did not change keep their time, so mutmut keeps results."""
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        for source in [ROOT / name, *(ROOT / name).rglob("*")]:
            target = PLACE / source.relative_to(ROOT)
            if source.is_dir():
                target.mkdir(exist_ok=True)
            elif source.suffix != ".pyc" and (not target.exists() or target.read_bytes() != source.read_bytes()):
                shutil.copyfile(source, target)


def mutmut(children: int, names: list[str]) -> None:
    """Run mutmut on some mutants, all without names."""
    command = [str(Path(sys.executable).parent / "mutmut"), "run", "--max-children", str(children), *names]
    environment = os.environ | {"HYPOTHESIS_PROFILE": "quick"}
    with (PLACE / "mutmut.log").open("wb") as log:
        done = subprocess.run(command, cwd=PLACE, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise click.ClickException(f"mutmut gave up with exit status {done.returncode}: see {PLACE / 'mutmut.log'}")


def results() -> dict[str, int | None]:
    """Return the exit code of each mutant's tests by its name, ``None`` where they were not run."""
    found: dict[str, int | None] = {}
    for path in sorted((PLACE / "mutants").rglob("*.meta")):
        found |= json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def report(tried: dict[str, int]) -> float:
    """Print what became of the mutants, by module and in all, and return the share that was killed."""
    kinds = {name: KILLED.get(code) or SURVIVED.get(code, f"exit {code}") for name, code in tried.items()}
    for name in sorted(name for name, code in tried.items() if code not in KILLED):
        click.echo(f"{kinds[name]}: {name}")
    by_module: dict[str, list[bool]] = {}
    for name, code in tried.items():
        by_module.setdefault(name.split(".x")[0].rpartition(".")[2], []).append(code in KILLED)
    for module, found in sorted(by_module.items()):
        click.echo(f"{module:12} {sum(found):5} of {len(found):5} killed, {sum(found) / len(found):.1%}")
    share = sum(code in KILLED for code in tried.values()) / len(tried)
    told = ", ".join(f"{count} {kind}" for kind, count in Counter(kinds.values()).most_common())
    click.echo(f"in all {len(tried)} mutants tried: {told}; {share:.1%} killed")
    return share


@click.command()
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="part of the mutants to try")
@click.option("--seed", default="1", help="another seed draws other mutants")
@click.option("--children", type=click.IntRange(1), default=os.cpu_count() or 1, help="processes at a time")
@click.option("--nice", type=click.IntRange(0, 19), default=15, help="how far to stand back for other programs")
def main(share: float, seed: str, children: int, nice: int) -> None:
    """Try mutants of the rules engine and list the survivors."""
    os.nice(nice)
    prepare()
    if share < 1:
        mutmut(children, [FIRST])
        names = sorted(results())
        mutmut(children, random.Random(seed).sample(names, round(share * len(names))))
    else:
        mutmut(children, [])
    if report({name: code for name, code in results().items() if code is not None}) < LEAST:
        raise click.ClickException(f"less than {LEAST:.0%} were killed")


if __name__ == "__main__":
    main()
