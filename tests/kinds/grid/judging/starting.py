"""Give the position a game of Terra Turrium starts with."""

from __future__ import annotations

from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.position.position import TerraPosition

BOARD = (
    "1r1r1r1111y1y1y1/1r1r1r1111y1y1y1/1111111111/1112222111/1112222111/"
    "1112222111/1112222111/1111111111/1b1b1b1111g1g1g1/1b1b1b1111g1g1g1"
)


def start() -> TerraPosition:
    rows = BOARD.replace("1r1r1r1111y1y1y1", "1r1r1r11111y1y1y").replace("1b1b1b1111g1g1g1", "1b1b1b11111g1g1g")
    seats = {"nw": "red", "ne": "yellow", "se": "green", "sw": "blue"}
    return GAME.position(
        {
            "game": "terra-turrium",
            "edition": "kosmos-1990",
            "seats": seats,
            "first": "red",
            "to_move": "red",
            "turn": 1,
            "board": rows,
        }
    )
