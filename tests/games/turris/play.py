"""Games played at random by the engine's own rules, and turns spoilt in the ways players go wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator

from referee.games.turris.bars import Bar
from referee.games.turris.engine import GAME
from referee.games.turris.placing import Mover, broken_by_laying, mover_of, open_places
from referee.games.turris.position import TurrisPosition
from referee.games.turris.removing import broken_by_removing, taker_of
from referee.games.turris.tower import Tower

SEATS = {"south": "light", "north": "dark"}


def new_game(options: dict[str, str]) -> TurrisPosition:
    return GAME.new_game({"edition": "fr", "seats": SEATS, "options": options})


def legal_bars(mover: Mover, tower: Tower) -> list[Bar]:
    bars = (Bar(mover.player, place) for place in open_places(tower))
    return [bar for bar in bars if not broken_by_laying(mover, tower, bar)]


def turn(rnd: random.Random, now: TurrisPosition) -> Tower | None:
    """Return the tower after a legal turn, ``None`` where no bar can be laid."""
    mover = mover_of(now, now.to_move)
    bars = legal_bars(mover, now.tower)
    if not bars or not now.left[now.to_move]:
        return None
    centre = [bar for bar in bars if bar.place.centres]
    bar = rnd.choice(centre if centre and rnd.random() < 0.5 else bars)
    tower = now.tower.turned(bar)
    if bar.place.centres and rnd.random() < 0.8:
        return _with_bonus(rnd, now, mover, tower)
    return tower


def _with_bonus(rnd: random.Random, now: TurrisPosition, mover: Mover, tower: Tower) -> Tower:
    taker = taker_of(now, now.to_move)
    theirs = [b for b in tower.bars if b.colour is not mover.player and not broken_by_removing(taker, tower, b)]
    mine = legal_bars(mover, tower) if now.left[mover.player] > 1 else []
    if theirs and (not mine or rnd.random() < 0.5):
        return tower.turned(rnd.choice(theirs))
    return tower.turned(rnd.choice(mine)) if mine else tower


def game(rnd: random.Random, options: dict[str, str]) -> Iterator[tuple[TurrisPosition, Tower]]:
    """Yield the position before each turn of a game, and the tower after it."""
    now = new_game(options)
    while not now.finished:
        after = turn(rnd, now)
        if after is None:
            return
        yield now, after
        ruling = GAME.check(now, after)
        if not isinstance(ruling.next, TurrisPosition):
            raise AssertionError(f"{after.text} is legal after {now.to_json()}")
        now = ruling.next


def spoilt(rnd: random.Random, now: TurrisPosition, after: Tower, ways: int = 1) -> Tower:
    """Return a tower with some bars more, gone or moved."""
    for _ in range(ways):
        bars = list(after.bars)
        if bars and rnd.random() < 0.5:
            after = after.turned(rnd.choice(bars))
        if rnd.random() < 0.7:
            place = rnd.choice(open_places(after))
            after = after.turned(Bar(rnd.choice((now.to_move, now.to_move, now.to_move.other)), place))
    return after


def blurred(rnd: random.Random, tower: Tower, share: float) -> str:
    """Return the tower's text with some cells read in part or not at all."""
    return "".join(
        letter
        if letter == "/" or rnd.random() >= share
        else "?"
        if letter == "." or rnd.random() < 0.5
        else "X"
        if letter.isupper()
        else "x"
        for letter in tower.text
    )
