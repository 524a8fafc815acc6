"""What castles answered before, word by word: refusals, citations, new games, records, the choices' ids.

``python -m tests.games.torres.test_golden`` writes the answers down anew; read what has changed before it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.record import Record, RecordEntry, RecordError
from referee.games.torres.engine import GAME
from referee.games.torres.record import RECORDS
from referee.games.torres.ruleset import PREFERENCE
from referee.games.torres.text.notation import TorresNotationError, parse_turn
from tests.games.torres.tables import BEFORE, check, position_data, text_of
from tests.games.torres.wrong import DECLARED, GONE, NO_ACTS, WRONG
from tests.untyped import untyped

FILE = Path(__file__).parent / "data" / "golden.json"
TWO = {"edition": "fr-1999", "players": ["blue", "orange"]}
CHOSEN: dict[str, dict[str, Any]] = {
    "two": TWO,
    "three": TWO | {"players": ["red", "green", "white"], "first": "green"},
    "four seated": {"edition": "fr-1999", "seats": {"one": "red", "two": "black", "three": None, "four": "yellow"}},
    "own cards": TWO | {"variants": ["own-deck"], "options": {"doors": "path"}},
    "master": TWO | {"variants": ["master"], "options": {"master_card": "edge", "master_min": "3"}},
    "master with castles": TWO | {"variants": ["master"], "start_fields": ["A1", "H8"]},
    "card without the variant": TWO | {"options": {"master_card": "edge"}},
    "unknown key": TWO | {"colour": "red"},
    "unknown seat": {"edition": "fr-1999", "seats": {"five": "red"}},
    "nobody": {"edition": "fr-1999"},
}
PLAIN = GAME.position(position_data())
HEADERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "middle": {"round": 2, "turn": 3, "score": {"blue": 4, "orange": 0}, "stacks": {"blue": [2], "orange": [3, 1]}},
    "cards": {"cards": {"blue": {"held": 2, "played": ["leap", "jump"]}, "orange": {"held": 0, "played": []}}},
    "options": {"options": {"spare_ap": "points", "phase_start": "chosen"}, "reserve": 7},
    "king": {"stage": "king", "phase": 2, "turn": 11},
}


def refused(ask: Callable[[], object]) -> object:
    """Return what was answered, or what the refusal said."""
    try:
        return ask()
    except RequestError as error:
        return [error.code, str(error)]
    except (RecordError, TorresNotationError) as error:
        return str(error)


def _position(changes: Mapping[str, Any]) -> object:
    data = {key: value for key, value in (position_data() | dict(changes)).items() if value is not GONE}
    return GAME.position(None if "" in changes else data).to_json()


def _played(acts: str) -> object:
    position = GAME.position(position_data(cards={"blue": {"held": 1, "played": []}}))
    ruling = RECORDS.play(position, RecordEntry(1, "blue", acts))
    return [[str(each.rule), [field.name for field in each.fields], str(each.words)] for each in ruling.violations]


def _ids() -> object:
    shown = untyped(GAME.choices().to_json())
    options = {option["id"]: [value["id"] for value in option["values"]] for option in shown["options"]}
    return [sorted(shown), options, [one["id"] for one in shown["variants"]]]


def _declared(said: Any) -> object:
    return check(declared=said).legal


def _notation(word: str) -> object:
    return parse_turn(word).declared


def _chosen(choice: dict[str, Any]) -> object:
    return GAME.new_game(choice).to_json()


def _opened(said: dict[str, Any]) -> object:
    return GAME.infer_setup(said, GAME.observation(text_of(BEFORE))).to_json()


def _corrected(key: str, value: object) -> object:
    return GAME.corrected(PLAIN, {key: value}) == PLAIN


def _started(number: str) -> object:
    return RECORDS.start(Record(dict(RECORDS.headers(PLAIN)) | {"turn": number}, ())).turn


def answers() -> dict[str, Any]:
    """Return all answers there are here, as JSON."""
    moved = text_of(BEFORE | {"A1": "1", "A2": "1b"})
    numbers = ("1", "2", "-1", "1.5", "x", "1234567890", "12345678901", "²")
    acts = ("+A2", "+C7 +D8", "A1-A3 #6", "[leap]A1-B1 [jump]A1-A3", "$3 #1", "@H5 +A2 +A2", "[ap7] +A2 #7")
    found: dict[str, Any] = {
        "positions": {name: refused(partial(_position, changes)) for name, (changes, _) in WRONG.items()},
        "declared": {name: refused(partial(_declared, said)) for name, (said, _) in DECLARED.items()},
        "notation": {word: refused(partial(_notation, word)) for word in (*NO_ACTS, "%", "$9 #", "?")},
        "cited": {
            str(rule): [cited.sheet, cited.paragraph] for rule in PREFERENCE for cited in [GAME.citation(PLAIN, rule)]
        },
        "chosen": {name: refused(partial(_chosen, choice)) for name, choice in CHOSEN.items()},
        "opened": {name: refused(partial(_opened, said)) for name, said in (("seen", {}), ("said", TWO))},
        "headers": {
            name: dict(RECORDS.headers(GAME.position(position_data(**keys)))) for name, keys in HEADERS.items()
        },
        "played": {each: refused(partial(_played, each)) for each in acts},
        "corrected": {key: refused(partial(_corrected, key, value)) for key, value in PLAIN.to_json().items()},
        "started": {number: refused(partial(_started, number)) for number in numbers},
        "ids": _ids(),
        "seats": [
            [seat.colour.word, [[one.id, one.value, one.of] for one in seat.counters], str(seat.goal or "")]
            for seat in GAME.seats(GAME.position(position_data(score={"blue": 81, "orange": 3})))
        ],
        "progress": [[part.id, part.value, part.of] for part in GAME.progress(PLAIN, [GAME.observation(moved)])],
    }
    again: dict[str, Any] = json.loads(json.dumps(found))
    return again


KNOWN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.fixture(scope="module")
def now() -> dict[str, Any]:
    return answers()


@pytest.mark.parametrize("part", sorted(KNOWN))
def test_answers_are_what_they_were(part: str, now: dict[str, Any]) -> None:
    assert now[part] == KNOWN[part]


def test_every_kept_answer_is_compared(now: dict[str, Any]) -> None:
    assert sorted(now) == sorted(KNOWN) != []
    assert Record(KNOWN["headers"]["plain"], ()).text


if __name__ == "__main__":
    FILE.write_text(json.dumps(answers(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
