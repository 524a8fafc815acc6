"""What becomes of rulings: each way in which people or a later look put one right, counted once."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from referee.addons.trackrecord.counting import TITLES, GameCount, PictureOrigin, TrackRecord, added_up
from referee.addons.trackrecord.fates import Fate, fates
from referee.addons.trackrecord.picture import KINDS, drawn
from referee.cli import main
from referee.games.terra_turrium.colours import parse_board
from referee.match.events import (
    Disputed,
    Event,
    GameStarted,
    PutBack,
    ReadingCorrected,
    Resolution,
    Resolved,
    RulingWithdrawn,
    SetupAccepted,
    TurnAccepted,
    TurnRuled,
    Unsure,
)
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.values.words import LANGUAGES
from tests.addons.trackrecord.putright import put_right_game
from tests.archive.game import GAME, looked, write_journal
from tests.games.terra_turrium.positions import after, position

START = GAME.position(position())
SVG = "{http://www.w3.org/2000/svg}"
LEGAL, BREACH = START.board.text, after(START.board.text, "-E8")


def saw(look: int, board: str) -> list[Event]:
    return looked(look, GAME.check(START, parse_board(board)), board, {})


def by_hand(look: int, board: str) -> list[Event]:
    """Return what players say stands there after they have withdrawn a ruling."""
    ruled = TurnRuled.by_rules(board, GAME.check(START, parse_board(board)))
    return [RulingWithdrawn("Anna"), ReadingCorrected("Anna", board), ruled]


def unsure(look: int) -> list[Event]:
    return [*saw(look, BREACH)[:2], TurnRuled(BREACH, Unsure())]


def played(events: Sequence[Event]) -> TableState:
    return reduce(step, [SetupAccepted(""), *events], begin(GameStarted(START, "tests")))


@pytest.mark.parametrize(
    ("events", "found"),
    [
        (saw(1, LEGAL), [Fate.STOOD]),
        ([*saw(1, BREACH), PutBack(""), *saw(2, LEGAL)], [Fate.STOOD, Fate.STOOD]),
        ([*saw(1, BREACH), *by_hand(1, LEGAL)], [Fate.ACCUSED]),
        ([*saw(1, BREACH), *by_hand(1, BREACH)], [Fate.MISREAD]),
        ([*saw(1, BREACH), *saw(2, LEGAL)], [Fate.ACCUSED, Fate.STOOD]),
        ([*saw(1, LEGAL), *by_hand(1, BREACH)], [Fate.MISSED]),
        ([*unsure(1), *saw(2, LEGAL)], [Fate.STOOD]),
        ([*unsure(1), TurnAccepted("", START)], [Fate.UNSURE]),
        ([*saw(1, LEGAL), Disputed("", 1, 1), Resolved("", 1, Resolution.CHANGED)], [Fate.MISSED]),
        ([*saw(1, LEGAL), Disputed("", 1, 1), Resolved("", 1, Resolution.STANDS)], [Fate.STOOD]),
    ],
)
def test_each_way(events: Sequence[Event], found: list[Fate]) -> None:
    assert [fate for _, fate in fates(played(events))] == found


def test_a_turn_put_right_counts_once() -> None:
    """The second look is judged twice: as it was taken, and from the board that is known to have stood before it."""
    found = [fate for _, fate in fates(put_right_game())]
    assert found == [Fate.MISREAD, Fate.ACCUSED]


def test_games_of_different_origin_are_never_added_up() -> None:
    states = [played(saw(1, LEGAL)), played([*saw(1, BREACH), *by_hand(1, LEGAL)])]
    drawn = reduce(step, [SetupAccepted(""), *saw(1, LEGAL)], begin(GameStarted(START, "virtual table")))
    real, other = added_up(GameCount.of(state) for state in (*states, drawn))
    assert (real.origin, real.games, real.rulings, real.wrong, real.bad_games) == (PictureOrigin.REAL, 2, 2, 1, 1)
    assert (other.origin, other.games, other.wrong) == (PictureOrigin.DRAWN, 1, 0)


def test_the_command_counts_a_game_once_wherever_it_lies(tmp_path: Path) -> None:
    first = write_journal(tmp_path / "one" / "final.journal")
    (tmp_path / "two").mkdir()
    shutil.copy(first, tmp_path / "two" / "copy.journal")
    answer = CliRunner().invoke(main, ["evidence", str(tmp_path), "--json"])
    assert answer.exit_code == 0
    (record,) = json.loads(answer.output)["records"]
    assert (record["games"], record["rulings"], record["stood"]) == (1, 3, 3)
    assert CliRunner().invoke(main, ["evidence", str(tmp_path), "--svg", str(tmp_path)]).exit_code == 2
    (tmp_path / "two" / "copy.journal").write_bytes(b"no journal")
    answer = CliRunner().invoke(main, ["evidence", str(tmp_path)])
    assert answer.exit_code == 2
    assert "copy.journal" in answer.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_tells_counts_and_bounds_of_each_origin(language: str) -> None:
    found = Counter({Fate.STOOD: 410, Fate.ACCUSED: 2})
    records = [
        TrackRecord(PictureOrigin.REAL, 2, 20, 412, found, 2, 2),
        TrackRecord(PictureOrigin.DRAWN, 60, 60, 3000, Counter({Fate.STOOD: 3000}), 0, 0),
    ]
    picture = ElementTree.fromstring(drawn(records, language))
    told = [node.text for node in picture.iter(f"{SVG}text")]
    assert [TITLES[one.origin].text(language) in told for one in records] == [True, True]
    bars, dots = [list(picture.iter(f"{SVG}{kind}")) for kind in ("rect", "circle")]
    assert (len(bars), len(dots)) == (1 + 2 * len(KINDS), 2)  # one behind all; dots where something was wrong
    widths = [float(bar.get("width", 0)) for bar in bars[1:]]
    assert widths[0] == widths[1] > widths[2] > widths[4]
    assert {"2", "0"} <= {text.split(";")[0] for text in told if text}
