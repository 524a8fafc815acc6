"""``python -m tests.attacks [NAME ...]``: attack the referee, say what held, and fail where something did not."""

from __future__ import annotations

from collections.abc import Callable

import click

from tests.attacks import (
    copies,
    crashes,
    crowd,
    disks,
    edges,
    exports,
    hostiletable,
    journals,
    leftovers,
    lent,
    oddities,
    pictures,
    secure,
    strangers,
)
from tests.attacks.outcome import Outcome

ATTACKS: dict[str, Callable[[], Outcome]] = {
    "crashes": crashes.attack,
    "disks": disks.attack,
    "journals": journals.attack,
    "exports": exports.attack,
    "oddities": oddities.attack,
    "pictures": pictures.attack,
    "copies": copies.attack,
    "leftovers": leftovers.attack,
    "lent": lent.attack,
    "edges": edges.attack,
    "strangers": strangers.attack,
    "secure": secure.attack,
    "hall": hostiletable.attack,
    "crowd": crowd.attack,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(ATTACKS)))
@click.option("--minutes", type=float, help="How long the crowd watches.")
def main(names: tuple[str, ...], minutes: float | None) -> None:
    """Attack with NAMES, or in every way."""
    failed = 0
    for name in names or tuple(ATTACKS):
        crowded = name == "crowd" and minutes is not None
        outcome = crowd.attack(minutes or 0) if crowded else ATTACKS[name]()
        click.echo(str(outcome))
        failed += len(outcome.failed)
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
