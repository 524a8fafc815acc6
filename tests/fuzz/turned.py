"""``python -m tests.fuzz.turned [FILE] [--turns N]``: random turns of every game, and the same turned about.

A game is played at random, with turns changed at random in between. Each turn is ruled on again with the board
turned or mirrored, colours exchanged, cards renamed, from a position that was written out and read again: legality,
rules broken and what follows must be alike. Ruling changes no position; a game's record leads to the same positions
again, and so it does with its last turn taken back. FILE keeps a line for each game, with the engines' version: a run
goes on where another ended. A difference is kept there, too, and told at the end.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from referee.games import package_named
from referee.games.contract import Ruling
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry, entry_of, parse_record
from tests.games.turned import Turning, ruled
from tests.virtual.made import LEDGER_LONGEST, ledger_start, legal_turn, random_start, spoilt_turns, told

GAMES = ("terra-turrium", "torres", "turris", "terrabilis")
LONGEST = 12
"""Turns after which another game begins; one that is told, not seen, is played to its end."""
SPOILT = 4
"""Turns changed at random to every turn played; some can't be made and are passed over."""

MOST = 20
"""Differences after which a run ends: there is enough to look at."""


def turned_position(package: GamePackage, kept: str, way: Turning) -> Any:
    """Return a position read from its JSON, turned about. Where seats are mirrored, it is the same player's turn."""
    data = json.loads(way(kept))
    if way.mirrored and way.name == "terra-turrium":
        seats = (data["seats"][place] for place in ("nw", "ne", "se", "sw"))
        players = [seat for seat in dict.fromkeys(seats) if seat]
        data["first"] = players[(players.index(data["to_move"]) - data["turn"] + 1) % len(players)]
    return package.game.position(data)


def written(now: Any) -> str:
    """Return a position's JSON."""
    return json.dumps(now.to_json(), sort_keys=True, ensure_ascii=False)


def compared(package: GamePackage, now: Any, way: Turning, entry: RecordEntry) -> bool | None:
    """Hold a turn to be ruled on alike however it is turned about; return whether it is legal, ``None``: no turn."""
    kept = written(now)
    try:
        said = ruled(package, now, entry)
    except ValueError:  # acts that can't be made or read
        return None
    assert written(now) == kept, ("changed by ruling", kept, entry)
    assert written(package.game.position(json.loads(kept))) == kept, ("not as written", kept, entry)
    turned_entry = replace(entry, player=way(entry.player), acts=way(entry.acts))
    other = ruled(package, turned_position(package, kept, way), turned_entry)
    told = (way, kept, entry, said.violations, other.violations)
    assert (said.legal, said.complete) == (other.legal, other.complete), told
    assert Counter(str(one.rule) for one in said.violations) == Counter(str(one.rule) for one in other.violations), (
        told
    )
    if said.next is not None and other.next is not None:
        assert followed(written(other.next), way) == followed(way(written(said.next)), way), told
    return said.legal


def rules(ruling: Ruling) -> list[str]:
    """Return the rules that a turn breaks."""
    return sorted(str(one.rule) for one in ruling.violations)


def followed(text: str, way: Turning) -> object:
    """Return what can be compared of what follows: barred cells in any order, not who follows in mirrored seats."""
    data: dict[str, Any] = json.loads(text)
    backwards = way.mirrored and way.name == "terra-turrium"
    kept = {key: value for key, value in data.items() if not backwards or key not in ("first", "to_move")}
    return kept | {"barred": sorted(data.get("barred", ()))}


def play(name: str, seed: int, found: Counter[bool]) -> None:
    """Play a game and compare its turns; count those that are legal and those that are not."""
    rnd, package = random.Random(f"{name} {seed}"), package_named(name)
    start = ledger_start(rnd, package) if told(package) else random_start(rnd, package, seed)
    positions, entries = [start], list[RecordEntry]()
    for _ in range(LEDGER_LONGEST if told(package) else LONGEST):
        now = positions[-1]
        right = None if now.finished else legal_turn(rnd, package, now)
        if right is None or right.next is None:
            break
        entry = entry_of(now, right)
        for one in (entry, *islice(spoilt_turns(rnd, package, entry), SPOILT)):
            legal = compared(package, now, Turning.drawn(name, rnd, cards_of(now)), one)
            if legal is not None:
                found[legal] += 1
        entries.append(entry)
        positions.append(right.next)
    for taken_back in {0, 1} if entries else {0}:
        played = entries[: len(entries) - taken_back]
        read = parse_record(Record(package.records.headers(positions[0]), tuple(played)).text)
        now = package.records.start(read)
        for turn, wanted in zip(read.turns, positions[1:], strict=False):
            now = package.records.play(now, turn).next
            assert now is not None, ("not legal in its record", read.text, turn)
            assert written(now) == written(wanted), ("another position in its record", read.text, turn)


def cards_of(now: Any) -> tuple[str, ...]:
    """Return the names of a copy's cards, where a game has a copy."""
    copy = now.to_json().get("copy") or {}
    return tuple(card["id"] for kind in ("infrastructures", "hazards") for card in copy.get(kind, ()))


def version() -> str:
    """Return the engines' version, or nothing known outside a repository."""
    asked = ["git", "rev-parse", "--short=8", "HEAD:referee/games"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def main() -> int:
    """Play until there are so many turns of each game; print the counts and differences. 1: there are some."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.turned", description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", help="where a line for each game is kept")
    parser.add_argument("--turns", type=int, default=10_000, help="turns of each game")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game")
    args = parser.parse_args()
    now, lines = version(), list[dict[str, Any]]()
    if args.file is not None and args.file.exists():
        lines = [json.loads(line) for line in args.file.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line["version"] == now]
    done = {(line["game"], line["seed"]) for line in lines}
    turns = Counter[str]()
    for line in lines:
        turns[line["game"]] += line["legal"] + line["not"]
    games = args.game or GAMES
    for seed in count(1):
        short = [name for name in games if turns[name] < args.turns and (name, seed) not in done]
        if not any(turns[name] < args.turns for name in games) or sum("difference" in line for line in lines) >= MOST:
            break
        for name in short:
            found, difference = Counter[bool](), ""
            try:
                play(name, seed, found)
            except Exception as error:  # whatever an engine does here that it did not do before is a difference
                difference = f"{type(error).__name__}: {error}"
            lines.append(
                {"version": now, "game": name, "seed": seed, "legal": found[True], "not": found[False]}
                | ({"difference": difference} if difference else {})
            )
            turns[name] += found.total()
            if args.file is not None:
                args.file.parent.mkdir(parents=True, exist_ok=True)
                with args.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(lines[-1]) + "\n")
    for name in games:
        played = [line for line in lines if line["game"] == name]
        legal, others = (sum(line[key] for line in played) for key in ("legal", "not"))
        sys.stdout.write(f"{name}: {legal} legal and {others} other turns in {len(played)} games were compared\n")
    differences = [line for line in lines if "difference" in line]
    for line in differences:
        sys.stdout.write(f"DIFFERENT: {line['game']}, seed {line['seed']}: {line['difference']}\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
