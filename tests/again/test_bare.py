"""A game at a board without a printed frame is judged again by what is kept of its pictures: the board alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.lens import save_lens
from calibration.lenses import lens_path
from referee.archive.export import export
from referee.archive.measures import keep_measures, measures_folder
from referee.cli import main
from referee.cli.run import measures_of
from referee.daemon.gamejournal import start_journal
from referee.games import game_named
from referee.match.events import GameStarted
from referee.session.capture import Capture
from referee.session.readers import reader_of
from referee.storage.evidence import EvidenceStore, pictures_folder
from referee.storage.journal import Journal
from tests.again.recorded import Played
from tests.web.barewalk import LENS, SIDES_DEG, BareWalk, straighten, write_bare
from tests.web.filmed import noisy
from tests.web.inhand import GAME, boards
from vision.geometry.view import PHOTOGRAPHS, roaming_name
from vision.posefinder import PoseFinder

pytestmark = pytest.mark.long


class OnlyBoards(Played):
    """A session of which what is kept is what a live table keeps."""

    def keep(self, capture: Capture) -> Mapping[str, str]:
        return self._journal.keep(capture)


def test_a_turn_is_judged_again_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straighten(monkeypatch)
    shown, walk, folder, path = boards(1), BareWalk(), tmp_path / "table", tmp_path / "game.journal"
    write_bare(folder, shown.start, SIDES_DEG[:2])
    save_lens(lens_path(folder, PHOTOGRAPHS), LENS)
    game = game_named(GAME)
    reader = reader_of(game, folder)
    assert isinstance(reader, PoseFinder)
    keep_measures(path, measures_of(folder, reader, ()))
    with Journal(path) as journal:
        store = EvidenceStore(pictures_folder(path), spare_bytes=0)
        played = OnlyBoards(game, reader, start_journal(journal, GameStarted(shown.position, "bare"), store))
        look = {
            roaming_name(PHOTOGRAPHS, number): noisy(walk.picture(shown.turns[0], side), number)
            for number, side in enumerate(SIDES_DEG[:2], 1)
        }
        ruled = played.look(look)
    assert ruled is not None
    export(path, path.with_suffix(".zip"), measures_folder(path))
    done = CliRunner().invoke(main, ["audit", "--game", str(path.with_suffix(".zip"))])
    (answer,) = (json.loads(line) for line in done.stdout.splitlines())
    assert (ruled.verdict.value, answer["then"]["ruling"], answer["now"]["ruling"]) == ("legal", "legal", "legal")
    assert done.exit_code == 0, done.stderr
