"""Requests that cannot be judged, refused word for word where it helps; positions and acts that go round."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terrabilis.answer import answer
from referee.games.terrabilis.declared.reading import act_json, parse_acts
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.reading import parse_position
from tests.games.terrabilis.acts import ACTS
from tests.games.terrabilis.positions import position, request, roll, the_copy


def on(lines: Any = None, **changes: Any) -> dict[str, Any]:
    return request(position(lines, **changes), [roll(1, 3)])


def declared(*acts: Any) -> dict[str, Any]:
    return request(position(), [roll(1, 3), *acts])


def seen(**observed: Any) -> dict[str, Any]:
    return request(position(), [roll(1, 3)], **observed)


def without(key: str) -> dict[str, Any]:
    data = on()
    del data["position"][key]
    return data


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a strange key": (on() | {"mood": "good"}, "request", "'mood'"),
    "no copy": ({"position": position(), "declared": []}, "request", "'copy' is missing"),
    "no declaration": ({key: value for key, value in on().items() if key != "declared"}, "request", "'declared'"),
    "no object": (on() | {"position": []}, "position", "not a list"),
    "a strange key of the position": (on(weather="fine"), "key", "'weather'"),
    **{f"no {key}": (without(key), "key", repr(key)) for key in ("edition", "copy", "players", "first", "to_move")},
    "another game": (on(game="chess"), "game", "'chess'"),
    "another copy": (on(copy="club-1"), "copy", "'club-1'"),
    "another edition": (on(edition="de"), "edition", "use one of fr"),
    "a variant": (on(variants=["solo"]), "variants", "none"),
    "one player": (on(players="red"), "players", "two to four"),
    "a player twice": (on(players="red red"), "players", "each once"),
    "a strange player": (on(players="red pink"), "players", "'pink'"),
    "somebody else's turn": (on(to_move="green"), "to_move", "does not play"),
    "a player who is out": (on({"red": {"out": True}}), "to_move", "red is out"),
    "a strange option": (on(options={"speed": "fast"}), "options", "'speed'"),
    "a strange value": (on(options={"cannot_pay": "never"}), "options", "use one of rest, out"),
    "a crowded Zone": (on(zone={"green": 8, "yellow": 3}), "zone", "11 counters"),
    "a strange counter": (on(zone={"blue": 1}), "zone", "'blue'"),
    "a negative counter": (on(zone={"green": -1}), "zone", "whole number"),
    "lap one in words": (on(lap="one"), "lap", "'one'"),
    "a truth in words": (on(finished="no"), "finished", "true or false"),
    "a finished game": (on(finished=True), "finished", "start a new one"),
    "a strange line": (on({"green": {}}), "ledger", "does not play"),
    "a strange account": (on({"red": {"gold": 1}}), "ledger", "'gold'"),
    "negative money": (on({"red": {"money": -1}}), "ledger", "red money"),
    "a pawn off the track": (on({"red": {"pawn": 99}}), "ledger", "0 to 14"),
    "a card nobody knows": (on({"red": {"installed": ["casino"]}}), "ledger", "'casino'"),
    "a loan without a lap": (on({"red": {"loans": [{}]}}), "ledger", "lap"),
    "no list of acts": (on() | {"declared": "roll"}, "declared", "a list"),
    "no roll": (request(position(), [{"loan": True}]), "declared", "no roll"),
    "nothing at all": (request(position(), []), "declared", "no roll"),
    "more acts than a turn has": (on() | {"declared": [roll(1, 3)] * 201}, "declared", "at most 200"),
    "an act that is none": (declared(5), "declared", "act 1 is an object"),
    "a strange act": (declared({"fly": True}), "declared", "act 1: an act has one of the keys"),
    "two acts in one": (declared({"loan": True, "repay": True}), "declared", "one of the keys"),
    "an act with a strange key": (declared({"loan": True, "why": "fun"}), "declared", "'why'"),
    "an act by nobody": (declared({"loan": True, "by": "pink"}), "declared", "act 1, by"),
    "three dice": (request(position(), [{"roll": [1, 2, 3]}]), "declared", "two dice"),
    "a die of seven": (request(position(), [roll(1, 7)]), "declared", "from 1 to 6"),
    "a strange pile": (declared({"draw": "luxury"}), "declared", "'luxury'"),
    "a strange card": (declared({"install": "casino"}), "declared", "'casino'"),
    "a strange hazard": (declared({"hazard": "alien"}), "declared", "'alien'"),
    "a strange level": (declared({"quiz": "easy", "right": False}), "declared", "'easy'"),
    "right without a prize": (declared({"quiz": "normal", "right": True}), "declared", "prize"),
    "neither right nor wrong": (declared({"quiz": "normal"}), "declared", "right is null"),
    "a strange choice": (declared({"choose": "red"}), "declared", "'red'"),
    "a strange order": (declared({"order": "gx"}), "declared", "'gx'"),
    "an empty order": (declared({"order": ""}), "declared", "order"),
    "no loan": (declared({"loan": False}), "declared", "write true"),
    "a count of gold": (declared({"count": {"gold": 5}}), "declared", "'gold'"),
    "a negative count": (declared({"count": {"money": -5}}), "declared", "money"),
    "abandoned what nobody knows": (declared({"abandon": ["casino"]}), "declared", "'casino'"),
    "a strange sight": (seen(sky=1), "observed", "'sky'"),
    "strange dice seen": (seen(dice=[7, 1]), "observed", "from 1 to 6"),
    "a strange pawn": (seen(pawns={"pink": 1}), "observed", "'pink'"),
    "a pawn seen off the track": (seen(pawns={"red": 15}), "observed", "0 to 14"),
    "cards in words": (seen(installed={"red": "two"}), "observed", "'two'"),
    "cards nobody knows": (seen(installed={"red": ["casino"]}), "observed", "'casino'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_request_that_cannot_be_judged(name: str) -> None:
    data, code, words = REFUSED[name]
    with pytest.raises(RequestError) as caught:
        answer(data)
    assert caught.value.code == code
    assert words in str(caught.value)


def test_what_is_null_was_not_seen() -> None:
    blind = {"dice": None, "pawns": {"red": None}, "zone": {"green": None}, "installed": {"blue": None}}
    assert answer(seen(**blind))["legal"] is True
    assert answer(seen(dice=None, pawns=None, zone=None, installed=None))["legal"] is True


def test_a_position_goes_round_and_fills_in_the_start() -> None:
    short = parse_position(position(), the_copy())
    assert parse_position(short.to_json(), the_copy()) == short
    assert short.to_json()["ledger"] == {
        who: {"pawn": 0, "money": 20000, "energy": 10, "green": 12, "yellow": 12, "hand": 3, "installed": []}
        | {"member": False, "loans": [], "poured": 0, "out": False}
        for who in ("red", "blue")
    }


def test_a_finished_position_may_name_anybody() -> None:
    over = parse_position(position({"red": {"out": True}}, finished=True, winners=["blue"]), the_copy())
    assert over.winners == (Country.BLUE,)


def test_the_ledger_in_one_line() -> None:
    lines = {
        "red": {"pawn": 7, "installed": ["mill", "shop"], "member": True, "loans": [{"lap": 1}]},
        "blue": {"out": True},
        "green": {"pawn": 4, "hand": 0},
    }
    found = parse_position(position(lines, players="red blue green", zone={"green": 2, "yellow": 3}), the_copy())
    assert found.text == (
        "zone 2g3y lost 0g0y | red @7 20000T 10e 12g12y h3 i2 A L1 | blue X | green @4 18000T 8e 14g10y"
    )


def test_acts_go_round() -> None:
    parsed = parse_acts(ACTS, (Country.RED, Country.BLUE), the_copy())
    assert [act_json(act) for act in parsed] == ACTS
