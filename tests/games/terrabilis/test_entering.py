"""Values of a copy told when first needed, what players say lies on the table, whose acts a declaration adds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from referee.games.contract import RequestError, Ruling
from referee.games.terrabilis.declared.entered import Entered, parse_entered
from referee.games.terrabilis.declared.seen import NOTHING_SEEN
from referee.games.terrabilis.declared.told import with_told
from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.record import RECORDS
from referee.match.events import GameStarted
from referee.match.transitions import begin
from tests.games.terrabilis.positions import COPY, position

RED, BLUE = Country.RED, Country.BLUE


def at(copy: dict[str, Any] | None = None, **line: Any) -> TerrabilisPosition:
    """Return a position with a copy, Red to move."""
    return GAME.position(position({"red": line}) | {"copy": copy or COPY})


def without(ident: str, *names: str) -> dict[str, Any]:
    """Return the copy without some values of a card."""
    cards = [
        {name: value for name, value in card.items() if card["id"] != ident or name not in names}
        for card in COPY["infrastructures"]
    ]
    return {**COPY, "infrastructures": cards}


TEXTS = [
    Entered("infrastructures", "mill", (("price", "5000"), ("tags", "fossil,renewable"))),
    Entered("infrastructures", "wind farm; 2", (("name", "Wind+farm"), ("kind", "energy"))),
    Entered("countries", "red", (("money", "30000"),)),
    Entered("hazards", "storm", (("self.money", "-2000"),)),
]


@pytest.mark.parametrize("told", TEXTS)
def test_what_is_told_goes_round(told: Entered) -> None:
    assert parse_entered(told.text) == told
    assert ";" not in told.text


UNREADABLE = ["enter", "enter mill price=1", "enter cards/mill price=1", "enter hazards/a b", "enter hazards/ b=1"]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_told_says_how(text: str) -> None:
    with pytest.raises(RequestError, match="write such as"):
        parse_entered(text)


def button(board: Any, ident: str) -> Any:
    return next(option for option in board["options"] if option["id"] == ident)


def test_a_missing_price_is_asked_when_the_card_is_to_be_installed_and_kept_from_then_on() -> None:
    start = at(without("mill", "price", "tags"), pawn=8)
    so_far = "roll 1+1; draw economic"
    asked = button(GAME.ledger(start, {"acts": so_far}), "install mill")
    assert [field["id"] for field in asked["form"]["fields"]] == ["price", "tags"]
    assert asked["place"] == ["infrastructures", "mill"]
    assert "Mill" in asked["asks"]
    told = asked["declared"]["acts"].replace("{answers}", "price=4000+tags=fossil")
    now = button(GAME.ledger(start, {"acts": told}), "install mill")
    assert "form" not in now
    assert now["amounts"][0] == "−4,000 Terras"
    ruling = GAME.check(start, NOTHING_SEEN, (), now["declared"])
    assert ruling.legal
    assert isinstance(ruling.next, TerrabilisPosition)
    assert ruling.next.data.cards["mill"].value("price") == 4000
    assert ruling.acts[0].kind == "value"
    again = GAME.check(start, NOTHING_SEEN, (), {"acts": " ".join(act.text for act in ruling.acts)})
    assert again.next == ruling.next


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(RequestError, match="give a whole number"):
        GAME.check(at(), NOTHING_SEEN, (), {"acts": "enter infrastructures/mill price=dear; roll 1+3"})


@pytest.mark.parametrize(
    ("told", "rule"),
    [("enter hazards/storm self.money=-1+others.green=-1", 2), ("enter hazards/storm free=1", 0)],
)
def test_a_hazard_is_told(told: str, rule: int) -> None:
    storm = {"id": "storm", "name": "Storm"}
    ruling = GAME.check(at({**COPY, "hazards": [storm]}), NOTHING_SEEN, (), {"acts": f"{told}; roll 1+1; meet storm"})
    assert ruling.legal
    assert ruling.turn is not None
    entries = ruling.turn["entries"]
    assert isinstance(entries, list)
    assert len([entry for entry in entries if entry["rule"] == "hazard.card"]) == rule


def test_a_card_nobody_entered_is_told_whole_and_a_country_too() -> None:
    acts = "enter infrastructures/kiln name=Kiln+kind=economic+price=10+energy_cost=0+green=0+yellow=0+income=1"
    acts += "+energy_income=0+co2=0+tags=; enter countries/yellow money=5; roll 1+1; draw economic; install kiln"
    unknown = {colour: card for colour, card in COPY["countries"].items() if colour != "yellow"}
    ruling = GAME.check(at({**COPY, "countries": unknown}, pawn=8), NOTHING_SEEN, (), {"acts": acts})
    assert ruling.legal
    assert isinstance(ruling.next, TerrabilisPosition)
    assert ruling.next.ledger[RED].installed == ("kiln",)
    assert ruling.next.data.start(Country.YELLOW, "money") == 5


AGAINST = [
    ("infrastructures/mill price=4000", "Mill, Price in Terras: your copy has 5,000, but 4,000 was told."),
    ("infrastructures/mill tags=fossil", "Mill, What it counts as: your copy has something else than was told."),
    ("countries/blue energy=3", "Country card of Blue, energy units: your copy has 10, but 3 was told."),
    ("hazards/storm self.money=-1", "Storm, What the card does: your copy has something else than was told."),
]


@pytest.mark.parametrize(("told", "asked"), AGAINST)
def test_a_value_that_is_told_otherwise_than_it_was_entered_is_asked_about(told: str, asked: str) -> None:
    start, declared = at(pawn=8), {"acts": f"enter {told}; roll 1+1; draw economic; install mill"}
    ruling = GAME.check(start, NOTHING_SEEN, (), declared)
    assert (ruling.legal, ruling.next, ruling.violations) == (False, None, ())
    assert ruling.to_json()["legal"] is None
    (question,) = questions(ruling)
    assert question == f"{asked} Look at the card: which is right?"
    insisted = GAME.insisted(start, NOTHING_SEEN, declared)
    assert insisted.legal
    assert isinstance(insisted.next, TerrabilisPosition)
    entry: Any = type("Entry", (), {"player": "red", "acts": declared["acts"], "number": 1, "line": 1})()
    assert RECORDS.play(start, entry).next == insisted.next


def test_a_value_that_is_told_as_it_was_entered_is_not_asked_about() -> None:
    declared = {"acts": "enter infrastructures/mill price=5000; roll 1+1; draw economic; install mill"}
    assert GAME.check(at(pawn=8), NOTHING_SEEN, (), declared).legal


def test_a_difference_names_the_cards_that_changed_what_differs() -> None:
    declared = {
        "acts": "roll 1+1; draw energy; install coal; count money=17000",
        "seen": "zone.green=3+zone.yellow=1",
    }
    start = at(pawn=8)
    count, zone = questions(GAME.check(start, NOTHING_SEEN, (), declared))
    by_cards = "What cards changed of it in this turn, by your copy:"
    assert f"17,000 (Terras), but the ledger has 16,000. {by_cards} Coal: −4,000 Terras." in count
    assert f"{by_cards} Coal: −4 green counters and Coal: −1 yellow counters." in zone
    insisted = GAME.insisted(start, NOTHING_SEEN, declared)
    assert all("Coal: −" in violation.message for violation in insisted.violations)


def questions(ruling: Ruling) -> list[str]:
    return [words.text() for words in ruling.questions]


def test_a_record_tells_the_values_again() -> None:
    start = at(without("mill", "price"), pawn=8)
    acts = "enter infrastructures/mill price=4000; roll 1+1; draw economic; install mill"
    assert GAME.check(start, NOTHING_SEEN, (), {"acts": acts}).legal
    entry: Any = type("Entry", (), {"player": "blue", "acts": acts, "number": 1, "line": 1})()
    other = RECORDS.play(start, entry)
    assert (other.legal, other.acts[0].text.split()[0]) == (False, "enter")


SAID: dict[str, tuple[str, str]] = {
    "zone and pawn": ("zone.green=4+zone.yellow=1+red.pawn=8+red.cards=2", "zone 4g1y | red @8 i2"),
    "nothing": ("", "nothing"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_players_say_lies_on_the_table(name: str) -> None:
    said, seen = SAID[name]
    assert with_told(NOTHING_SEEN, said).text == seen


def test_what_players_say_takes_the_place_of_what_was_seen() -> None:
    assert with_told(GAME.observation("zone 2g2y | red @3"), "zone.green=1").text == "zone 1g2y | red @3"


@pytest.mark.parametrize(
    "said", ["zone.blue=1", "zone.green=x", "red.hat=1", "green", "zone.green=9+zone.yellow=9", 7]
)
def test_what_is_said_otherwise_is_refused(said: object) -> None:
    with pytest.raises(RequestError):
        with_told(NOTHING_SEEN, said)


WHOSE: list[tuple[str, str, frozenset[Country] | None]] = [
    ("", "roll 1+3", frozenset({RED})),
    ("roll 3+3", "roll 3+3; blue pours green", frozenset({BLUE})),
    ("roll 3+3; blue pours green", "roll 3+3", frozenset({BLUE})),
    ("roll 3+3", "roll 3+3", frozenset()),
    ("roll 3+3", "roll 3+4", None),
    ("roll 3+3", "roll 3+3; blue pours green; borrow", frozenset({RED, BLUE})),
    ("", "enter infrastructures/mill price=1; roll 1+3", None),
]


TELLS: list[tuple[str, str, frozenset[Country] | None]] = [
    ("roll 1+1; draw economic", "enter infrastructures/mill price=4000; roll 1+1; draw economic", frozenset({RED})),
    ("roll 1+1; draw economic", "enter infrastructures/mill price=1+income=9; roll 1+1; draw economic", None),
    ("roll 1+1", "enter infrastructures/mill price=4000; roll 1+1", None),
    (
        "roll 1+1; draw economic",
        "enter infrastructures/infrastructures-1 name=Kiln+kind=economic; roll 1+1; draw economic",
        frozenset({RED}),
    ),
    ("roll 1+1; draw economic", "enter hazards/hazards-1 name=Flood; roll 1+1; draw economic", None),
]


@pytest.mark.parametrize(("before", "after", "whose"), TELLS)
def test_a_phone_tells_what_its_player_cannot_act_without(
    before: str, after: str, whose: frozenset[Country] | None
) -> None:
    assert GAME.declarers(at(without("mill", "price"), pawn=8), {"acts": before}, {"acts": after}) == whose


def test_a_hazard_that_nobody_entered_is_named_when_it_is_drawn() -> None:
    start = at({**COPY, "hazards": []}, pawn=0)
    asked = button(GAME.ledger(start, {"acts": "roll 1+1"}), "another card")
    assert [field["id"] for field in asked["form"]["fields"]][:2] == ["name", "self.money"]
    told = asked["declared"]["acts"].replace("{answers}", "name=Flood+self.money=-1000")
    assert GAME.declarers(start, {"acts": "roll 1+1"}, {"acts": told}) == {RED}
    ruling = GAME.check(start, NOTHING_SEEN, (), {"acts": told})
    assert isinstance(ruling.next, TerrabilisPosition)
    assert [card.name for card in ruling.next.data.hazards] == ["Flood"]
    assert ruling.next.ledger[RED].money == start.ledger[RED].money - 1000
    with pytest.raises(RequestError, match="its name"):
        GAME.check(start, NOTHING_SEEN, (), {"acts": told.replace("name=Flood+", "")})


def test_an_infrastructure_that_nobody_entered_is_named_among_the_tiles() -> None:
    start, so_far = at(pawn=8), "roll 1+1; draw economic"
    asked = button(GAME.ledger(start, {"acts": so_far}), "another card")
    assert [field["id"] for field in asked["form"]["fields"]][:2] == ["name", "kind"]
    told = asked["declared"]["acts"].replace("{answers}", "name=Kiln+kind=economic+price=10")
    now: Any = GAME.ledger(start, {"acts": told})
    assert "Kiln" in {option.get("tile_name") for option in now["options"]}


@pytest.mark.parametrize(("before", "after", "whose"), WHOSE)
def test_whose_own_acts_a_declaration_adds(before: str, after: str, whose: frozenset[Country] | None) -> None:
    assert GAME.declarers(at(), {"acts": before}, {"acts": after}) == whose


def test_what_lies_on_the_table_is_nobodys_own_to_say() -> None:
    assert GAME.declarers(at(), {}, {"acts": "", "seen": "zone.green=1"}) is None


def test_nothing_that_is_declared_breaks_the_page() -> None:
    board: Any = GAME.ledger(at(), {"acts": "fly to the moon"})
    assert "is no act" in board["blocked"]
    assert board["options"][0]["declared"] == {}
    assert begin(GameStarted(at())).position.turn == 1


def test_a_changed_declaration_is_offered_as_a_button() -> None:
    declared = {"acts": "roll 3+3; blue pours green", "seen": "zone.green=1+zone.yellow=2"}
    ruling = GAME.check(at(), NOTHING_SEEN, (), declared)
    way, compared = GAME.ways(at(), declared, ruling.offers)
    assert way["name"] == "Blue: Pour a yellow counter (not: Pour a green counter)"
    assert way["declared"] == {"acts": "roll 3+3; blue pours yellow"}
    assert compared["declared"] == {"acts": "roll 3+3; blue pours green"}
    assert len(ruling.questions) == 1
    insisted = GAME.insisted(at(), NOTHING_SEEN, declared)
    assert [violation.rule for violation in insisted.violations] == ["zone.seen"]


def test_a_loan_can_still_be_repaid_while_the_lap_ends() -> None:
    start = at(pawn=12, money=30000, loans=[{"lap": 1, "repaid": None}])
    late = GAME.position(start.to_json() | {"lap": 2})
    board: Any = GAME.ledger(late, {"acts": "roll 6+6"})
    assert any("unless 22,000 Terras are repaid now" in words for words in board["reminders"])
    declared = button(board, "repay")["declared"]
    repaid = GAME.check(late, NOTHING_SEEN, (), declared)
    assert isinstance(repaid.next, TerrabilisPosition)
    assert not repaid.next.ledger[RED].out
    unpaid = GAME.check(late, NOTHING_SEEN, (), {"acts": "roll 6+6"})
    assert isinstance(unpaid.next, TerrabilisPosition)
    assert unpaid.next.ledger[RED].out


def test_the_bookings_of_a_turn() -> None:
    ruling = GAME.check(at(), NOTHING_SEEN, (), {"acts": "roll 3+3; blue pours green"})
    assert ruling.turn is not None
    booked = GAME.bookings(ruling.turn)
    assert [one["player"] for one in booked].count("blue") >= 1
    assert {"id": "money", "name": "Terras", "change": -3000} in booked[0]["changes"] + booked[1]["changes"]


def test_players_are_called_by_their_names_everywhere() -> None:
    names = {"red": "Ana", "blue": "Ben"}
    board: Any = GAME.ledger(at(pawn=8), {"acts": "roll 1+1; blue borrows"}, "en", None, names)
    assert board["blocked"].startswith("Ana landed on a development space")
    assert board["acts"][1]["words"] == "Ben: Take a loan"
    assert {account["name"] for account in board["accounts"]} == {"Ana", "Ben"}
    counts = button(board, "seen")["form"]["fields"]
    assert any(field["name"].startswith("Ben: space of the pawn") for field in counts)
    assert not re.search(r"Red|Blue", json.dumps(board["options"]))
