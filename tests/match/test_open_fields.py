"""What a legal turn leaves open is shown as not known, and a turn that is told anew says so."""

from __future__ import annotations

import json
from typing import Any

from referee.archive.export import record_of_state
from referee.cli.replay import replay
from referee.games import game_named
from referee.games.record import parse_record
from referee.match.live import Live, ViewsWanted
from referee.match.state import TableState
from referee.report.dispute import DisputedTurn
from referee.report.disputepage import Evidence, dispute_report
from referee.report.html import html_of
from referee.report.pdf import pdf_of
from referee.view import table_view
from tests.web.watched import OPEN, left_open, some_turns_on, told_anew

NAME = "terra-turrium"
GAME = game_named(NAME)


def view(state: TableState, live: Live | None = None, language: str = "en") -> Any:
    return json.loads(json.dumps(table_view(GAME, state, live or Live(), language)))


def test_open_fields_are_named_calmly_and_stand_in_the_view() -> None:
    state = left_open(some_turns_on(NAME, 3))
    shown = view(state)
    assert shown["banner"]["tone"] == "legal"
    assert shown["banner"]["detail"].endswith("Not known yet: what stands on D6 and E7.")
    assert shown["board"]["open"] == ["D6", "E7"]
    assert [entry["open"] for entry in shown["history"]] == [[], [], ["D6", "E7"]]
    assert "Noch nicht bekannt: was auf D6 und E7 steht." in view(state, language="de")["banner"]["detail"]


def test_a_field_of_which_only_the_turn_is_not_known_is_drawn_as_it_stands() -> None:
    shown = view(left_open(some_turns_on(NAME, 3), lost=frozenset()))
    assert (shown["board"]["open"], shown["history"][-1]["open"]) == ([], ["D6", "E7"])
    assert "Not known" not in shown["banner"]["detail"]


def test_a_turn_that_is_known_since_is_told_with_its_acts_and_marked() -> None:
    shown = view(told_anew(some_turns_on(NAME, 4), 3))
    assert shown["history"][2]["text"]
    assert f"Turn 3 is known now: {shown['history'][2]['text']}." in shown["banner"]["detail"]
    assert [entry["retold"] for entry in shown["history"]] == [False, False, True, False]


def test_nothing_is_said_of_a_turn_that_stays_open_or_that_its_own_look_tells() -> None:
    for state in (told_anew(some_turns_on(NAME, 4), 3, OPEN), told_anew(some_turns_on(NAME, 4), 4)):
        assert "known" not in view(state)["banner"]["detail"]
    assert not view(told_anew(some_turns_on(NAME, 4), 4))["history"][3]["retold"]


def test_whoever_walks_with_a_phone_hears_that_the_turn_is_legal_so_far() -> None:
    state = some_turns_on(NAME, 2)
    assert view(state, Live(showing=ViewsWanted(3, 10, legal=True)))["showing"]["legal"]
    assert not view(state, Live(showing=ViewsWanted(3, 10)))["showing"]["legal"]


def test_reports_name_open_fields_and_draw_no_guess_there() -> None:
    state = left_open(some_turns_on(NAME, 3))
    turn = DisputedTurn(GAME, 3, "2026-03-04T18:15:00Z", {}, (state.history[-1],), (), (), "0" * 64)
    report = dispute_report(turn, Evidence())
    page = html_of(report, "de")
    assert page.count('class="open-sign" x=') == page.count('class="open"') == len(OPEN)
    assert "Noch nicht bekannt: D6 und E7" in page
    assert pdf_of(report).startswith(b"%PDF")


def test_a_record_with_open_fields_comes_back_and_replays() -> None:
    record = record_of_state(left_open(some_turns_on(NAME, 3)), "2026-03-04T18:15:00Z")
    text = record.text
    assert "{open: D6 E7}" in text
    again = parse_record(text)
    assert again == parse_record(again.text)
    assert [entry.open for entry in again.turns] == [frozenset(), frozenset(), {"E7", "D6"}]
    assert replay(again)[1] == replay(parse_record(text.replace(" {open: D6 E7}", "")))[1] == 0
