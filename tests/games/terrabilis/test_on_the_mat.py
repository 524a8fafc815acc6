"""What cameras see on the mat, as far as it belongs to a game; and the throw that they see, on the banker's page."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import LiesOnMat, RequestError
from referee.games.terrabilis.declared.seen import NOTHING_SEEN, parse_seen
from referee.games.terrabilis.engine import GAME
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from tests.games.terrabilis.positions import COPY, TRACK, position


def at(**changes: Any) -> TerrabilisPosition:
    return GAME.position(position() | {"copy": COPY} | changes)


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        ({"dice": [3, 4]}, "dice 3+4"),
        ({"dice": None, "pawns": {}, "zone": {}, "installed": {}}, "nothing"),
        ({"pawns": {"red": 2, "blue": None}}, "nothing | red @2"),
        ({"pawns": {"yellow": 2}, "installed": {"green": 1}}, "nothing"),  # nobody plays these
        ({"pawns": {"red": len(TRACK) - 1, "blue": len(TRACK)}}, f"nothing | red @{len(TRACK) - 1}"),
        ({"zone": {"green": 4, "yellow": 6}}, "zone 4g6y"),
        ({"zone": {"green": 4, "yellow": 7}}, "nothing"),  # it has ten places
        ({"zone": {"green": 4, "yellow": None, "purple": 2}}, "zone 4g?y"),
        ({"installed": {"red": 0, "blue": 3}}, "nothing | red i0 | blue i3"),
    ],
)
def test_what_no_game_from_here_can_have_is_left_out(seen: dict[str, object], text: str) -> None:
    assert isinstance(GAME, LiesOnMat)
    assert GAME.laid_out(at(), seen).text == text


def test_dice_that_are_no_pair_are_refused() -> None:
    with pytest.raises(RequestError, match="dice"):
        GAME.laid_out(at(), {"dice": [3, 7]})


def test_who_is_out_has_nothing_on_the_mat() -> None:
    lines = position({"blue": {"out": True}}, players="red blue green")
    gone = GAME.position(lines | {"copy": COPY})
    assert GAME.laid_out(gone, {"pawns": {"blue": 2, "red": 1}}).text == "nothing | red @1"


def throws(seen: str) -> list[dict[str, Any]]:
    board: Any = GAME.ledger(at(), {}, "en", parse_seen(seen))
    return [option for option in board["options"] if option["kind"] == "roll"]


@pytest.mark.parametrize(("seen", "first"), [("dice 4+3", [3, 4]), ("dice 6+6", [6, 6]), ("dice 1+1", [1, 1])])
def test_the_throw_that_is_seen_comes_first_and_every_other_one_stays(seen: str, first: list[int]) -> None:
    options = throws(seen)
    assert options[0]["dice"] == first
    assert [option.get("seen") for option in options] == ["as the camera sees it", *[None] * 20]
    assert sorted(option["dice"] for option in options) == sorted([a, b] for a in range(1, 7) for b in range(a, 7))


def test_without_dice_nothing_changes() -> None:
    before = GAME.ledger(at(), {})
    assert GAME.ledger(at(), {}, "en", NOTHING_SEEN) == before
    assert GAME.ledger(at(), {}, "en", parse_seen("zone 2g3y | red @3")) == before


def test_once_it_was_declared_no_throw_is_proposed() -> None:
    board: Any = GAME.ledger(at(), {"acts": "roll 1+2"}, "en", parse_seen("dice 1+2"))
    assert not [option for option in board["options"] if "seen" in option]


def test_every_part_of_the_mat_is_asked_for_once_and_in_three_languages() -> None:
    parts = GAME.mat_parts()
    assert len({part.id for part in parts}) == len(parts)
    kinds = [part.kind for part in parts]
    assert kinds.index("colour") > max(k for k, kind in enumerate(kinds) if kind != "colour"), "colours come last"
    for part in parts:
        for language in ("de", "fr"):
            assert part.words.text(language) != part.words.text("en"), part.id
            assert part.how.text(language) != part.how.text("en"), part.id
