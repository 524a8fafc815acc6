"""The table's own record in one line: at the end of reports, in its certificate, and at a hall's desk."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from calibration.table import load_table
from referee.addons.hall.desk.hall import HeardHall
from referee.addons.hall.desk.shown import table_view_of
from referee.addons.hall.messages import Said
from referee.addons.hall.spoken import said
from referee.addons.trackrecord.certificate import section
from referee.addons.trackrecord.counting import sentence
from referee.addons.trackrecord.table import NAME, OwnRecord
from referee.daemon.pastgames import PastGames
from referee.daemon.resultcache import ResultCache
from referee.daemon.setupguide import SetupGuide
from referee.games import game_named
from referee.values.words import LANGUAGES, Words, verbatim
from tests.addons.hall.desk.tables import Voice
from tests.archive.game import write_journal
from tests.certificate.figures import certificate
from tests.scene import write_table
from tests.untyped import untyped
from tests.vision.sources.patience import eventually
from vision.posefinder import PoseFinder
from web.certificate import page
from web.tableview import Outcome


def test_the_sentence_says_what_is_proved_where_it_is_worth_saying() -> None:
    assert str(sentence(10, 3)) == "Of 10 rulings 3 were put right by people or by a later look."
    assert str(sentence(412, 2)) == (
        "Of 412 rulings 2 were put right by people or by a later look; "
        "with 95 % certainty fewer than 1 in 35 is wrong."
    )
    told = {sentence(412, 1).text(language) for language in LANGUAGES}
    assert len(told) == len(LANGUAGES)
    assert all("412" in line and "95" in line for line in told)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    write_journal(tmp_path / "games" / "first.journal")
    return tmp_path / "games"


def test_lines_are_of_the_games_before_the_one_that_is_played(games: Path) -> None:
    playing = [games / "first.journal"]
    record = OwnRecord(games, lambda: playing[0])
    record.start()
    try:
        assert record.lines() == ()
        shutil.copy(playing[0], games / "second.journal")
        playing[0] = games / "second.journal"
        record.published()
        eventually(lambda: record.lines() != ())
        assert [str(line) for line in record.lines()] == [
            "Real boards: Of 3 rulings 0 were put right by people or by a later look."
        ]
    finally:
        record.close()


def test_reports_end_with_it(games: Path) -> None:
    told: list[tuple[Words, ...]] = [()]
    past = PastGames(games, lambda: games / "other.journal", ResultCache(), lambda: told[0])
    for turn in (0, 1):
        told[0] = ()
        assert b"42 rulings" not in past.report("first", turn)
        told[0] = (verbatim("Of 42 rulings none."),)
        assert b"Of 42 rulings none." in past.report("first", turn)


def test_a_new_certificate_states_it(tmp_path: Path) -> None:
    folder = write_table(tmp_path / "table")
    reader = PoseFinder(load_table(folder), folder)
    guide = SetupGuide(folder, game_named("terra-turrium"), reader, {}, frozenset, lambda note: Outcome(True))
    told: dict[str, object] = {}
    guide.state_also(NAME, lambda: told)
    guide.keep(certificate(), "")
    value = guide.value()
    assert value is not None
    assert NAME not in value.stated
    assert section(value, "en") == ""
    told["lines"] = [sentence(412, 2).to_json()]
    guide.keep(certificate(), "")
    value = guide.value()
    assert value is not None
    for language in LANGUAGES:
        assert sentence(412, 2).text(language) in page(value, language)


def test_a_desk_shows_what_the_table_says() -> None:
    line = sentence(412, 2)
    voice, hall = Voice(1), HeardHall()
    for topic, payload, signature in (voice.about(), voice.stands(2), voice.health(3, Said(**said(line)))):
        hall = hall.heard(topic, payload, signature, 1)
    shown = untyped(table_view_of(hall.tables[voice.id], [], 1, "de"))
    assert shown["health"]["reliability"] == [line.text("de")]
