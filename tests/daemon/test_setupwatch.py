"""A set-up that is changed in a game is told to everybody, and the one of before is kept beside the game."""

from __future__ import annotations

import json
from pathlib import Path

from referee.archive.measures import BEFORE, TABLE, keep_measures, measures_folder
from referee.daemon.gamesfolder import GamesFolder
from referee.daemon.setupwatch import SetupWatch
from referee.games import game_named
from referee.match.events import GameStarted
from referee.match.live import CameraState, Live
from referee.values.words import say
from referee.view import table_view
from tests.games.terra_turrium.positions import position
from tests.scene import table_json
from tests.untyped import untyped

GAME = game_named("terra-turrium")
STARTED = GameStarted(GAME.position(position()), "tests")


def written(**changes: object) -> bytes:
    return json.dumps(table_json() | changes).encode()


def ids(watch: SetupWatch) -> list[str]:
    return [one.id for one in watch.notices]


def test_a_file_that_is_changed_in_a_game_is_told_until_it_is_put_back(tmp_path: Path) -> None:
    file, journal = tmp_path / TABLE, tmp_path / "game.journal"
    file.write_bytes(written())
    watch = SetupWatch(file, lambda: journal)
    assert ids(watch) == []
    file.write_bytes(written(cameras=["one", "two", "three"]))  # other cameras are told by themselves
    assert ids(watch) == []
    file.write_bytes(written(stack={"cube_mm": [31, 31, 31]}))
    assert ids(watch) == ["table-file"]
    file.unlink()
    assert ids(watch) == ["table-file"]
    file.write_bytes(written())
    assert ids(watch) == []


def test_a_game_carried_on_with_another_set_up_says_so_to_its_end(tmp_path: Path) -> None:
    begun, changed = {TABLE: written()}, {TABLE: written(stack={"cube_mm": [31, 31, 31]})}
    games = GamesFolder(tmp_path, "table", measures=begun)
    game = games.begin(STARTED)
    path = game.journal.path
    file = tmp_path / TABLE
    file.write_bytes(changed[TABLE])
    watch = SetupWatch(file, lambda: path)
    for measures in (begun, begun | {TABLE: written(cameras=["photographs"])}):
        keep_measures(path, measures)
        assert ids(watch) == []
    for _ in range(2):  # a second start tells it, too
        game.journal.close()
        again = GamesFolder(tmp_path, "table", measures=changed).carry_on(GAME)
        assert again is not None
        game = again
        assert ids(watch) == ["table-changed"]
    assert (measures_folder(path) / BEFORE).read_bytes() == written(cameras=["photographs"])
    live = Live(cameras=(CameraState("one", True, say("fine")),), notices=watch.notices)
    (told,) = untyped(table_view(GAME, game.state, live))["notices"]
    assert told["words"] == "The table’s set-up is another than the one with which this game was begun."
    game.journal.close()
    other = GamesFolder(tmp_path, "table", measures=changed).begin(STARTED)
    other.journal.close()
    assert [one.id for one in SetupWatch(file, lambda: other.journal.path).notices] == []


def test_what_the_referee_learns_of_its_table_before_the_first_turn_is_no_other_set_up(tmp_path: Path) -> None:
    file, learnt = tmp_path / TABLE, written(stack={"cube_mm": [31, 31, 31]})
    file.write_bytes(written())
    game = GamesFolder(tmp_path, "table", measures={TABLE: written()}).begin(STARTED)
    path = game.journal.path
    game.journal.close()
    watch = SetupWatch(file, lambda: path)
    file.write_bytes(learnt)
    watch.learn(learnt)
    keep_measures(path, {TABLE: learnt}, learnt=True)
    assert ids(watch) == []
    assert (measures_folder(path) / TABLE).read_bytes() == learnt
    file.write_bytes(written())
    assert ids(watch) == ["table-file"]
