"""A wrong ruling is put right: the likeliest boards are offered, and the look is kept with what truly stood there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.addons.trackrecord.casekeeper import LABELS, CaseKeeper, cases_folder, keep_labels
from referee.addons.trackrecord.cases import labelled_looks
from referee.addons.trackrecord.fates import Fate
from referee.addons.trackrecord.likelyboards import LikelyBoard, LikelyBoards
from referee.archive.removal import delete_game
from referee.daemon import ViewPublisher
from referee.games.terra_turrium.colours import parse_board
from referee.match.events import (
    End,
    Event,
    GameEnded,
    GameStarted,
    ReadingCorrected,
    RulingWithdrawn,
    SetupAccepted,
    TurnRuled,
    Verdict,
)
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from tests.addons.trackrecord.putright import READ, STOOD, put_right_game
from tests.archive.game import GAME, looked, shot, write_journal
from tests.games.terra_turrium.positions import after, position
from tests.vision.sources.patience import eventually
from web.app import create_app
from web.tableparts import TableParts

START = GAME.position(position())
LEGAL, BREACH = START.board.text, after(START.board.text, "-E8")


def put_right(pictures: Mapping[str, str]) -> list[Event]:
    """Return a game whose first ruling called a legal turn illegal, and was put right."""
    given = TurnRuled.by_rules(LEGAL, GAME.check(START, parse_board(LEGAL)))
    accused = looked(1, GAME.check(START, parse_board(BREACH)), BREACH, dict(pictures))
    return [SetupAccepted(""), *accused, RulingWithdrawn(""), ReadingCorrected("", LEGAL), given]


def played(events: list[Event]) -> TableState:
    return reduce(step, events, begin(GameStarted(START, "tests")))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "games" / "game.journal") as made:
        yield made


def test_a_ruling_that_was_put_right_is_labelled_with_what_people_said() -> None:
    (look,) = labelled_looks(played(put_right({"cam0": "a" * 64})))
    assert (look.ruled, look.truth, look.fate, look.put_right) == (BREACH, LEGAL, Fate.ACCUSED, True)


def test_an_earlier_turn_that_was_put_right_is_labelled_as_it_was_given() -> None:
    (look,) = labelled_looks(put_right_game())
    assert (look.ruled, look.truth, look.verdict) == (READ.text, STOOD.text, Verdict.LEGAL)
    assert look.fate is Fate.MISREAD


def test_a_turn_that_stood_is_labelled_once_the_game_is_over(tmp_path: Path) -> None:
    stood = played([SetupAccepted(""), *looked(1, GAME.check(START, parse_board(LEGAL)), LEGAL, {})])
    assert labelled_looks(stood) == ()
    (look,) = labelled_looks(step(stood, GameEnded("", End.DRAW)))
    assert (look.truth, look.put_right) == (LEGAL, False)


def test_pictures_that_were_put_right_outlive_the_others_and_go_with_the_game(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "final.journal")
    kept = EvidenceStore(pictures_folder(path), spare_bytes=0).keep({"cam0": shot(7, "cam0")})
    keep_labels(path, labelled_looks(played(put_right(kept))))
    for picture in EvidenceStore(pictures_folder(path)).pictures():
        picture.path.unlink()
    (label,) = json.loads((cases_folder(path) / LABELS).read_text())
    assert label["truth"] == LEGAL
    assert EvidenceStore(cases_folder(path)).picture(label["pictures"]["cam0"]) == shot(7, "cam0")
    delete_game(path)
    assert not cases_folder(path).exists()


def test_labels_follow_the_table(journal: Journal) -> None:
    now: list[TableState] = [played([SetupAccepted("")])]
    keeper = CaseKeeper(lambda: journal, lambda: now[0])
    keeper.start()
    try:
        keeper.wake()
        now[0] = played(put_right({}))
        keeper.wake()
        eventually((cases_folder(journal.path) / LABELS).exists)
    finally:
        keeper.close()


def test_a_table_that_is_not_served_ends_all_the_same(journal: Journal) -> None:
    CaseKeeper(lambda: journal, lambda: played([])).close()


def test_boards_are_offered_at_an_address_of_their_own() -> None:
    board = LikelyBoard(LEGAL, {"E8": "0"}, ("F8",))
    found: Any = SimpleNamespace(of=lambda number: (board,) if number == 1 else None)
    app = create_app(ViewPublisher(), TableParts(addons={LikelyBoards: found}), OPEN_WATCHING=True)
    client = app.test_client()
    told = {"board": LEGAL, "changes": {"E8": "0"}, "differs": ["F8"]}
    assert client.get("/api/rulings/1/boards").get_json() == {"boards": [told]}
    assert client.get("/api/rulings/2/boards").status_code == 404
