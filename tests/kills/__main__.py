"""``python -m tests.kills --count 300``: kill the referee that often and say what became of it."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

import click

from tests.kills.run import run


@click.command()
@click.option("--count", default=300, show_default=True, type=click.IntRange(1), help="How many kills.")
@click.option("--seed", type=int, help="To repeat a run's choices; the moments still differ.")
def main(count: int, seed: int | None) -> None:
    """Kill a running game at random moments; every acknowledged event must be there afterwards, once."""
    seed = time.time_ns() % 1_000_000 if seed is None else seed
    click.echo(f"{count} kills, seed {seed}")
    with tempfile.TemporaryDirectory(prefix="referee-kills-") as folder:
        told = run(count, Path(folder), random.Random(seed), click.echo)
    click.echo(f"all held: {told}")


main()
