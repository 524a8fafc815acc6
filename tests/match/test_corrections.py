"""A correction that does not add up is refused in the language of whoever sent it."""

from __future__ import annotations

import pytest

from referee.games import game_named
from referee.match.commands import Command, CommandError, decide
from referee.match.events import GameStarted
from referee.match.transitions import begin
from referee.values.words import LANGUAGES

SEATS = {"nw": "red", "ne": "yellow", "se": None, "sw": "blue"}
TERRA = begin(GameStarted(game_named("terra-turrium").new_game({"edition": "kosmos-1990", "seats": SEATS}), "test"))
BOARD: str = TERRA.position.observed.text
CASTLES = "00010000/00000000/00100100/00000001/10000000/00100100/00000000/00001000"
TORRES = begin(
    GameStarted(
        game_named("torres").position(
            {
                "game": "torres", "edition": "fr-1999", "players": ["blue", "red"], "first": "blue",
                "to_move": "blue", "stage": "knights", "board": CASTLES,
            }
        ),
        "test",
    )
)  # fmt: skip
TURRIS = begin(
    GameStarted(
        game_named("turris").new_game({"edition": "fr", "seats": {"south": "light", "north": "dark"}}), "test"
    )
)


@pytest.mark.parametrize(
    ("state", "changes", "told"),
    [
        (TERRA, {"board": BOARD.replace("1", "2", 1)}, ("81", "80")),
        (TERRA, {"in_hand": {"red": 5}}, ("5", "6")),
        (TERRA, {"board": BOARD.replace("1", "1g", 1)}, ()),
        (TERRA, {"board": BOARD.replace("1", "0r", 1)}, ()),
        (TORRES, {"board": CASTLES.replace("1", "1k", 2)}, ("2",)),
        (TORRES, {"board": CASTLES.replace("1", "1b")}, ("8", "6")),
        (TORRES, {"board": CASTLES.replace("1", "1g", 1)}, ("D8",)),
        (TURRIS, {"tower": "E........"}, ("a3.1",)),
    ],
)
def test_it_is_said_in_every_language(state: object, changes: dict[str, object], told: tuple[str, ...]) -> None:
    assert isinstance(state, type(TERRA))
    with pytest.raises(CommandError) as refused:
        decide(Command("correct", {"changes": changes}), state, game_named(str(state.position.to_json()["game"])))
    said = [refused.value.words.text(language) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES), said
    assert all(part in words for words in said for part in told), said
