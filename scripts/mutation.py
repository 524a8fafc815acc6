"""Mutation testing of a game's rules engine: change the code in one place, and see whether a test notices.

``make mutation GAME=terrabilis`` runs it: mutmut makes the mutants, in ``build/mutation/terrabilis``, and
``scripts.trials`` tries each on those of the game's quick tests, and of the tests of all games, that run the changed
lines. Subpackages belong to it.
``--share 0.1`` tries a tenth, drawn at random with the seed;
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
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import click
from mutmut.mutation.file_mutation import mutate_file_contents

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("terra_turrium", "torres", "turris", "terrabilis")
COPIED = ("referee", "tests", "docs/example-game", "pyproject.toml")
LEFT_ALONE = ("messages.py", "act_messages.py", "actwords.py", "copywords.py", "setup_words.py", "prompts.py")
"""Sentences only: their catalogues and wording have tests of their own."""
LEAST = 0.85
CHOICES = "playing"
"""The folder with what a seat that a game plays itself chooses: another choice is no error."""
OF_ALL_GAMES = ("tests/games/test_conformance.py", "tests/kinds/grid/judging")
"""Tests of what each game's package does for rulings."""
RESULTS = "results.jsonl"
KILLED = ("killed", "endless")
"""An endless mutant is one that runs in circles: it is found, too."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The place where one game's engine is changed and tried."""

    game: str

    @property
    def place(self) -> Path:
        """Return the folder of the tested sources and of the results."""
        return ROOT / "build" / "mutation" / self.game

    @property
    def package(self) -> Path:
        """Return the engine's folder, relative to the project's."""
        return Path("referee/games") / self.game

    def module(self, mutant: str) -> str:
        """Return the module of a mutant, by its dotted name within the package."""
        return mutant.split(".x")[0].removeprefix(".".join(self.package.parts) + ".")

    def kept(self, path: Path) -> Path:
        """Return where the source of a module is kept as it was when its mutants were made."""
        return self.place / "sources" / path.relative_to(self.package)

    def mutate(self, path: Path) -> int:
        """Write a file with its mutants to where it is tested; return how many there are."""
        source = (ROOT / path).read_text(encoding="utf-8")
        made = mutate_file_contents(str(path), source, None, None)
        (self.place / path).write_text(made.code, encoding="utf-8")
        self.kept(path).parent.mkdir(parents=True, exist_ok=True)
        self.kept(path).write_text(source, encoding="utf-8")
        return len(made.mutant_names)

    def prepare(self, afresh: bool) -> list[str]:
        """Copy what is tested where it is tested and make the mutants of what changed since; return those modules."""
        place = self.place
        if afresh:
            shutil.rmtree(place, ignore_errors=True)
        (place / "sources").mkdir(parents=True, exist_ok=True)
        every = sorted((ROOT / self.package).rglob("*.py"))
        paths = [
            path.relative_to(ROOT) for path in every if path.name not in LEFT_ALONE and path.parent.name != CHOICES
        ]
        kept = [path for path in paths if _same(ROOT / path, self.kept(path))]
        mutated = {path: (place / path).read_bytes() for path in kept}
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("*.pyc"), dirs_exist_ok=True)
            else:
                shutil.copyfile(ROOT / name, place / name)
        for path, code in mutated.items():
            (place / path).write_bytes(code)
        changed = [path for path in paths if path not in kept]
        names = [self.module(".".join(path.with_suffix("").parts)) for path in changed]
        with Pool() as pool:
            counts = dict(zip(names, pool.map(self.mutate, changed, chunksize=1), strict=True))
        count_file = place / "counts.json"
        known = json.loads(count_file.read_text()) if count_file.exists() else {}
        count_file.write_text(json.dumps(known | counts))
        for name in ("known.json", "known.times", "known.chosen"):
            (place / name).unlink(missing_ok=True)
        return names

    def forget(self, changed: list[str]) -> list[str]:
        """Drop what was found of changed modules, and the others' survivors; return whose names to try again."""
        tried = found(self.place / RESULTS)
        same = {name: outcome for name, outcome in tried.items() if self.module(name) not in changed}
        again = [name for name, outcome in same.items() if outcome not in KILLED]
        kept = [it for it in same.items() if it[1] in KILLED]
        (self.place / RESULTS).write_text("".join(json.dumps(it) + "\n" for it in kept))
        return again + [f".{module}.x" for module in changed]

    def try_out(self) -> None:
        """Try the mutants of the plan."""
        environment = os.environ | {"HYPOTHESIS_PROFILE": "quick", "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
        environment["MUTATION_PLAN"] = "plan.json"
        options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "scripts.trials", "-W", "default", "--rootdir", "."]
        with (self.place / "trials.log").open("ab") as log:
            command = [sys.executable, "-m", "pytest", *options, f"tests/games/{self.game}", *OF_ALL_GAMES]
            ended = subprocess.run(command, cwd=self.place, env=environment, stdout=log, stderr=log, check=False)
        if ended.returncode:
            code = ended.returncode
            raise click.ClickException(f"the trials gave up with exit status {code}: see {self.place / 'trials.log'}")

    def report(self, tried: dict[str, str], count: int) -> float:
        """Print what became of the mutants, by module and in all, and return the share that was killed."""
        for name in sorted(name for name, outcome in tried.items() if outcome not in KILLED):
            click.echo(f"{tried[name]}: {name}")
        by_module: dict[str, list[bool]] = {}
        for name, outcome in tried.items():
            by_module.setdefault(self.module(name), []).append(outcome in KILLED)
        for module, outcomes in sorted(by_module.items()):
            click.echo(
                f"{module:22} {sum(outcomes):5} of {len(outcomes):5} killed, {sum(outcomes) / len(outcomes):.1%}"
            )
        share = sum(outcome in KILLED for outcome in tried.values()) / max(1, len(tried))
        told = ", ".join(f"{number} {outcome}" for outcome, number in Counter(tried.values()).most_common())
        click.echo(f"{len(tried)} of {count} mutants of {self.game} tried: {told}; {share:.1%} killed")
        return share


def _same(one: Path, other: Path) -> bool:
    return other.exists() and one.read_bytes() == other.read_bytes()


def found(path: Path) -> dict[str, str]:
    """Return what became of each mutant that was tried, by a file of results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: outcome for name, outcome, *_ in map(json.loads, lines)}


@click.command()
@click.option("--game", type=click.Choice(GAMES), default=GAMES[0], show_default=True, help="whose engine")
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="part of the mutants to try")
@click.option("--seed", default="1", help="another seed draws other mutants")
@click.option("--children", type=click.IntRange(1), default=os.cpu_count() or 1, help="processes at a time")
@click.option("--minutes", type=float, default=1e6, help="begin no trial after so long")
@click.option("--most", type=float, default=1e6, help="seconds of tests to try a mutant on, shortest tests first")
@click.option("--go-on", is_flag=True, help="go on where a run was broken off")
@click.option("--again", is_flag=True, help="after changes: only the survivors, and all mutants of changed modules")
@click.option("--control", is_flag=True, help="change nothing, with --go-on after a run: all must survive")
def main(
    game: str,
    share: float,
    seed: str,
    children: int,
    minutes: float,
    most: float,
    go_on: bool,
    again: bool,
    control: bool,
) -> None:
    """Try mutants of a game's rules engine and list the survivors."""
    bench = Bench(game)
    results = bench.place / ("control.jsonl" if control else RESULTS)
    only = []
    if again:
        only = bench.forget(bench.prepare(afresh=False))
    elif not go_on or not (bench.place / "counts.json").exists():
        bench.prepare(afresh=True)
    plan = {
        "known": "known.json",
        "results": results.name,
        "control": control,
        "children": children,
        "most_s": most,
        "seed": seed,
        "share": share,
        "only": only,
        "done": sorted(found(results)),
        "until": time.time() + 60 * minutes,
    }
    (bench.place / "plan.json").write_text(json.dumps(plan))
    bench.try_out()
    if control:
        spoilt = [name for name, outcome in found(results).items() if outcome in KILLED]
        click.echo(f"{len(found(results))} tried without a change, {len(spoilt)} found all the same: {spoilt}")
        sys.exit(1 if spoilt else 0)
    count = sum(json.loads((bench.place / "counts.json").read_text()).values())
    if bench.report(found(bench.place / RESULTS), count) < LEAST:
        raise click.ClickException(f"less than {LEAST:.0%} were killed")


if __name__ == "__main__":
    main()
