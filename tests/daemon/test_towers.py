"""A tower at the live table: every side shown adds to what is known, and nobody is accused of what nobody saw."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.games.contract import Position
from referee.match.commands import Name, actions
from referee.match.phases import Phase
from referee.session.capture import Pictures
from referee.view import table_view
from tests.daemon.turntable import GAME, Built
from tests.untyped import untyped
from vision.tower.reader import TowerLook

NEW: Position = GAME.new_game({"edition": "fr", "seats": {"south": "light", "north": "dark"}})
ONE = "......EW."
"""A light bar on a1 and b1."""


@pytest.fixture
def built(tmp_path: Path) -> Built:
    built = Built(tmp_path / "j", NEW)
    built.show("")
    assert built.phase is Phase.PLAYING  # the base is empty: the game began by itself
    return built


def ends(built: Built, tower: str, side: str = "south") -> None:
    built.show(tower, side)
    assert built.tell("turn_ended")


def test_a_base_that_is_not_empty_is_told(tmp_path: Path) -> None:
    built = Built(tmp_path / "j", NEW)
    built.show(ONE)
    assert built.phase is Phase.SET_UP
    assert [one.rule for one in built.loop.live.setup or ()] == ["setup.empty"]


def test_a_bar_that_is_seen_is_ruled_on_at_once(built: Built) -> None:
    ends(built, ONE)
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == ONE
    assert built.loop.state.position.to_move.word == "dark"


def test_a_side_that_hides_the_turn_is_asked_for(built: Built) -> None:
    ends(built, ONE)
    after = "ew....EW."
    built.show(after, roof=False)  # dark lies behind light, on a3 and b3
    assert built.tell("turn_ended")
    assert built.phase is Phase.UNSURE
    assert str(built.loop.live.show) == "Turn the tower a quarter to the left, as the camera sees it."
    built.show(after, "north")
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == after


def test_the_page_says_that_a_side_is_looked_at_while_it_is(built: Built, monkeypatch: pytest.MonkeyPatch) -> None:
    def headline() -> str:
        shown: Any = built.board.snapshot()["banner"]
        return str(shown["headline"])

    def reads(views: Sequence[Pictures], previous: str | None = None) -> TowerLook:
        heard.append(headline())
        return read(views, previous)

    ends(built, "")
    heard: list[str] = []
    read = built.eyes.read
    monkeypatch.setattr(built.eyes, "read", reads)
    built.show("", "east")
    assert heard == ["Looking at this side: please leave it as it stands"]
    assert headline() == "Nothing new is in sight"


@pytest.mark.parametrize(
    ("sides", "asked"),
    [
        (("south",), "a quarter to the left"),
        (("south", "east"), "a quarter to the left"),
        (("east", "south"), "halfway round"),
        (("west", "south", "east", "south"), "halfway round"),
        (("east", "north", "south"), "a quarter to the right"),
    ],
)
def test_the_next_side_is_a_quarter_away_where_it_can_be(built: Built, sides: tuple[str, ...], asked: str) -> None:
    ends(built, "", sides[0])
    for side in sides[1:]:
        built.show("", side)
    assert asked in str(built.loop.live.show)


def test_a_press_too_early_is_asked_about_at_once(built: Built) -> None:
    ends(built, "")
    assert built.loop.state.unchanged
    said = built.loop.banner
    assert str(said.headline) == "Nothing new is in sight"
    assert [str(one) for one in said.detail] == ["Is the turn of Light over?"]
    assert str(said.advice) == (
        "If so: Turn the tower a quarter to the left, as the camera sees it."
        " If not, play on, then end the turn again."
    )
    assert {Name.TURN_OVER, Name.NOT_ENDED} <= set(actions(built.loop.state, GAME))
    assert built.tell("not_ended")
    assert built.phase is Phase.PLAYING
    ends(built, ONE)
    assert (built.phase, built.loop.state.position.observed.text) == (Phase.PLAYING, ONE)


def test_a_bar_that_only_another_side_shows_needs_no_answer(built: Built) -> None:
    ends(built, ONE)
    after = "ew....EW."
    built.show(after, roof=False)
    assert built.tell("turn_ended")
    assert built.loop.state.unchanged
    built.show(after, "north")
    assert (built.phase, built.loop.state.position.observed.text) == (Phase.PLAYING, after)


def test_nothing_changed_is_said_once_all_sides_were_shown(built: Built) -> None:
    ends(built, "")
    for side in ("east", "north", "west"):
        assert str(built.loop.banner.headline) == "Nothing new is in sight"
        built.show("", side)
    assert str(built.loop.banner.headline) == "Nothing has changed on the board"
    assert built.loop.live.show is None
    assert built.tell("turn_over")
    assert (built.phase, built.rules) == (Phase.VIOLATION, ["turn.pass"])


def test_a_turn_said_to_be_over_is_a_breach_only_once_all_sides_were_shown(built: Built) -> None:
    ends(built, "")
    assert built.tell("turn_over")
    for side in ("east", "north", "west"):
        assert (built.phase, built.loop.state.unchanged) == (Phase.UNSURE, False)  # asked once, not again
        assert str(built.loop.banner.headline) == "More of it must be seen"
        built.show("", side)
    assert (built.phase, built.rules) == (Phase.VIOLATION, ["turn.pass"])


def test_a_turn_that_goes_on_after_all_is_asked_about_anew(built: Built) -> None:
    ends(built, "")
    assert built.tell("turn_over")
    assert built.tell("not_ended")
    ends(built, "", "north")
    assert built.loop.state.unchanged


def test_nobody_is_accused_before_all_sides_were_shown(built: Built) -> None:
    ends(built, ".......ew")  # the other player's colour
    for side in ("east", "north"):
        assert built.phase is Phase.UNSURE
        built.show(".......ew", side)
    built.show(".......ew", "west")
    assert (built.phase, built.rules) == (Phase.VIOLATION, ["bar.colour"])
    built.show("", "south")
    assert built.phase is Phase.PLAYING  # seen to be taken back


@pytest.mark.long
def test_a_tower_that_fell_over_is_no_accusation(tmp_path: Path) -> None:
    tower = "SSUNNuUew/ewDuSdDNU/.sudn.EWD/.Ud.S..Nu/.D......d"
    built = Built(tmp_path / "j", GAME.corrected(NEW, {"tower": tower}))
    built.show(tower)
    assert built.phase is Phase.PLAYING
    built.show("", hand=True)  # no bar explains what lies about
    assert built.tell("turn_ended")
    for side in ("east", "north", "west"):
        assert built.phase is Phase.UNSURE
        assert str(built.loop.banner.headline) == "The board looks very different"
        shown = table_view(GAME, built.loop.state, built.loop.live)
        assert untyped(shown["swept"])["before"]["text"] == tower
        built.show("", side)
    assert (built.phase, built.rules) == (Phase.UNSURE, [])
    for side in ("south", "north"):  # built up again, which is seen without a press
        built.show(tower, side)
    assert str(built.loop.banner.headline) != "The board looks very different"
    assert built.tell("not_ended")
    assert built.phase is Phase.PLAYING


def test_a_bar_in_the_centre_is_no_end_of_the_turn_while_a_side_is_hidden(built: Built) -> None:
    ends(built, ONE)
    ends(built, "......EWu/........d", "east")
    assert built.phase is Phase.PLAYING
    centre = ".S..N.EWu/........d"  # earns light a bonus, which may be anywhere
    ends(built, centre, "south")
    for side in ("east", "north", "west"):
        assert built.phase is Phase.UNSURE
        built.show(centre, side)
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == centre


def test_what_may_be_older_than_the_turn_accuses_nobody(built: Built) -> None:
    """Light laid a second bar on a3 and b3, where no picture tells it: dark is not told off for it."""
    built.show("EW....EW.", roof=False)
    assert built.tell("turn_ended", declared={"bars": "+a1b1.1"})
    built.loop.round()
    assert built.loop.state.position.observed.text == ONE
    after = "EW....EWu/........d"
    ends(built, after)
    for side in ("east", "north", "west"):
        assert built.phase is Phase.UNSURE
        built.show(after, side)
    assert built.phase is Phase.UNSURE
    assert [place.name for place in built.loop.banner.fields] == ["a3.1", "b3.1"]
    assert str(built.loop.banner.advice).startswith("Was it laid in this turn? Then declare")
    assert {Name.DECLARE, Name.CORRECT} <= set(actions(built.loop.state, GAME)), "as the advice says"
    assert built.tell("rule_board", board="......EWu/........d")
    built.loop.round()
    assert built.phase is Phase.PLAYING


def test_a_bar_where_pictures_told_of_none_before_the_turn_is_ruled_on(built: Built) -> None:
    """No picture showed that side a turn before, but from above its cells were seen to be empty."""
    ends(built, ONE)
    after = "EW....EW."  # dark lays a light bar
    ends(built, after)
    for side in ("east", "north", "west"):
        assert built.phase is Phase.UNSURE
        built.show(after, side)
    assert (built.phase, built.rules) == (Phase.VIOLATION, ["bar.colour"])


def test_an_arm_over_the_board_is_waited_for(built: Built) -> None:
    built.show(ONE, arm=True)
    assert built.tell("turn_ended")
    assert built.phase is Phase.READING
    assert built.loop.live.waiting is not None
    built.show(ONE)
    assert built.phase is Phase.PLAYING


def test_an_arm_that_stays_is_no_reading(built: Built) -> None:
    built.show(ONE, arm=True)
    assert built.tell("turn_ended")
    for _ in range(5):
        built.show(ONE, arm=True)
    assert built.phase is Phase.BLIND
    built.show(ONE)
    assert built.phase is Phase.PLAYING


def test_the_board_out_of_sight_is_said(built: Built) -> None:
    built.show(ONE, lost=True)
    assert built.tell("turn_ended")
    for _ in range(5):
        built.show(ONE, lost=True)
    assert built.phase is Phase.BLIND


def test_declared_bars_are_the_whole_turn(built: Built) -> None:
    ends(built, ONE)
    ends(built, "......EWu/........d", "east")
    centre = ".S..N.EWu/........d"
    ends(built, centre, "south")
    assert built.phase is Phase.UNSURE
    assert built.tell("declare", declared={"bars": "+b2b3.1"})
    built.loop.round()
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == centre


def test_declared_bars_that_nobody_sees_are_unsure(built: Built) -> None:
    ends(built, ONE)
    ends(built, ONE)
    assert built.tell("declare", declared={"bars": "+a2b2.1"})
    built.loop.round()
    assert built.phase is Phase.UNSURE


def test_players_put_the_reading_right(built: Built) -> None:
    ends(built, "")
    assert built.tell("rule_board", board=ONE)
    built.loop.round()
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == ONE


@pytest.mark.parametrize("said", [{"board": ""}, {"fields": {}}])
def test_an_empty_tower_is_a_correction_like_any_other(built: Built, said: dict[str, object]) -> None:
    ends(built, "......ew.")  # no bar of the player to move
    assert built.phase is Phase.UNSURE
    assert built.tell("rule_board", **said)
    built.loop.round()
    turn = built.loop.state.last
    assert turn is not None
    assert turn.ruled is not None
    assert (turn.by_hand, turn.reading, turn.ruled.observed, built.rules) == (True, None, "", ["turn.pass"])
    assert built.tell("declare", declared={"bars": "+a1b1.1"})
    built.loop.round()
    again = built.loop.state.last
    assert again is not None
    assert again.by_hand, "what is declared afterwards leaves it as the players told it"


def test_a_tower_put_back_after_an_undo_is_seen(built: Built) -> None:
    ends(built, ONE)
    assert built.tell("undo", entry=1)
    built.show("", "north", roof=False)  # the side of the bar is not in sight
    assert built.phase is Phase.RESTORING
    built.show("ew.......")  # the bar is gone, and another one has come
    assert built.phase is Phase.RESTORING
    built.show("")
    assert built.phase is Phase.PLAYING


def test_killed_in_the_middle_it_goes_on_where_it_was(built: Built) -> None:
    ends(built, ONE)
    ends(built, ONE)
    assert built.phase is Phase.UNSURE
    built.taken_up()
    built.show("ew....EW.", "north")
    assert built.phase is Phase.PLAYING


def test_progress_is_told_while_the_turn_is_played(built: Built) -> None:
    built.show(ONE)
    assert [part.value for part in built.loop.live.progress] == [1]


def test_nobody_is_accused_on_the_word_of_a_single_picture(built: Built) -> None:
    """A bar of the wrong colour that only one of the pictures shows: the others tell the cells to be empty."""
    phantom = ".......ew"
    built.show("", "east")
    ends(built, "", "east")
    for side in ("north", "west"):
        built.show("", side)
    built.show(phantom, "south")
    assert built.phase is Phase.UNSURE
    assert not built.rules


def test_a_breach_that_rests_on_one_picture_waits_for_another_that_tells_it(built: Built) -> None:
    """A side in doubt is asked for again; once a second picture agrees nobody waits longer."""
    wrong = ".......ew"
    built.show("", "east")
    ends(built, "", "east")  # the bar was laid after the button was pressed
    for side in ("north", "west"):
        built.show("", side)
    built.show(wrong, "south")
    assert (built.phase, built.rules) == (Phase.UNSURE, [])
    assert str(built.loop.live.show) == "Turn the tower a quarter to the left, as the camera sees it."
    built.show(wrong, "east")
    assert (built.phase, built.rules) == (Phase.VIOLATION, ["bar.colour"])


def test_what_only_a_strange_picture_tells_is_asked_for_again(built: Built) -> None:
    """A hand was read as a legal bar; the next picture shows what was laid."""
    built.show(ONE, hand=True)
    assert built.tell("turn_ended")
    assert built.phase is Phase.UNSURE
    assert built.loop.live.show is not None
    built.show(".......EW")
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == ".......EW"


def test_what_a_second_strange_picture_tells_too_is_believed(built: Built) -> None:
    built.show(ONE, hand=True)
    assert built.tell("turn_ended")
    built.show(ONE, "east", hand=True)
    assert built.phase is Phase.PLAYING
    assert built.loop.state.position.observed.text == ONE
