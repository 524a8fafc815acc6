"""The game as the house asks for it: rulings, seats, set-up, positions changed by hand, the banker's page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terrabilis.copy.files import example
from referee.games.terrabilis.copy.reading import copy_json
from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.position.reading import parse_position
from referee.games.terrabilis.ruleset import CARDS_SEEN, ENTRY_EXACT, LEDGER_COUNT, PAWN_SEEN, PREFERENCE
from tests.games.terrabilis.positions import COPY, position, roll, the_copy

RED, BLUE, GREEN = Country.RED, Country.BLUE, Country.GREEN
SEEN_NOTHING = GAME.observation("nothing")


def at(lines: Any = None, players: str = "red blue", **changes: Any) -> TerrabilisPosition:
    """Return a position that carries the data of its copy."""
    return GAME.position(position(lines, players, **changes) | {"copy": COPY})


def test_a_position_carries_its_copy() -> None:
    whole = at()
    assert whole.to_json()["copy"] == copy_json(the_copy())
    assert GAME.position(whole.to_json()) == whole
    with pytest.raises(RequestError, match="give the data of the copy"):
        GAME.position(position())


def test_acts_are_declared_in_notation_or_as_formats_write_them() -> None:
    seen = GAME.observation("dice 2+1 zone 0g0y | red @3 i0 | blue @0 i0")
    for acts in ("roll 1+2; join", [roll(1, 2), {"join": True}]):
        ruling = GAME.check(at(), seen, (), {"acts": acts})
        assert ruling.legal
        assert [act.text for act in ruling.acts] == ["roll 1+2;", "join"]
        assert [act.kind for act in ruling.acts] == ["roll", "join"]
        assert isinstance(ruling.next, TerrabilisPosition)
        assert ruling.next.ledger[RED].money == 15000
        assert ruling.to_json()["turn"]["entries"] == [{"who": "red", "money": -5000, "rule": "alliance.join"}]


def test_dice_seen_are_the_roll_where_nothing_is_declared() -> None:
    assert GAME.check(at(), GAME.observation("dice 1+3")).legal
    with pytest.raises(RequestError, match="no roll"):
        GAME.check(at(), SEEN_NOTHING)


def test_one_changed_declaration_is_offered_as_a_question() -> None:
    seen = GAME.observation("zone 1g2y")
    ruling = GAME.check(at(), seen, (), {"acts": "roll 3+3; blue pours green"})
    answer = ruling.to_json()
    assert answer["legal"] is None
    assert answer["violations"] == []
    assert answer["offers"] == [{"act": 1, "instead": {"choose": "yellow", "by": "blue"}}]
    (asked,) = ruling.to_json("de")["questions"]
    assert "In der Zone liegen 1 grüne und 2 gelbe Marken" in asked


def test_a_win_tells_the_title() -> None:
    before = at({"red": {"money": 30000, "member": True, "installed": ["wind"], "loans": [{"lap": 1}]}}, target=1)
    ruling = GAME.check(before, SEEN_NOTHING, (), {"acts": "repay"})
    assert (ruling.winners, ruling.finished) == ((RED,), True)
    assert ruling.to_json()["title"] == "Grand Terrarchitecte"


@pytest.mark.parametrize(
    ("seen", "declared", "words"),
    [
        ("| green @1", {"acts": "roll 1+3"}, "green can stand"),
        ("| red @15", {"acts": "roll 1+3"}, "space 15"),
        ("| green i1", {"acts": "roll 1+3"}, "green does not play"),
        ("", {"acts": "fly"}, "'fly'"),
        ("", {"moves": ""}, "'moves'"),
        ("", {"acts": 3}, "not 3"),
    ],
)
def test_what_no_turn_can_lead_to(seen: str, declared: dict[str, object], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        GAME.check(at(), GAME.observation(f"nothing {seen}".strip()), (), declared)


def test_a_finished_game_is_not_judged() -> None:
    with pytest.raises(RequestError, match="start a new one"):
        GAME.check(at(finished=True), SEEN_NOTHING)
    over: Any = GAME.ledger(at(finished=True), {})
    assert over["options"] == []
    assert [account["amount"] for account in over["accounts"]] == [20000, 20000]


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        "dice 3+4",
        "dice 3+4 zone 2g3y",
        "zone ?g3y",
        "nothing | red @7 i2",
        "zone 0g0y | red @7 | green i0 | blue @4 i=mill+%C3%A9cole | yellow i=",
    ],
)
def test_what_was_seen_goes_round(text: str) -> None:
    assert GAME.observation(text).text == text


STRANGE: tuple[object, ...] = (
    *(None, 5, "", " ", "dice 7+1", "zone 2g", "dice 1+2 ", " dice 1+2", "nothing | pink @1", "nothing |"),
    *("nothing | red @x", "nothing | red @1 | red @1", "x" * 5000),
)


@pytest.mark.parametrize("text", STRANGE)
def test_only_an_empty_text_is_an_observation_of_nothing(text: object) -> None:
    with pytest.raises(RequestError, match="nothing seen"):
        GAME.observation(text)


def test_who_plays_and_what_is_asked() -> None:
    assert GAME.player("blue") is BLUE
    with pytest.raises(RequestError, match="'pink'"):
        GAME.player("pink")
    form = GAME.form(at())
    assert form is not None
    assert [field.id for field in form.fields] == ["acts", "seen"]


def test_seats_show_accounts_and_goals() -> None:
    line = {"member": True, "installed": ["mill", "shop"], "loans": [{"lap": 1}]}
    red, blue, green = GAME.seats(at({"red": line, "blue": {"out": True}}, "red blue green", target=2))
    counted = {counter.id: (counter.value, counter.of) for counter in red.counters}
    assert counted == {
        "money": (20000, 20000),
        "energy": (10, 10),
        "green": (12, 14),
        "yellow": (12, 12),
        "installed": (2, 2),
        "loans": (1, 2),
    }
    steps = [(str(step.text), step.reached) for step in red.steps]
    assert steps == [("2/2", True), ("Alliance", True), ("no loan", False)]
    assert str(red.goal) == "Missing: the loan repaid"
    assert blue.goal is None
    assert [seat.places for seat in (red, blue, green)] == [("first",), ("second",), ("third",)]
    won = at({"red": line | {"loans": []}}, target=2)
    assert str(GAME.seats(won)[0].goal) == "All there is to a win"


def test_a_new_game() -> None:
    begun = GAME.new_game({"seats": {"first": "blue", "third": "red"}, "copy": COPY, "target": 8})
    assert (begun.players, begun.first, begun.target, begun.copy) == ((BLUE, RED), BLUE, 8, "tiny")
    (ask,) = GAME.choices().to_json()["asks"]
    assert ask == {
        "key": "target", "kind": "number", "name": "Infrastructures to win", "least": 1, "most": 30, "usual": 12,
    }  # fmt: skip
    assert begun.ledger[RED].money == 20000
    assert GAME.new_game({"players": ["red", "blue"]}).data == example()
    assert GAME.new_game({"players": ["red", "blue"], "copy": "example"}).data == example()
    for choice, words in (
        ({}, "who sits where"),
        ({"seats": {"fifth": "red"}}, "'fifth'"),
        ({"players": []}, "players"),
        ({"players": ["red", "blue"], "target": 0}, "target"),
        ({"players": ["red", "blue"], "copy": "club"}, "'club'"),
        ({"players": ["red", "blue"], "mood": 1}, "'mood'"),
    ):
        with pytest.raises(RequestError, match=words):
            GAME.new_game(choice)


def test_the_choices_explain_every_option() -> None:
    choices = GAME.choices().to_json("fr")
    assert [option["id"] for option in choices["options"]] == [
        "cannot_pay",
        "loan_open",
        "loan_due",
        "out_when",
        "title_loss",
    ]
    assert all(len(option["values"]) == 2 for option in choices["options"])


def test_who_plays_is_seen_by_the_pawns() -> None:
    opened = GAME.infer_setup({"copy": COPY}, GAME.observation("nothing | red @0 | yellow @0"))
    assert opened.players == (RED, Country.YELLOW)
    assert GAME.infer_setup({"players": ["blue", "red"]}, SEEN_NOTHING).players == (BLUE, RED)
    with pytest.raises(RequestError, match="fewer than two pawns"):
        GAME.infer_setup({}, GAME.observation("nothing | red @0"))


def test_the_set_up() -> None:
    assert GAME.setup_differences(at(), at().observed) == ()
    assert GAME.setup_differences(at(), SEEN_NOTHING) == ()
    wrong = GAME.observation("zone 1g0y | red @2 i1 | green @0 | blue @0 i0")
    found = GAME.setup_differences(at(), wrong)
    assert [violation.message for violation in found] == [
        "The pawn of Red belongs on Start.",
        "Green does not play: take the pawn away.",
        "The Zone is empty before the first turn.",
        "No infrastructure lies before Red yet.",
    ]
    assert {violation.rule for violation in found} == {"setup.country"}
    assert GAME.start_from_setup(at(), wrong) == at()


def test_a_turn_let_stand_without_a_word_takes_over_what_is_seen() -> None:
    seen = GAME.observation("zone 3g1y | red @7 i=mill | blue @2 i4")
    after = GAME.accepted(at(), seen)
    assert (after.zone, after.turn, after.to_move) == ((3, 1), 2, BLUE)
    assert (after.ledger[RED].pawn, after.ledger[RED].installed) == (7, ("mill",))
    assert (after.ledger[BLUE].pawn, after.ledger[BLUE].installed) == (2, ())


def test_a_turn_let_stand_is_booked_as_declared() -> None:
    seen = GAME.observation("zone 4g4y | red @8 i0 | blue @0 i0")
    declared = {"acts": "blue repays; roll 4+4; pay money"}
    assert not GAME.check(at(), seen, (), declared).legal
    after = GAME.accepted(at(), seen, declared)
    assert (after.ledger[RED].money, after.ledger[BLUE].money, after.zone) == (15000, 0, (4, 4))


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ("zone 9g9y", "18 counters"),
        ("nothing | red @15", "off the track"),
        ("nothing | red i=casino", "not all cards"),
    ],
)
def test_what_cannot_be_taken_over(seen: str, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        GAME.accepted(at(), GAME.observation(seen))


def test_positions_corrected_by_hand() -> None:
    changed = GAME.corrected(at(), {"ledger": {"red": {"money": 7}}, "zone": {"green": 2, "yellow": 0}})
    assert (changed.ledger[RED].money, changed.ledger[RED].energy, changed.zone) == (7, 10, (2, 0))
    dearer = json.loads(json.dumps(COPY))
    dearer["infrastructures"][0]["price"] = 1
    assert GAME.corrected(at(), {"copy": dearer}).data.cards["mill"].value("price") == 1
    named = parse_position(position(), the_copy())
    assert GAME.corrected(named, {"lap": 3}).lap == 3
    for changes in ({"ledger": {"red": 5}}, {"ledger": {"red": {"gold": 1}}}, {"mood": 1}, {"ledger": 3}):
        with pytest.raises(RequestError):
            GAME.corrected(at(), changes)


def test_giving_up() -> None:
    three = at(players="red blue green")
    left = GAME.resigned(three, frozenset({RED}))
    assert (left.to_move, left.finished, left.remaining) == (BLUE, False, (BLUE, GREEN))
    assert GAME.resigned(three, frozenset({BLUE})).to_move is RED
    ended = GAME.resigned(three, frozenset({RED, BLUE}))
    assert (ended.finished, ended.winners) == (True, (GREEN,))
    passed = GAME.passed(left)
    assert (passed.turn, passed.to_move) == (2, GREEN)


def test_every_rule_of_the_sheet_has_its_paragraph() -> None:
    unwritten = [rule for rule in PREFERENCE if not GAME.citation(at(), rule).paragraph]
    assert unwritten == [LEDGER_COUNT, PAWN_SEEN, CARDS_SEEN, ENTRY_EXACT]
    assert GAME.citation(at(), LEDGER_COUNT).sheet == "Terrabilis, règles du jeu"


def test_what_the_eyes_may_expect() -> None:
    prior = GAME.prior_after(at())
    assert (prior.players, prior.spaces, prior.previous) == ((RED, BLUE), 15, at().observed)
    assert GAME.initial_prior({}, (1, 1)).spaces is None
    assert GAME.progress(at(), ()) == ()


def test_the_table_as_the_page_draws_it() -> None:
    view = at(zone={"green": 2, "yellow": 1}).observed.view("de")
    assert view["accounts"] == [
        {"player": "red", "name": "Rot", "amount": 20000},
        {"player": "blue", "name": "Blau", "amount": 20000},
    ]
    gauge = view["gauge"]
    assert isinstance(gauge, dict)
    assert (gauge["name"], gauge["value"], gauge["of"]) == ("Impact-Zone", 3, 10)
    assert GAME.observation("zone ?g1y").view("en")["gauge"]["value"] is None


def options(view: dict[str, object]) -> dict[str, dict[str, Any]]:
    return {option["id"]: option for option in view["options"]}


def test_the_banker_s_page_a_turn_in_three_touches() -> None:
    before = at({"red": {"pawn": 8}})
    declared: dict[str, object] = {}
    for wanted in ("roll 1+1", "draw social", "install coal"):
        declared = options(GAME.ledger(before, declared))[wanted]["declared"]
    assert declared == {"acts": "roll 1+1; draw social; install coal"}
    view = GAME.ledger(before, declared, "de")
    assert view["ready"] is True
    assert view["gauge"]["value"] == 5
    red = view["accounts"][0]
    assert (red["amount"], red["line"]["energy"], red["before"]["money"], red["cards"]) == (
        16000,
        20,
        20000,
        ["Coal"],
    )
    assert red["history"] == [{"words": "Preis einer Infrastruktur", "amount": -4000}]
    assert options(view)["undo"]["declared"] == {"acts": "roll 1+1; draw social"}
    assert options(view)["undo"]["name"] == "Zurücknehmen: Bauen: Coal"
    assert options(view)["blue borrows"]["name"] == "Blau: Darlehen aufnehmen"
    assert options(view)["blue borrows"]["amounts"] == ["Blau: +20.000 Terras"]


def test_the_banker_s_page_shows_amounts_before_they_are_confirmed() -> None:
    view = GAME.ledger(at({"red": {"pawn": 8, "money": 3500}}), {"acts": "roll 1+1; draw social"}, "fr")
    shown = options(view)
    assert shown["install park"]["amounts"] == ["−3\u202f000 Terras"]
    assert shown["install mill"]["hindrance"].startswith("Rouge ne peut pas payer")
    assert shown["discard mill"]["amounts"] == []
    assert view["blocked"].startswith("Rouge est sur une case Aménagement")


def test_the_banker_s_page_at_the_end() -> None:
    before = at({"red": {"money": 30000, "member": True, "installed": ["wind"], "loans": [{"lap": 1}]}}, target=1)
    view = GAME.ledger(before, {"acts": "repay"})
    assert (view["winner"], view["title"], list(options(view))) == ("red", "Grand Terrarchitecte", ["undo"])


def test_every_act_has_a_button() -> None:
    acts = (
        "roll 1+2; draw social; install mill; discard mill; meet storm; join; decline; answer normal money; "
        "answer normal wrong; pour green; pay money; order gy; borrow; repay; abandon mill+shop; count money=1"
    )
    words = [each["words"] for each in GAME.ledger(at(), {"acts": acts})["acts"]]
    assert len(set(words)) == 16
    assert words[11] == "Pour in this order: green and yellow"
    assert words[15] == "Count: Terras"
    assert words[14] == "Give up Mill and Shop"
