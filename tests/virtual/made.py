"""Scripts of games drawn at random: legal turns, breaches that are put back or let stand, and what befalls a table.

usage: python -m tests.virtual.made FOLDER FIRST LAST [short]: writes scripts with these numbers.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from referee.games import package_named
from referee.games.answers import Strength
from referee.games.contract import Position, RequestError, Ruling
from referee.games.package import GamePackage
from referee.games.record import Record, RecordEntry, RecordError, entry_of, parse_record
from referee.kinds.tower.virtual import bars_of
from referee.values.board import BoardError
from referee.values.declaring import NOTHING_DECLARED
from tests.games.terra_turrium import play as terra
from tests.games.terra_turrium import positions as terra_positions
from tests.games.torres import play as torres
from tests.games.turris import play as turris
from vision.tower.grid import FLOOR

GAMES = (
    *("terra-turrium", "torres", "turris", "terrabilis", "torres"),
    *("terra-turrium", "torres", "turris", "terra-turrium", "torres"),
)
"""Of which game each number is: towers take longest to be shown, so there are fewer of them."""
SIDES = {2: ["blue", "orange"], 3: ["red", "green", "black"], 4: ["red", "yellow", "green", "blue"]}
TURNS = {"terra-turrium": 4, "torres": 4, "turris": 3, "terrabilis": 8}
BREACH, ACCEPTED, FAULT = 0.4, 0.25, 0.5
_TRIES = 40
LEDGER_LONGEST = 120
"""Turns of a ledger's game; most have ended by then."""
_FAULTS = ("bump left", "bump right", "bump", "dim 0.6", "bright", "hand B2", "pause 0.1")


def script(number: int, short: bool = False) -> str:
    """Return the text of the script with a number. short: of two turns, besides those put back."""
    rnd = random.Random(number)
    package = package_named(GAMES[number % len(GAMES)])
    for _ in range(_TRIES):
        start = random_start(rnd, package, number)
        lines = list(_turns(rnd, package, start, 2 if short and not told(package) else TURNS[package.game.name]))
        if sum("{illegal" not in line for line in lines) >= 2:
            headers = Record(package.records.headers(start), ()).text
            return headers + "\n".join(lines) + "\n"
    raise AssertionError(f"no game comes of {number}")


def random_start(rnd: random.Random, package: GamePackage, number: int) -> Any:
    """Return a position from which a game can be played."""
    game = package.game
    if told(package):
        return _late_in_a_game(rnd, package)
    if package.game.name == "turris":
        return turris.new_game({})
    if package.game.name == "torres":
        players = SIDES[(2, 3, 4)[number // 5 % 3]]
        options: dict[str, object] = {}
        if rnd.random() < 0.4:
            options["doors"] = rnd.choice(("any", "path", "closed"))
        text = torres.board(rnd, players, options, rnd.randint(1, 3) * len(players))
        hands = {player: {"held": 0, "played": []} for player in players}
        return game.position(torres.request_of(players, text, options, cards=hands)["position"])
    editions = game.choices().editions
    edition = editions[number // 5 % len(editions)]
    count = (4, 3, 2)[number // 3 % 3]
    sets = dict(edition.variants).get(count, ((),))
    for variants in (rnd.choice(sets), ()):
        try:
            return game.position(terra_positions.position(edition.choice.id, count, variants=list(variants)))
        except RequestError:  # a variant asks for more than can be drawn here
            continue
    return game.position(terra_positions.position())


def _turns(rnd: random.Random, package: GamePackage, now: Any, most: int) -> Iterator[str]:
    """Turn by turn, each a line of the record."""
    for _ in range(most):
        ruled = None if now.finished else legal_turn(rnd, package, now)
        if ruled is None or ruled.next is None:
            return
        entry = entry_of(now, ruled)
        if rnd.random() < BREACH:
            wrong = breach(rnd, package, now, entry)
            if wrong is not None:
                spoilt, after = wrong
                yield f"{spoilt.number}. {spoilt.player} {spoilt.acts} {{illegal}}{_befalls(rnd, package)}"
                if after is not None and rnd.random() < ACCEPTED:
                    now = after
                    continue
        yield f"{entry.number}. {entry.player} {entry.acts}{_befalls(rnd, package)}"
        now = ruled.next


def told(package: GamePackage) -> bool:
    """Return whether all of a game is declared and nothing seen."""
    return package.game.kit.kind == "ledger"


def ledger_start(rnd: random.Random, package: GamePackage) -> Any:
    """Return the position with which a ledger's game begins."""
    assert package.playthrough is not None
    record = parse_record(package.playthrough.read_text(encoding="utf-8"))
    colours = rnd.sample(["red", "yellow", "green", "blue"], rnd.randint(2, 4))
    asked = package.game.choices().options
    options = " ".join(f"{one.id}={rnd.choice(one.values).id}" for one in asked if rnd.random() < 0.5)
    headers = {"players": " ".join(colours), "target": str(rnd.randint(2, 4)), "options": options}
    headers = {key: value for key, value in headers.items() if value}
    return package.records.start(replace(record, headers={**record.headers, **headers}))


def _late_in_a_game(rnd: random.Random, package: GamePackage) -> Any:
    """Return a position some turns before the end of a ledger's game."""
    now: Position | None = ledger_start(rnd, package)
    passed: list[Position] = []
    while now is not None and len(passed) < LEDGER_LONGEST:
        passed.append(now)
        ruled = None if now.finished else _declared(package, now)
        now = None if ruled is None else ruled.next
    return passed[-min(len(passed), rnd.randint(3, 8))]


def _declared(package: GamePackage, now: Any) -> Ruling | None:
    """Return a turn that a seat without a person declares; the same for the same position."""
    assert package.plays is not None
    chance = random.Random(json.dumps(now.to_json(), sort_keys=True))
    for acts in package.plays.turns(now, Strength.MIDDLE, chance):
        ruled = package.records.play(now, RecordEntry(now.turn, now.to_move.word, acts))
        if ruled.legal and ruled.next is not None:
            return ruled
    return None


def _befalls(rnd: random.Random, package: GamePackage) -> str:
    if rnd.random() > FAULT:
        return ""
    if told(package):
        return " {!pause 0.1}"
    way = rnd.random()
    if way < 0.15:
        return " {!cup} {!pause 0.1} {!uncup}"
    if way < 0.3:
        return " {!unplug right} {!pause 0.1} {!plug}"
    if way < 0.4:
        return " {!topple} {!restore}"
    return f" {{!{rnd.choice(_FAULTS)}}}"


def legal_turn(rnd: random.Random, package: GamePackage, now: Any) -> Ruling | None:
    """Return a legal turn whose acts, made by hand, lead to the same board again."""
    if told(package):
        return _declared(package, now)
    for _ in range(_TRIES):
        after = _after(rnd, package, now)
        if after is None:
            continue
        ruling = package.game.check(now, package.game.observation(after))
        if not ruling.legal or ruling.next is None or not ruling.acts:
            continue
        entry = entry_of(now, ruling)
        try:
            if package.laid is not None and package.laid(now, entry) == ruling.next.observed.text:
                played = package.records.play(now, entry)
                if played.next is not None and played.next.to_json() == ruling.next.to_json():
                    return ruling
        except RecordError:
            continue
    return None


def _after(rnd: random.Random, package: GamePackage, now: Any) -> str | None:
    """Return the board after a turn drawn at random."""
    if package.game.name == "turris":
        tower = turris.turn(rnd, now)
        return None if tower is None else tower.text
    if package.game.name == "torres":
        data: Mapping[str, Any] = now.to_json()
        request = {"position": data, "observed": data["board"], "declared": {}}
        return torres.acted(rnd, request, now.to_move.word, (), 5)[0]
    return terra.Turn(rnd, now).play().text


def breach(
    rnd: random.Random, package: GamePackage, now: Any, entry: RecordEntry
) -> tuple[RecordEntry, Any | None] | None:
    """Change a turn so that what lies there can't come about by the rules; return what follows from it, too."""
    for spoilt in islice(spoilt_turns(rnd, package, entry), _TRIES):
        try:
            text = package.laid(now, spoilt) if package.laid is not None else ""
            observed = package.game.observation(text)
            said = package.records.declared(spoilt) if told(package) else NOTHING_DECLARED
            ruled = package.game.check(now, observed, (), said)
            if ruled.legal or _floats(package, text) or (text == now.observed.text and not told(package)):
                continue
            if told(package) and not (ruled.complete and ruled.violations):
                continue
            following = package.game.accepted(now, observed, said)
        except (RecordError, RequestError, BoardError):
            continue
        return spoilt, following
    return None


def spoilt_turns(rnd: random.Random, package: GamePackage, entry: RecordEntry) -> Iterator[RecordEntry]:
    """Yield a turn with one act left out, doubled or elsewhere, again and again; whatever the rules say of it."""
    mark = "; " if told(package) else " "
    acts = entry.acts.split(mark)
    while True:
        wrong = list(acts)
        at = rnd.randrange(len(wrong))
        way = rnd.random()
        if way < 0.3 and len(wrong) > 1:
            del wrong[at]
        elif way < 0.6:
            wrong.insert(at, wrong[at])
        else:
            wrong[at] = _elsewhere(rnd, wrong[at])
        yield RecordEntry(entry.number, entry.player, mark.join(wrong))


def _floats(package: GamePackage, text: str) -> bool:
    """Return whether a bar would hang in the air, which no hand can bring about."""
    if package.game.kit.kind != "tower":
        return False
    filled = {cell for bar in bars_of(text) for cell in bar}
    return any(min(bar) >= FLOOR and not {cell - FLOOR for cell in bar} & filled - set(bar) for bar in bars_of(text))


def _elsewhere(rnd: random.Random, act: str) -> str:
    """Return an act whose last digit is another."""
    digits = [number for number, sign in enumerate(act) if sign.isdigit()]
    if not digits:
        return act
    at = digits[-1]
    return act[:at] + str(rnd.randint(1, 8)) + act[at + 1 :]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for wanted in range(int(sys.argv[2]), int(sys.argv[3])):
        (folder / f"{wanted:03d}.txt").write_text(script(wanted, "short" in sys.argv), encoding="utf-8")
