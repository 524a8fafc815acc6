"""Measures what a rehearsal predicts: photographed looks with known boards take the place of its tasks.

``python -m benchmarks.rehearsal TABLE ...`` (folders with a truth.json). Of a table's unrelated stills some are drawn
as the rehearsal; of a table without stills, half of its looks. The share told right in its games is then compared
with the interval, for every choice of cameras or number of views.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from calibration.lenses import read_picture
from calibration.table import load_table
from referee.addons.rehearsals.rehearsal import FEWEST_LOOKS
from referee.addons.rehearsals.rehearser import LookTold, rehearser_of
from referee.addons.rehearsals.share import predicted
from referee.addons.rehearsals.tally import Composition, Eyes, Group, LookTally
from referee.games import game_named
from referee.session.capture import Pictures
from referee.session.readers import reader_at
from vision.geometry.view import roaming_name

LOOKS = 8
"""Looks of a rehearsal: a whole one has 13, but few tables have so many stills."""
SEEDS = 10
SAID = ("seats", "players")


@click.command()
@click.argument("tables", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--looks", default=LOOKS, show_default=True)
@click.option("--seeds", default=SEEDS, show_default=True)
def main(tables: tuple[Path, ...], looks: int, seeds: int) -> None:
    """Print for every table and every choice of eyes how often the games lay within the interval."""
    held = tried = 0
    for folder in tables:
        stills, games, usual = _told(folder)
        for eyes, of_games in games.items():
            if not of_games or (len(stills.get(eyes, [])) < FEWEST_LOOKS and len(of_games) < 2):
                click.echo(f"{folder.name} {'+'.join(eyes[0])}: skipped, it has too few looks to draw from")
                continue
            results = [
                _predicts(eyes, *_drawn(stills.get(eyes, []), of_games, looks, seed), usual[eyes])
                for seed in range(seeds)
            ]
            held += sum(inside for inside, _ in results)
            tried += seeds
            inside = sum(one for one, _ in results)
            name = "+".join(eyes[0]) + (f" {eyes[1]} views" if eyes[1] else "")
            click.echo(f"{folder.name} {name}: {inside} of {seeds}; the first: {results[0][1]}")
    click.echo(f"{held} of {tried} games lay within the interval ({100 * held / max(1, tried):.1f} %)")


Tallies = dict[Eyes, list[LookTally]]


def _told(folder: Path) -> tuple[Tallies, Tallies, Mapping[Eyes, tuple[Composition, ...]]]:
    """Read every still look of a table: those of unrelated stills, those of games, and how usual boards are seen."""
    stills: Tallies = defaultdict(list)
    games: Tallies = defaultdict(list)
    usual: dict[Eyes, tuple[Composition, ...]] = {}
    table = load_table(folder)
    game = game_named(table.game)
    reader = reader_at(game, table, folder)
    rehearsers: dict[str, Any] = {}
    for name, said, pictures, board in _looks(folder, table.cameras):
        key = json.dumps(said)
        if key not in rehearsers:
            rehearsers[key] = rehearser_of(game, reader, said)
        found: LookTold = rehearsers[key].told(pictures, board, None)
        usual = {**rehearsers[key].usual, **usual}
        if found.clear:
            for eyes, tally in found.tallies.items():
                (stills if name.startswith("stills") else games)[eyes].append(tally)
    return stills, games, usual


def _looks(folder: Path, cameras: Sequence[str]) -> Iterator[tuple[str, dict[str, object], Pictures, str]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for game in truth["games"]:
        said = {key: game[key] for key in SAID if key in game}
        for frame in game["frames"]:
            if frame["kind"] != "still":
                continue
            files = frame["files"]
            roams = len(cameras) == 1 < len(files)
            names = [roaming_name(cameras[0], n) for n in range(1, len(files) + 1)] if roams else cameras
            found = {
                name: read_picture(folder / game["name"] / file) for name, file in zip(names, files, strict=True)
            }
            pictures = {name: picture for name, picture in found.items() if picture is not None}
            if len(pictures) == len(files):
                yield game["name"], said, pictures, frame["board"]


def _drawn(
    stills: list[LookTally], games: list[LookTally], looks: int, seed: int
) -> tuple[list[LookTally], list[LookTally]]:
    """Draw the looks of a rehearsal; return them and those of the games."""
    rng = np.random.default_rng(seed)
    if len(stills) >= FEWEST_LOOKS:
        chosen = rng.choice(len(stills), min(looks, len(stills)), replace=False)
        return [stills[one] for one in sorted(chosen.tolist())], games
    half = set(rng.choice(len(games), len(games) // 2, replace=False).tolist())
    return [one for k, one in enumerate(games) if k in half], [one for k, one in enumerate(games) if k not in half]


def _predicts(
    eyes: Eyes, looks: list[LookTally], games: list[LookTally], usual: tuple[Composition, ...]
) -> tuple[bool, str]:
    share = predicted(Group(*eyes, tuple(looks), usual)).right
    right = sum(look.all.right for look in games) / sum(look.all.total for look in games)
    told = f"{100 * share.low:.1f} to {100 * share.high:.1f} %, in games {100 * right:.1f} %"
    return share.holds(right), told


if __name__ == "__main__":
    main()
