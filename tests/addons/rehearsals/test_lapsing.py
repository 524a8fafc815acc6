"""A rehearsal ends with the table that was rehearsed."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

from calibration.table import load_table
from referee.addons.rehearsals.certificate import stating
from referee.addons.rehearsals.conditions import lens_id, pieces_id
from referee.addons.rehearsals.rehearsal import Rehearsal
from referee.addons.rehearsals.setup import Rehearsals
from referee.addons.rehearsals.tally import Counts, Group, LookTally
from referee.addons.rehearsals.validity import CameraConditions, Conditions
from referee.daemon.certificates import keep
from referee.daemon.setupguide import SetupGuide
from referee.games import game_named
from referee.match.events import Event
from tests.certificate.figures import certificate
from tests.scene import lens, table_json, write_table
from tests.untyped import untyped
from vision.reader import TableReader
from web.tableview import Outcome


def nobody(note: Event) -> Outcome:
    raise AssertionError(note)


def test_other_pieces_end_the_rehearsal_of_a_table_that_only_a_phone_looks_at(tmp_path: Path) -> None:
    """No camera that stands still gives a picture: table.json and the phone's lens are compared all the same."""
    folder = write_table(tmp_path / "table")
    told = table_json() | {"cameras": ["left"], "held": ["left"]}
    (folder / "table.json").write_text(json.dumps(told), encoding="utf-8")
    setup = load_table(folder)
    phone = CameraConditions("left", lens_id(lens()), None, (), (200.0,), (210.0,), {0: 2.4}, 0.8)
    look = LookTally((Counts(), Counts(), Counts(), Counts(36)))
    group = Group(("left",), 1, (look,) * 6, ((0.0, 0.0, 0.0, 1.0),))
    at = time.strftime("%Y-%m-%dT%H:%M:%S%z")

    def lapsed(conditions: Conditions) -> list[str]:
        kept = stating(certificate(), Rehearsal(at, "", 7, 0, (group,), conditions))
        keep(folder, kept, "20261126-090000", "en")
        guide = SetupGuide(
            folder, game_named("terra-turrium"), TableReader(setup, folder), {}, frozenset, nobody, "en"
        )
        rehearsals = Rehearsals(guide, {})
        guide.add(rehearsals)
        assert guide.notices == ()  # nothing was measured yet
        rehearsals.look_over()
        notices.append([(one.tone, one.words.text("en")) for one in guide.notices])
        return list(untyped(guide.view())["rehearsal"]["found"]["lapsed"])

    notices = list[list[tuple[str, str]]]()
    assert lapsed(Conditions(pieces_id(setup), (phone,))) == []
    (words,) = lapsed(Conditions("others", (phone,)))
    ((tone, told_players),) = notices.pop()  # the players' page says so as well
    assert (tone, notices) == ("info", [[]])
    assert "rehearse it anew" in told_players
    assert "table.json" in words
    (words,) = lapsed(Conditions(pieces_id(setup), (replace(phone, lens="another"),)))
    assert "left or its lens" in words
