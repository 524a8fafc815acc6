"""Mutation testing of the rules engine: change the code in one place, and see whether a test notices.

``make mutation`` runs it: mutmut makes the mutants, in ``build/mutation``, and ``scripts.trials`` tries each on those
of the quick tests that run the changed lines. ``--share 0.1`` tries a tenth, drawn at random with the seed;
``--go-on`` goes on where a run was broken off; ``--again`` tries survivors on new tests. Exit status 1 under LEAST.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import click
from mutmut.mutation.file_mutation import mutate_file_contents

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutation"
COPIED = ("referee", "tests", "pyproject.toml")
PACKAGE = Path("referee/games/terra_turrium")
LEFT_ALONE = ("messages.py",)
"""Sentences only: their catalogues and wording have tests of their own."""
LEAST = 0.85
KILLED = ("killed", "endless")
"""An endless mutant is one that runs in circles: it is found, too."""


def _mutate(path: Path) -> int:
    """Write a file with its mutants to where it is tested; return how many there are."""
    source = (ROOT / path).read_text(encoding="utf-8")
    made = mutate_file_contents(str(path), source, None, None)
    (PLACE / path).write_text(made.code, encoding="utf-8")
    (PLACE / "sources" / path.name).write_text(source, encoding="utf-8")
    return len(made.mutant_names)


def prepare(afresh: bool) -> list[str]:
    """Copy what is tested where it is tested and make the mutants of what changed since; return those modules."""
    if afresh:
        shutil.rmtree(PLACE, ignore_errors=True)
    sources = PLACE / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / PACKAGE).glob("*.py")) if path.name not in LEFT_ALONE]
    kept = [path for path in paths if _same(ROOT / path, sources / path.name)]
    mutated = {path: (PLACE / path).read_bytes() for path in kept}
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, PLACE / name, ignore=shutil.ignore_patterns("*.pyc"), dirs_exist_ok=True)
        else:
            shutil.copyfile(ROOT / name, PLACE / name)
    for path, code in mutated.items():
        (PLACE / path).write_bytes(code)
    changed = [path for path in paths if path not in kept]
    with Pool() as pool:
        counts = dict(zip(changed, pool.map(_mutate, changed, chunksize=1), strict=True))
    count_file = PLACE / "counts.json"
    known = json.loads(count_file.read_text()) if count_file.exists() else {}
    count_file.write_text(json.dumps(known | {path.stem: count for path, count in counts.items()}))
    for name in ("known.json", "known.times", "known.chosen"):
        (PLACE / name).unlink(missing_ok=True)
    return [path.stem for path in changed]


def _same(one: Path, other: Path) -> bool:
    return other.exists() and one.read_bytes() == other.read_bytes()


def forget(changed: list[str]) -> list[str]:
    """Drop what was found of changed modules, and the survivors of the others; return whose names to try again."""
    tried = found()
    again = [name for name, outcome in tried.items() if outcome not in KILLED and _module(name) not in changed]
    kept = [it for it in tried.items() if it[1] in KILLED and _module(it[0]) not in changed]
    (PLACE / "results.jsonl").write_text("".join(json.dumps(it) + "\n" for it in kept))
    return again + [f".{module}.x" for module in changed]


def _module(name: str) -> str:
    return name.split(".x")[0].rpartition(".")[2]


def _try_out() -> None:
    """Try the mutants of the plan."""
    environment = os.environ | {
        "HYPOTHESIS_PROFILE": "quick", "MUTATION_PLAN": "plan.json", "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"
    }  # fmt: skip
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "scripts.trials", "-W", "default", "--rootdir", "."]
    with (PLACE / "trials.log").open("ab") as log:
        command = [sys.executable, "-m", "pytest", *options, "tests/games/terra_turrium"]
        ended = subprocess.run(command, cwd=PLACE, env=environment, stdout=log, stderr=log, check=False).returncode
    if ended:
        raise click.ClickException(f"the trials gave up with exit status {ended}: see {PLACE / 'trials.log'}")


def found(results: str = "results.jsonl") -> dict[str, str]:
    """Return what became of each mutant that was tried."""
    path = PLACE / results
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: outcome for name, outcome, *_ in map(json.loads, lines)}


def report(tried: dict[str, str], count: int) -> float:
    """Print what became of the mutants, by module and in all, and return the share that was killed."""
    for name in sorted(name for name, outcome in tried.items() if outcome not in KILLED):
        click.echo(f"{tried[name]}: {name}")
    by_module: dict[str, list[bool]] = {}
    for name, outcome in tried.items():
        by_module.setdefault(_module(name), []).append(outcome in KILLED)
    for module, outcomes in sorted(by_module.items()):
        click.echo(f"{module:12} {sum(outcomes):5} of {len(outcomes):5} killed, {sum(outcomes) / len(outcomes):.1%}")
    share = sum(outcome in KILLED for outcome in tried.values()) / max(1, len(tried))
    told = ", ".join(f"{number} {outcome}" for outcome, number in Counter(tried.values()).most_common())
    click.echo(f"{len(tried)} of {count} mutants tried: {told}; {share:.1%} killed")
    return share


@click.command()
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="part of the mutants to try")
@click.option("--seed", default="1", help="another seed draws other mutants")
@click.option("--children", type=click.IntRange(1), default=os.cpu_count() or 1, help="processes at a time")
@click.option("--minutes", type=float, default=1e6, help="begin no trial after so long")
@click.option("--most", type=float, default=1e6, help="seconds of tests to try a mutant on, shortest tests first")
@click.option("--go-on", is_flag=True, help="go on where a run was broken off")
@click.option("--again", is_flag=True, help="after changes: only the survivors, and all mutants of changed modules")
@click.option("--control", is_flag=True, help="change nothing, with --go-on after a run: all must survive")
def main(
    share: float, seed: str, children: int, minutes: float, most: float, go_on: bool, again: bool, control: bool
) -> None:
    """Try mutants of the rules engine and list the survivors."""
    results = "control.jsonl" if control else "results.jsonl"
    only = []
    if again:
        only = forget(prepare(afresh=False))
    elif not go_on or not (PLACE / "counts.json").exists():
        prepare(afresh=True)
    plan = {
        "known": "known.json",
        "results": results,
        "control": control,
        "children": children,
        "most_s": most,
        "seed": seed,
        "share": share,
        "only": only,
        "done": sorted(found(results)),
        "until": time.time() + 60 * minutes,
    }
    (PLACE / "plan.json").write_text(json.dumps(plan))
    _try_out()
    if control:
        spoilt = [name for name, outcome in found(results).items() if outcome in KILLED]
        click.echo(f"{len(found(results))} tried without a change, {len(spoilt)} found all the same: {spoilt}")
        sys.exit(1 if spoilt else 0)
    count = sum(json.loads((PLACE / "counts.json").read_text()).values())
    if report(found(), count) < LEAST:
        raise click.ClickException(f"less than {LEAST:.0%} were killed")


if __name__ == "__main__":
    main()
