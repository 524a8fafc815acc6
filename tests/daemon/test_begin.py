"""How a game begins: with what is seen, with what players tell of the rest, and never from a board of no game."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.package import GamePackage
from referee.kinds.grid.judging.settingup import setup_questions
from referee.match.arguments import Command
from referee.match.clock import Clock, TimeControl
from referee.match.commands import Name, actions
from referee.match.events import GameStarted
from referee.match.live import ViewsWanted
from referee.match.phases import Phase
from referee.match.transitions import begin
from referee.session.adapter import adapter_of
from referee.session.capture import Capture, Pictures
from referee.session.driving import carry_out
from referee.session.engine import Session
from referee.session.said import CommandGiven, ViewShown
from referee.values.belief import BoardBelief, Prior, posterior
from referee.values.board import Board, Field
from referee.view import table_view
from tests.daemon.toldgrid import LEVELS, SEATS, TERRA, TORRES, ToldEyes, ToldTable, flags_of, hidden, new, set_up
from tests.match.fakes import picture_of
from tests.session.sessions import Kept
from vision.reading import Reading

EMPTY_CASTLES = "/".join(["00000000"] * 8)


@pytest.fixture
def terra(tmp_path: Path) -> ToldTable:
    return ToldTable(tmp_path / "j", TERRA.game, new(TERRA))


def unseen(board: Board) -> list[str]:
    """Return two red flags and a bare stack, as one camera may not see them."""
    return [flags_of(board, "r")[0].name, flags_of(board, "r")[3].name, "A1"]


def test_begin_asks_what_one_camera_does_not_see_and_takes_the_rest_as_it_is_seen(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    terra.shows(hidden(laid, unseen(laid)))
    assert terra.phase is Phase.SET_UP
    assert terra.tell("begin").accepted
    assert terra.phase is Phase.SET_UP
    assert sorted(ask["field"] for ask in terra.view["setup"]["asks"]) == sorted(unseen(laid))
    for ask in terra.view["setup"]["asks"]:
        assert laid.stands(Field.from_name(ask["field"])) in [answer["stands"] for answer in ask["answers"]]
    terra.answers(laid)
    assert terra.phase is Phase.PLAYING
    position = terra.loop.state.position
    assert position.observed == laid
    assert set(position.in_hand.values()) == {0}


def test_every_question_stays_until_the_last_is_answered_and_answers_can_be_changed(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    terra.shows(hidden(laid, unseen(laid)))
    terra.tell("begin")
    first, second, third = (Field.from_name(name) for name in unseen(laid))
    assert terra.tell("tell", field=first.name, stands="1").accepted
    assert terra.tell("tell", field=second.name, stands=laid.stands(second)).accepted
    assert {ask["field"]: ask["told"] for ask in terra.view["setup"]["asks"]}[first.name] == "1"
    assert terra.view["banner"]["fields"] == [third.name]
    drawn = {field["name"]: (field["height"], field["piece"]) for field in terra.view["board"]["fields"]}
    assert (drawn[second.name], drawn[third.name]) == ((int(laid.heights[second]), "red"), (None, "?"))
    assert terra.tell("tell", field=first.name, stands=laid.stands(first)).accepted
    assert not terra.tell("tell", field="F6", stands="1").accepted, "nobody asked"
    terra.taken_up()
    assert terra.tell("tell", field=third.name, stands=laid.stands(third)).accepted
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)


def test_a_board_no_game_can_start_from_is_refused_by_what_is_missing(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    gone = flags_of(laid, "r")[0]
    short = laid.with_field(gone, int(laid.heights[gone]), 0)
    terra.shows(short.text)
    terra.tell("begin")
    assert terra.phase is Phase.SET_UP
    assert "Red starts with 6 flags on the board, but has 5 there" in terra.view["banner"]["detail"]
    assert not terra.view["setup"]["asks"]
    answer = terra.tell("begin", board=short.text)
    assert not answer.accepted
    assert answer.words is not None
    assert "Red starts with 6 flags" in answer.words.text()
    terra.shows(laid.text)
    assert terra.phase is Phase.PLAYING, "put right it is begun from by itself"


def test_what_was_told_can_still_make_no_set_up_and_then_it_is_asked_anew(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    (lost,) = hides = [flags_of(laid, "r")[0].name]
    terra.shows(hidden(laid, hides))
    terra.tell("begin")
    assert terra.tell("tell", field=lost, stands="1").accepted
    assert terra.phase is Phase.SET_UP
    assert "but has 5 there" in terra.view["banner"]["detail"]
    terra.tell("begin")
    terra.answers(laid)
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)


def test_players_can_say_how_the_whole_board_stands(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    terra.shows("lost")
    assert terra.tell("begin", board=laid.text).accepted
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)
    assert terra.loop.state.history == ()


def test_nothing_begins_while_nobody_sees_the_board(terra: ToldTable) -> None:
    terra.shows("lost")
    terra.tell("begin")
    for _ in range(20):
        terra.shows("lost")
    assert terra.phase is Phase.SET_UP
    assert terra.view["banner"]["headline"] == "Can’t see the board"
    laid = set_up(TERRA)
    terra.sight.board = laid.text
    terra.tell("begin")
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)


def test_a_board_corrected_by_hand_is_begun_from_only_where_it_is_a_set_up(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    gone = flags_of(laid, "g")[0]
    assert terra.tell("correct", changes={"board": laid.with_field(gone, int(laid.heights[gone]), 0).text}).accepted
    answer = terra.tell("begin")
    assert not answer.accepted
    assert answer.words is not None
    assert "Green starts with 6 flags" in answer.words.text()
    assert terra.tell("correct", changes={"board": laid.text}).accepted
    assert terra.tell("begin").accepted
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)


def test_a_position_under_way_is_begun_from_as_it_was_agreed(tmp_path: Path) -> None:
    laid = set_up(TERRA)
    moved = laid.with_field(Field(0, 0), 2, 0).with_field(Field(0, 1), 0, 0)
    position = TERRA.game.position(
        new(TERRA).to_json() | {"board": moved.text, "in_hand": dict.fromkeys(SEATS.values(), 0)}
    )
    table = ToldTable(tmp_path / "j", TERRA.game, position)
    table.shows("lost")
    assert not table.view["setup"]["looks"]
    assert table.tell("begin").accepted
    assert (table.phase, table.loop.state.position) == (Phase.PLAYING, position)


def test_castles_are_laid_where_they_are_seen_and_what_is_not_seen_is_asked(tmp_path: Path) -> None:
    start, laid = new(TORRES), Board.parse(EMPTY_CASTLES, 8, 8, TORRES.game.kit.letters)
    for name in ("A1", "C1", "E1", "G1", "A8", "C8", "E8", "G8"):
        laid = laid.with_field(Field.from_name(name), 1, 0)
    table = ToldTable(tmp_path / "j", TORRES.game, start)
    table.shows(hidden(laid, ["C1", "D4", *start.start_fields]))
    table.tell("begin")
    assert table.phase is Phase.SET_UP
    table.answers(laid)
    assert (table.phase, table.loop.state.position.observed) == (Phase.PLAYING, laid)
    assert set(table.loop.state.position.start_fields) == {"A1", "C1", "E1", "G1", "A8", "C8", "E8", "G8"}


def test_where_nothing_is_seen_a_whole_set_up_is_begun_from_as_it_was_agreed(tmp_path: Path) -> None:
    start = new(TORRES)
    table = ToldTable(tmp_path / "j", TORRES.game, start)
    table.shows("lost")
    assert table.view["setup"]["looks"]
    table.tell("begin")
    for _ in range(20):
        table.shows("lost")
    assert not table.view["setup"]["looks"]
    assert table.tell("begin").accepted
    assert (table.phase, table.loop.state.position.observed) == (Phase.PLAYING, start.observed)


def test_what_is_not_seen_is_said_before_anybody_begins(terra: ToldTable) -> None:
    laid = set_up(TERRA)
    terra.shows(hidden(laid, ["A1", "B2"]))
    assert terra.view["setup"]["right"] is False
    assert terra.view["banner"]["headline"] == "Not all of the board can be seen"
    assert terra.view["banner"]["fields"] == ["A1", "B2"]
    assert Name.TELL not in actions(terra.loop.state, TERRA.game), "people are still setting up"


@pytest.mark.parametrize(
    ("is_asked", "views", "headline"),
    [
        (False, 1, "Now from another side"),
        (False, 3, "Not all of the board can be seen"),
        (True, 1, "Now from another side"),
        (True, 3, "What stands there?"),
    ],
)
def test_who_has_shown_one_side_is_sent_on_to_the_next(
    terra: ToldTable, is_asked: bool, views: int, headline: str
) -> None:
    terra.shows(hidden(set_up(TERRA), ["A1", "B2"]))
    if is_asked:
        terra.tell("begin")
    live = replace(terra.loop.live, showing=ViewsWanted(views, 10))
    banner = table_view(TERRA.game, terra.loop.state, live)["banner"]
    assert (banner["headline"], banner["fields"]) == (headline, ["A1", "B2"])


@pytest.mark.long
@given(st.sampled_from([TERRA, TORRES]), st.integers(0, 400), st.data())
@settings(max_examples=30, deadline=None)
def test_whatever_is_hidden_truthful_answers_begin_the_game_that_lies_there(
    package: GamePackage, seed: int, data: st.DataObject
) -> None:
    laid = set_up(package, seed)
    kit = package.game.kit
    names = st.sampled_from([Field(row, col).name for row in range(kit.rows) for col in range(kit.columns)])
    hides = data.draw(st.sets(names, max_size=12))
    with tempfile.TemporaryDirectory() as folder:
        table = ToldTable(Path(folder) / "j", package.game, new(package))
        table.shows(hidden(laid, hides))
        table.tell("begin")
        for ask in table.view["setup"]["asks"] if table.phase is Phase.SET_UP else ():
            assert laid.stands(Field.from_name(ask["field"])) in [answer["stands"] for answer in ask["answers"]]
        table.answers(laid)
        assert (table.phase, table.loop.state.position.observed) == (Phase.PLAYING, laid)
        table.journal.close()


def test_the_pictures_word_comes_first_where_the_set_up_leaves_it_open() -> None:
    laid, position = set_up(TERRA), new(TERRA)
    place, bare = flags_of(laid, "r")[0], flags_of(laid, "y")[0]
    heights = np.where(np.arange(LEVELS) == laid.heights[..., None], 0.0, -20.0)
    flags = np.where(np.arange(5) == laid.flags[..., None], 0.0, -20.0)
    flags[place][[0, 1]] = 0.0, -1.0
    board = laid.with_field(place, int(laid.heights[place]), 0)
    belief = posterior(
        BoardBelief(heights, flags, laid.letters), TERRA.game.initial_prior({"seats": SEATS}, (10, 10))
    )
    asked = setup_questions(TERRA.game, position, board, [place], belief)
    height = int(laid.heights[place])
    assert asked.asks[0].answers[:2] == ((height, 1), (height, 0)), "five others are seen"
    assert not asked.differences
    wrong = board.with_field(bare, int(laid.heights[bare]) + 1, 2)
    certain = setup_questions(TERRA.game, position, wrong, [place], belief).differences
    assert [one.fields for one in certain] == [(bare,)], "a stack that is seen to be wrong is wrong whatever is told"


def test_flags_in_other_corners_are_offered_as_seats_and_played_with_after_one_touch(terra: ToldTable) -> None:
    turned = {"nw": "yellow", "ne": "red", "se": "green", "sw": "blue"}
    laid = set_up(TERRA, seats=turned)
    terra.shows(hidden(laid, ["A1"]), rounds=3)
    assert terra.view["actions"][0]["id"] == "take_seats"
    assert "Yellow at the top left, Red at the top right" in terra.view["banner"]["detail"]
    looks = terra.loop.state.look
    terra.shows(hidden(laid, ["A2"]), rounds=3)
    assert terra.loop.state.look == looks, "what was offered already is not written down again"
    terra.taken_up()
    assert terra.tell("take_seats").accepted
    assert [place.name for place in terra.loop.state.unanswered] == ["A2"]
    terra.answers(laid)
    position = terra.loop.state.position
    assert (terra.phase, position.observed) == (Phase.PLAYING, laid)
    assert position.to_json()["seats"] == turned
    assert position.to_move.word == "red", "who begins still begins"


class WalkEyes(ToldEyes):
    """Reads the newest of the views that a camera in a hand has shown. together: how many there were."""

    together = 0

    def read(self, pictures: Pictures, expect: Prior | None = None, *, since: Any = None) -> Reading:
        self.together = len(pictures)
        return super().read({"cam0": list(pictures.values())[-1]}, expect)


def test_who_shows_other_seats_with_a_phone_walks_around_the_board_once() -> None:
    laid = set_up(TERRA, seats={"nw": "yellow", "ne": "red", "se": "green", "sw": "blue"})
    started = begin(GameStarted(new(TERRA), "test"))
    eyes = WalkEyes(TERRA.game.kit)
    session = Session(TERRA.game, started, adapter_of(TERRA.game, eyes), 100.0)
    for at_s in (100.5, 101.0, 101.5):
        carry_out(session.receive(ViewShown(Capture.of(picture_of(laid.text), at_s), at_s)), Kept())
    assert session.state.turn.other is not None
    carry_out(session.receive(CommandGiven(Command("take_seats"), 102.0)), Kept())
    assert eyes.together == 3, "what was shown before the question counts on"
    assert (session.state.phase, session.state.position.observed) == (Phase.PLAYING, laid)


def test_three_players_who_agreed_on_nothing_are_offered_the_seats_that_are_seen(terra: ToldTable) -> None:
    three = {"nw": "yellow", "ne": None, "se": "green", "sw": "blue"}
    laid = set_up(TERRA, seats=three)
    terra.shows(laid.text)
    assert terra.tell("take_seats").accepted
    assert (terra.phase, terra.loop.state.position.observed) == (Phase.PLAYING, laid)


def test_with_a_clock_no_player_without_time_takes_a_seat(tmp_path: Path) -> None:
    three = {"nw": "yellow", "ne": None, "se": "green", "sw": "blue"}
    laid = set_up(TERRA, seats=three)
    clock = Clock.starting(TimeControl(600), tuple(SEATS.values()))
    table = ToldTable(tmp_path / "j", TERRA.game, new(TERRA), clock)
    table.shows(laid.text)
    assert Name.TAKE_SEATS not in actions(table.loop.state, TERRA.game)


def test_nobody_takes_seats_that_were_not_offered(terra: ToldTable) -> None:
    terra.shows(set_up(TERRA).with_field(Field(0, 0), 0, 0).text)
    assert terra.tell("take_seats").code == "phase"
