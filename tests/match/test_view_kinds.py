"""What the page is told to draw: marks, colours, what is kept, markers, a swept board, the set-up, other kinds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.games.contract import Act, Counter, RequestError, RuleId, Seat, StoneTrack, Violation
from referee.games.terra_turrium.colours import LETTERS
from referee.match.decision import Ask
from referee.match.events import GameStarted, LookTaken, SetupChecked, TurnRuled, Unsure, WhyUnsure
from referee.match.live import Live
from referee.match.transitions import TableState, begin, step
from referee.values.board import Board, Field
from referee.values.paints import paint_of
from referee.values.words import say
from referee.view import table_view
from referee.view.board import act_view, observed_view
from tests.match.fakes import StepGame, StepPosition, start
from tests.match.rulings import reading, ruled
from tests.untyped import untyped

GAME = StepGame()
NEW = begin(GameStarted(start(), "Recorded game"))


def view(state: TableState) -> Any:
    return json.loads(json.dumps(table_view(GAME, state)))


def test_acts_are_told_as_marks_and_the_legend_names_them() -> None:
    at = tuple(Field.from_name(name) for name in ("A1", "B1", "B2"))
    assert act_view(Act("take", at[:1], text="-A1"))["marks"] == [{"mark": "removed", "fields": ["A1"], "hits": []}]
    assert act_view(Act("move", at, at[2:]))["marks"] == [
        {"mark": "path", "fields": ["A1", "B1", "B2"], "hits": ["B2"]}
    ]
    entered = act_view(Act("enter", at, at[1:2]))["marks"]
    assert entered == [
        {"mark": "entry", "fields": ["A1"], "hits": []},
        {"mark": "path", "fields": ["A1", "B1", "B2"], "hits": ["B1"]},
    ]
    assert act_view(Act("enter", at[:1], at[:1]))["marks"] == [{"mark": "entry", "fields": ["A1"], "hits": ["A1"]}]
    assert act_view(Act("sing", at, text="la")) == {"marks": [], "text": "la"}
    assert table_view(GAME, NEW, language="de")["legend"] == {
        "removed": "genommen",
        "placed": "gebaut",
        "path": "gezogen",
        "hit": "geschlagen",
        "entry": "aufs Brett gekommen",
    }


def test_the_page_is_told_colours_letters_and_paints() -> None:
    shown = view(NEW.naming({"red": "Anna"}))
    assert shown["players"]["red"] == {"name": "Anna", "paint": paint_of("red").to_json()}
    assert shown["palette"]["red"]["name"] == "Red"
    assert [piece["letter"] for piece in shown["kit"]["pieces"]] == list(GAME.kit.letters)
    assert (shown["form"], shown["declared"], shown["swept"]) == (None, {}, None)
    assert shown["seats"][0]["corners"] == [0]


class Kept(StepGame):
    """Stones are neither lost nor added."""

    def corrected(self, position: StepPosition, changes: Mapping[str, object]) -> StepPosition:
        made = super().corrected(position, changes)
        if made.board.heights.sum() != position.board.heights.sum():
            raise RequestError("board", "board: a stone is missing, or one too many")
        return made


def test_how_many_stones_must_be_there_is_told_where_the_game_keeps_them() -> None:
    assert view(NEW)["conserved"] == {"stones": None}
    assert table_view(Kept(), NEW)["conserved"] == {"stones": 4}


@pytest.mark.parametrize(("seen", "told"), [(2, 2), (0, 0), (None, None)])
def test_where_the_cameras_saw_the_marker_stands_beside_where_it_ought_to(seen: int | None, told: int | None) -> None:
    looked = step(step(NEW, LookTaken(1)), replace(reading(), tracks=(("nw", seen), ("ne", 4))))
    state = step(looked, ruled(looked, "12r/1y1"))

    class Tracked(StepGame):
        def seats(self, position: StepPosition) -> tuple[Seat, ...]:
            counter = Counter("made", say("Red"), 0, 5, StoneTrack(5, 1))
            return tuple(replace(seat, counters=(counter,)) for seat in super().seats(position))

    counters = [seat["counters"][0] for seat in json.loads(json.dumps(table_view(Tracked(), state)["seats"]))]
    assert [counter["seen"] for counter in counters] == [told] * 2
    assert counters[0]["track"] == {"fields": 5, "at": 1, "ring": False}
    fresh = json.loads(json.dumps(table_view(Tracked(), NEW)["seats"]))
    assert fresh[0]["counters"][0]["seen"] is None


@pytest.mark.parametrize(
    ("seen", "told"),
    [({"red": 7}, 7), ({"red": 3}, 3), ({"red": 1}, None), ({"blue": 7}, None), ({}, None)],
    ids=["elsewhere", "where it has to stand", "where it had to before", "another's", "not seen"],
)
def test_a_marker_on_a_ring_may_follow_after_the_ruling(seen: dict[str, int], told: int | None) -> None:
    """The score was 1 before the turn and is 3 after it: neither place calls for a reminder."""

    class Ringed(StepGame):
        def seats(self, position: StepPosition) -> tuple[Seat, ...]:
            counter = Counter("score", say("Red"), 0, 0, StoneTrack(80, 2 * position.turn - 1, ring=True))
            return tuple(replace(seat, counters=(counter,)) for seat in super().seats(position))

    looked = step(step(NEW, LookTaken(1)), replace(reading(), score=tuple(seen.items())))
    state = step(looked, ruled(looked, "12r/1y1"))
    shown = json.loads(json.dumps(table_view(Ringed(), state)["seats"]))
    red = next(seat for seat in shown if seat["colour"] == "red")["counters"][0]
    assert red["track"] == {"fields": 80, "at": 3, "ring": True}
    assert red["seen"] == told


BIG = "/".join(["1" * 5] * 5)


class BigGame(StepGame):
    """The same on 5 x 5 fields."""

    kit = replace(StepGame.kit, columns=5, rows=5)


def big(text: str = BIG) -> StepPosition:
    return StepPosition(Board.parse(text, 5, 5, LETTERS))


def unsure_at(seen: str, swept: bool = False) -> TableState:
    """Return a turn of the big game that can't be told, because the board looks like this."""
    started = begin(GameStarted(big(), "Recorded game"))
    looked = step(step(started, LookTaken(1)), replace(reading(), text=seen))
    why = WhyUnsure.SWEPT if swept else WhyUnsure.OPEN
    return step(looked, TurnRuled(seen, Unsure(why, doubts=(Field(1, 0),))))


def test_a_swept_board_is_no_accusation_but_a_list_to_put_back() -> None:
    rows = ["00000", "00000", "00000", "11111", "11111"]
    state = unsure_at("/".join(rows), swept=True)
    shown = table_view(BigGame(), state, Live(seen="/".join(["11111", *rows[1:]])), "de")
    assert untyped(shown)["banner"]["headline"] == "Das Brett sieht ganz anders aus"
    assert untyped(shown)["banner"]["detail"].endswith("sieht nach einem Sturz aus, nicht nach einem Zug.")
    swept: Any = shown["swept"]
    assert swept["before"]["text"] == BIG
    assert [task["done"] for task in swept["tasks"]] == [False] * 10 + [True] * 5
    assert {task["field"] for task in swept["tasks"] if task["done"]} == {"A5", "B5", "C5", "D5", "E5"}


def test_the_field_that_would_decide_is_asked_for_with_what_may_stand_there() -> None:
    started = step(step(begin(GameStarted(big(), "Recorded game")), LookTaken(1)), replace(reading(), text=BIG))
    ask = Ask(Field.from_name("B2"), say("Nobody sees it."), ((2, 1), (1, 0)))
    state = step(started, TurnRuled(BIG, Unsure(doubts=(Field(1, 1),), ask=ask)))
    assert table_view(BigGame(), state)["ask"] == {
        "field": "B2",
        "why": "Nobody sees it.",
        "answers": [{"stands": "2r", "height": 2, "piece": "red"}, {"stands": "1", "height": 1, "piece": None}],
    }
    assert table_view(BigGame(), started)["ask"] is None


def test_a_tower_that_may_have_fallen_is_asked_about_and_may_be_put_back() -> None:
    ask = Ask(Field.from_name("B2"), say("{at} may have fallen: did something fall?", at="B2"), ((1, 0),))
    turn = TurnRuled(BIG, Unsure(WhyUnsure.SWEPT, None, (ask.field,), ask))
    started = step(step(begin(GameStarted(big(), "Recorded game")), LookTaken(1)), replace(reading(), text=BIG))
    shown = untyped(table_view(BigGame(), step(started, turn)))
    assert shown["banner"]["headline"] == "B2 may have fallen: did something fall?"
    assert (shown["ask"]["field"], shown["swept"]["before"]["text"]) == ("B2", BIG)
    assert "tell" in [action["id"] for action in shown["actions"]]


def test_a_few_other_fields_are_looked_at_one_by_one() -> None:
    state = unsure_at("/".join(["00000", "00000", "11111", "11111", "11111"]))
    shown = table_view(BigGame(), state)
    assert shown["swept"] is None
    assert "please look at" in untyped(shown)["banner"]["headline"]


def test_a_setup_that_is_far_from_right_is_shown_as_it_ought_to_be() -> None:
    started = begin(GameStarted(big(), "Recorded game"))
    looked = step(step(started, LookTaken(1, setup=True)), replace(reading(), text="?" * 5 + BIG[5:]))
    places = tuple(Field(4, col) for col in range(5))
    differences = tuple(
        Violation(RuleId("set.up"), (place,), say("{at} looks different.", at=place)) for place in places
    )
    shown = json.loads(json.dumps(table_view(BigGame(), step(looked, SetupChecked(differences)))))
    assert shown["board"]["text"] == BIG
    assert shown["banner"]["headline"] == "Please set the board up"
    assert shown["banner"]["detail"] == "The board is drawn as it ought to stand; 5 fields still differ."
    few = json.loads(json.dumps(table_view(BigGame(), step(looked, SetupChecked(differences[:3])))))
    assert few["banner"]["headline"] == "Please set the board up"  # five fields can't be told


def test_alike_differences_of_a_setup_are_said_once() -> None:
    started = begin(GameStarted(big(), "Recorded game"))
    looked = step(step(started, LookTaken(1, setup=True)), replace(reading(), text=BIG))
    places = tuple(Field(0, col) for col in range(3))
    differences = tuple(
        Violation(RuleId("set.up"), (place,), say("{at} looks different.", at=place)) for place in places
    )
    detail = json.loads(json.dumps(table_view(BigGame(), step(looked, SetupChecked(differences)))))["banner"][
        "detail"
    ]
    assert detail == "A1 looks different. To look at: A1, B1 and C1."


def test_a_tower_is_told_level_by_level_and_others_as_they_say_themselves() -> None:
    kit = replace(GAME.kit, kind="tower", columns=3, rows=3)

    class Bare:
        text = "......EWu/........d"

    shown = observed_view(Bare.text, Bare(), kit, "en")
    assert (shown["kind"], shown["key"], shown["columns"]) == ("tower", "tower", 3)
    assert shown["levels"] == [list("......EWu"), list("........d")]
    assert observed_view("", Bare(), kit, "en")["levels"] == []

    class Ledger:
        text = "zone 2g"

        def view(self, language: str) -> Mapping[str, object]:
            return {"accounts": [], "language": language}

    told = observed_view("zone 2g", Ledger(), replace(kit, kind="ledger"), "fr")
    assert told == {"kind": "ledger", "text": "zone 2g", "accounts": [], "language": "fr"}
