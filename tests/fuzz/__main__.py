"""``python -m tests.fuzz [--inputs N] [--seed N] [--guided] [TARGET ...]``: fuzz what reads text from outside.

Good inputs are broken in small ways, drawn at random with the seed given: the same inputs each time. With
``--guided`` atheris (libFuzzer) chooses them by what they reach in the code. Exit status 1 when a target failed; the
input that did it is printed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SHARES = {"board": 0.4, "position": 0.15, "notation": 0.4, "record": 0.025, "request": 0.025}
"""How the inputs are shared out among the targets."""
MOST_BYTES = 20_000


def run(name: str, inputs: int, seed: int) -> int:
    """Feed a target with inputs drawn at random and return how many it accepted."""
    from tests.fuzz.mutate import mutated
    from tests.fuzz.seeds import seeds
    from tests.fuzz.targets import TARGETS

    rnd = random.Random(f"{name} {seed}")
    good = seeds()[name]
    text, accepted = rnd.choice(good), 0
    for _ in range(inputs):
        text = mutated(rnd, text if rnd.random() < 0.3 else rnd.choice(good), good)[:MOST_BYTES]
        try:
            accepted += TARGETS[name](text)
        except BaseException:
            sys.stderr.write(f"{name} failed on {text!r}\n")
            raise
    return accepted


def run_guided(name: str, inputs: int, seed: int) -> None:
    """Feed a target with inputs chosen by coverage; ends the process."""
    import atheris

    with atheris.instrument_imports(include=["referee"]):
        from tests.fuzz.mutate import mutated
        from tests.fuzz.seeds import seeds
        from tests.fuzz.targets import TARGETS
    good, count, accepted = seeds()[name], 0, 0

    def once(data: bytes) -> None:
        nonlocal count, accepted
        text = data.decode("utf-8", "surrogatepass") if data else ""
        try:
            accepted += TARGETS[name](text)
        except BaseException:
            sys.stderr.write(f"{name} failed on {text!r}\n")
            raise
        count += 1
        if count == inputs:
            sys.stdout.write(f"{count} {accepted}\n")
            sys.stdout.flush()

    def mutator(data: bytes, max_size: int, seed: int) -> bytes:
        rnd = random.Random(seed)
        try:
            text = data.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            text = rnd.choice(good)
        if rnd.random() < 0.5 or not text:
            text = rnd.choice(good)
        return mutated(rnd, text, good).encode("utf-8", "surrogatepass")[:max_size].decode("utf-8", "ignore").encode()

    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(good):
            (Path(folder) / str(number)).write_bytes(text.encode("utf-8", "surrogatepass"))
        # Two more runs than inputs: libFuzzer starts with an empty one of its own.
        flags = [f"-runs={inputs + 2}", f"-seed={seed}", f"-max_len={MOST_BYTES}", "-verbosity=0", "-timeout=60"]
        atheris.Setup([sys.argv[0], *flags, folder], once, custom_mutator=mutator)
        atheris.Fuzz()


def tried(name: str, inputs: int, args: argparse.Namespace) -> bool:
    """Fuzz a target in a process of its own, print what came of it, and tell whether it held."""
    command = [sys.executable, "-m", "tests.fuzz", "--child", "--inputs", str(inputs), "--seed", str(args.seed)]
    began = time.monotonic()
    done = subprocess.run(
        [*command, *(["--guided"] if args.guided else []), name], stdout=subprocess.PIPE, text=True, check=False
    )
    count, _, accepted = done.stdout.strip().partition(" ")
    held = done.returncode == 0 and count == str(inputs)
    told = f"{count} inputs, {accepted} accepted" if count else "no end"
    sys.stdout.write(f"{name:9} {'ok' if held else 'FAILED'}: {told}, {time.monotonic() - began:.0f} s\n")
    sys.stdout.flush()
    return held


def main() -> int:
    """Fuzz the targets asked for, as many at a time as there are processors."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--guided", action="store_true", help="choose inputs by coverage, with atheris")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"what to fuzz: {', '.join(SHARES)}")
    args = parser.parse_args()
    names = args.targets or list(SHARES)
    if args.child:
        if args.guided:
            run_guided(names[0], args.inputs, args.seed)
        else:
            sys.stdout.write(f"{args.inputs} {run(names[0], args.inputs, args.seed)}\n")
        return 0
    if args.guided and importlib.util.find_spec("atheris") is None:
        sys.stdout.write("atheris has no package for this machine: no guided run\n")
        return 0
    total, began = sum(SHARES[name] for name in names), time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        held = list(pool.map(lambda name: tried(name, round(args.inputs * SHARES[name] / total), args), names))
    sys.stdout.write(f"in all {time.monotonic() - began:.0f} s, seed {args.seed}\n")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
