"""Give positions and declarations that are refused."""

from __future__ import annotations

from typing import Any

from tests.games.torres.tables import text_of

GONE = object()


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no object": ({"": None}, "position is an object"),
    "unknown key": ({"colour": "red"}, "unknown key 'colour'"),
    "missing key": ({"first": GONE}, "'first' is missing"),
    "game": ({"game": "chess"}, "game is 'chess'"),
    "edition": ({"edition": "fr-1899"}, "edition is 'fr-1899'"),
    "variants no list": ({"variants": "master"}, "variants is a list"),
    "variant": ({"variants": ["queens"]}, "variants is 'queens'"),
    "variant twice": ({"variants": ["master", "master"]}, "names one twice"),
    "variants together": ({"variants": ["master", "own-deck"]}, "not played together"),
    "options no object": ({"options": []}, "options is an object"),
    "option": ({"options": {"window": "any"}}, "'window' is unknown"),
    "option's value": ({"options": {"doors": "open"}}, "doors is 'open'"),
    "least knights": ({"options": {"master_min": "2"}}, "master_min is '2'"),
    "players no list": ({"players": "blue"}, "players is a list"),
    "one player": ({"players": ["blue"]}, "two to four"),
    "a player twice": ({"players": ["blue", "blue"]}, "two to four"),
    "five players": ({"players": ["blue", "red", "green", "white", "black"]}, "two to four"),
    "colour": ({"players": ["blue", "pink"]}, "players is 'pink'"),
    "first": ({"first": 3}, "first is 3"),
    "to_move": ({"to_move": "red"}, "to_move is 'red'"),
    "stage": ({"stage": "pause"}, "stage is 'pause'"),
    "phase": ({"phase": 4}, "phase is 4"),
    "phase true": ({"phase": True}, "phase is true"),
    "round": ({"round": 5}, "round is 5"),
    "round of a short phase": ({"players": ["blue", "orange", "red"], "phase": 2, "round": 4}, "round is 4"),
    "turn": ({"turn": 2}, "has turn 1, not 2"),
    "board": ({"board": 5}, "board: board text is a string"),
    "a colour that does not play": ({"board": text_of({"C3": "1g"})}, "a knight of Green stands on C3"),
    "two kings": ({"board": text_of({"C3": "1k", "D3": "1k"})}, "2 kings"),
    "seven knights": ({"board": text_of({f"{c}1": "0b" for c in "ABCDEFG"})}, "Blue has 7 knights"),
    "start fields": ({"start_fields": ["Z9"]}, "start_fields is 'Z9'"),
    "a start field twice": ({"start_fields": ["A1", "A1"]}, "at most 8 different"),
    "stacks": ({"stacks": {"blue": "three"}}, "stacks: blue is a list"),
    "stacks of nobody": ({"stacks": {"red": [3]}}, "stacks is 'red'"),
    "negative stack": ({"stacks": {"blue": [-1]}}, "stacks: blue is -1"),
    "many stacks": ({"stacks": {"blue": [1] * 93}}, "93 stacks are too many"),
    "reserve": ({"reserve": -1}, "reserve is -1"),
    "cards": ({"cards": []}, "cards is an object"),
    "cards of nobody": ({"cards": {"red": {}}}, "cards is 'red'"),
    "a hand": ({"cards": {"blue": 3}}, "cards: blue is an object"),
    "a hand's key": ({"cards": {"blue": {"bought": 1}}}, "unknown key 'bought'"),
    "cards held": ({"cards": {"blue": {"held": -1}}}, "held is -1"),
    "a kind played": ({"cards": {"blue": {"played": ["queen"]}}}, "played is 'queen'"),
    "score": ({"score": {"blue": 1.5}}, "score: blue is 1.5"),
    "score of nobody": ({"score": {"red": 1}}, "score is 'red'"),
    "master card": ({"variants": ["master"], "master": "queen"}, "master is 'queen'"),
    "master card without the variant": ({"master": "edge"}, "belongs to the variant master"),
    "winners": ({"winners": ["blue"]}, "leave it out"),
    "several winners": ({"stage": "finished", "winners": ["blue", "orange"]}, "leave it out"),
}


DECLARED: dict[str, tuple[Any, str]] = {
    "key": ({"hand": 2}, "unknown key 'hand'"),
    "card": ({"card": "queen"}, "card is 'queen'"),
    "bought": ({"bought": -1}, "bought is -1"),
    "points": ({"points": "two"}, "points is 'two'"),
    "stack": ({"stack": 30}, "stack is 30, but blue has 3, 3, 3, 3"),
    "leftover": ({"leftover": "three"}, "leftover is a list"),
    "leftover that can't be": ({"leftover": [30, 30]}, "declared as left can’t be"),
    "start": ({"start": "green"}, "start is 'green'"),
}


NO_ACTS = (
    *("D7", "-D7", "+D9", "+I1", "C6-", "C6-C7-C8"),
    *("[queen]D6-D4", "[jump]+D7", "[extra]D6-D4", "[ap6]D6-D4", "[x"),
    *("$", "$x", "#-1", ">Red", "~x"),
)
