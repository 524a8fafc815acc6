from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from referee.cli.gamebook import usual_start
from referee.demo.recording import BUNDLED, Recording
from referee.games import game_named
from referee.games.terra_turrium.colours import Colour
from referee.match.decision import ShowFrom
from referee.match.events import (
    CameraNote,
    Disputed,
    End,
    Event,
    GameEnded,
    GameStarted,
    LookTaken,
    PutBack,
    RulingWithdrawn,
    SetupChecked,
    TurnAccepted,
    TurnRuled,
    Unsure,
    Verdict,
)
from referee.match.live import CameraState, Live, ViewsWanted
from referee.match.transitions import Phase, TableState, begin, step
from referee.values.board import Field
from referee.values.problems import NO_PICTURES, TOO_SLOW
from referee.values.words import LANGUAGES, say, verbatim
from referee.view import table_view
from referee.view.record import note_words
from tests.match.fakes import StepGame, start
from tests.match.rulings import DIFFERENT, reading, replace_winning, ruled
from vision.reader import TableReader

GAME = StepGame()
NEW = begin(GameStarted(start(), "Recorded game"))
RULING = step(step(NEW, LookTaken(1)), reading())


def view(state: TableState) -> Any:
    return json.loads(json.dumps(table_view(GAME, state)))


def test_before_the_first_look() -> None:
    shown = view(NEW)
    assert (shown["title"], shown["source"], shown["to_move"], shown["turn"]) == ("Steps", "Recorded game", "red", 1)
    assert shown["banner"]["tone"] == "busy"
    assert shown["cameras"] == []
    assert shown["acts"] == []


def test_hands_are_asked_off_the_board_only_where_a_camera_looks() -> None:
    looking = Live(cameras=(CameraState("cam0", ok=True, words=say("fine")),))
    for live, headline, advice in (
        (looking, "Reading the board", "Hands off, please."),
        (Live(), "Ruling on the turn", ""),
    ):
        banner = table_view(GAME, RULING, live)["banner"]
        assert (banner["tone"], banner["headline"], banner["advice"]) == ("busy", headline, advice)


def test_a_phone_in_a_hand_is_told_what_is_done_and_where_to_go() -> None:
    place = Field(1, 0)
    words = say("{go}: from there one sees {fields}.", go=say("Come round to the right"), fields=(place,))
    show = ShowFrom(90, 45, (place,), words)
    showing = ViewsWanted(1, 10, (place,), sides=((0, 50),), show=show)
    shown = table_view(GAME, RULING, Live(showing=showing), "de")["showing"]
    assert (shown["fields"], shown["sides"]) == (["A2"], [[0, 50]])
    assert shown["show"] == {
        "azimuth_deg": 90,
        "elevation_deg": 45,
        "fields": ["A2"],
        "message": "Komm rechts herum: von dort sieht man A2.",
    }
    assert table_view(GAME, RULING, Live(showing=ViewsWanted(0, 10)))["showing"]["show"] is None


@pytest.mark.parametrize("show", [None, ShowFrom(90, 45, (), say("Hold the phone over {field}.", field=Field(1, 0)))])
def test_what_a_phone_may_show_is_a_sentence_with_one_full_stop(show: ShowFrom | None) -> None:
    unsure = replace(ruled(RULING, "11r/1y1", Verdict.UNSURE), show=show)
    advice = table_view(GAME, step(RULING, unsure), Live(showing=ViewsWanted(0, 10)))["banner"]["advice"]
    how = "Hold the phone over A2." if show is not None else "Show it with a phone, from another side."
    assert advice == f"{how} Only if that does not help, say what stands there."


def test_nobody_begins_or_looks_again_by_a_word_at_what_only_a_phone_in_a_hand_can_see() -> None:
    game = game_named("terra-turrium")
    state = begin(GameStarted(usual_start(game), "Table 1"))
    phone, fixed = (CameraState(name, ok=True, words=say("fine"), held=name == "phone") for name in ("phone", "cam0"))

    def offered(*cameras: CameraState, views: int = 0) -> set[str]:
        shown = table_view(game, state, Live(cameras=cameras, showing=ViewsWanted(views, 10)))
        return {action["id"] for action in shown["actions"]} & {"begin", "look_again"}

    both = {"begin", "look_again"}
    assert [offered(phone), offered(phone, fixed), offered(phone, views=1)] == [set(), both, both]


def test_a_legal_turn_is_drawn_and_said() -> None:
    shown = view(step(RULING, ruled(RULING, "12r/1y1")))
    assert shown["banner"] | {"detail": ""} == {
        "tone": "legal",
        "headline": "Legal",
        "detail": "",
        "advice": "",
        "rules": [],
        "fields": [],
    }
    assert shown["banner"]["detail"] == "Red’s turn 1 stands."
    assert shown["acts"] == [{"marks": [{"mark": "placed", "fields": ["B2"], "hits": []}], "text": "+B2"}]
    assert shown["acts_by"] == "red"
    assert [seat["to_move"] for seat in shown["seats"]] == [False, True]
    assert shown["history"][0]["text"] == "+B2"


def test_a_violation_shows_the_board_as_it_stands_and_its_fields() -> None:
    shown = view(step(RULING, ruled(RULING, "11r/1y3")))
    assert shown["banner"]["headline"] == "Not legal"
    assert shown["banner"]["rules"] == ["step.one"]
    assert shown["banner"]["fields"] == ["B1"]
    assert "take the turn back" in shown["banner"]["advice"]
    assert {"name": "B1", "height": 3, "piece": None} in shown["board"]["fields"]


def test_doubts_are_named_and_shown_as_read() -> None:
    state = step(RULING, ruled(RULING, "11r/1y1", Verdict.UNSURE))
    assert state.reading is not None
    shown = view(replace(state, reading=replace(state.reading, text="?1r/1y1")))
    assert shown["banner"]["headline"] == "Can’t tell, please look at A2"
    assert shown["board"]["fields"][0] == {"name": "A2", "height": None, "piece": None}


def test_nobody_is_told_to_straighten_what_no_camera_looks_at() -> None:
    looked = step(RULING, TurnRuled("11r/1y1", Unsure()))
    assert looked.reading is not None
    told = replace(looked, reading=replace(looked.reading, cameras=()))
    assert "traighten" in view(looked)["banner"]["advice"]
    shown = view(told)["banner"]
    assert shown["detail"] == "What was told is not enough for a ruling."
    assert shown["advice"] == "Say that the turn is not over, put right what was told, then end it again."


def test_a_view_that_is_covered_or_lost() -> None:
    waiting = step(NEW, LookTaken(1))
    covered = view(step(waiting, reading(clear=False)))
    assert covered["banner"]["headline"] == "Something is in the way"
    assert covered["banner"]["fields"] == ["B1"]
    lost = view(step(waiting, reading(lost=True)))
    assert lost["banner"]["headline"] == "Can’t see the board"
    assert lost["cameras"] == [{"name": "cam0", "ok": False, "words": "dark", "held": False}]


def test_a_look_without_pictures_says_which_camera_sends_none() -> None:
    unseen = replace(reading(lost=True), cameras=(CameraNote("left", 0, None, NO_PICTURES),))
    words = say(
        "{camera} is a phone that sends no pictures: open the page /camera on it and let it look.", camera="left"
    )
    blind = step(step(NEW, LookTaken(1)), unseen)
    shown: Any = table_view(GAME, blind, Live(cameras=(CameraState("left", ok=False, words=words),)))["banner"]
    assert (shown["headline"], shown["detail"]) == ("No pictures come", words.text())
    assert view(blind)["banner"]["detail"] == "No camera sends pictures."


def test_a_wrong_setup_is_told_field_by_field() -> None:
    looked = step(step(NEW, LookTaken(1, setup=True)), reading())
    wrong = view(step(looked, SetupChecked((DIFFERENT,))))
    assert (wrong["banner"]["headline"], wrong["banner"]["fields"]) == ("Please check the set-up", ["B1"])
    assert view(step(looked, SetupChecked(())))["banner"]["headline"] == "The set-up is right"
    covered = step(step(NEW, LookTaken(1, setup=True)), reading(clear=False))
    assert view(covered)["banner"]["headline"] == "Something is in the way"


def test_the_end() -> None:
    shown = view(step(RULING, replace_winning(RULING)))
    assert (shown["phase"]["id"], shown["banner"]["headline"], shown["winners"]) == ("finished", "Red wins", ["red"])


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_words(phase: Phase) -> None:
    shown = view(replace(NEW, phase=phase))
    assert shown["phase"]["words"]
    assert shown["banner"]["headline"]


def test_the_record_shows_what_became_of_every_turn() -> None:
    """Each decision leaves the turn in the record, with its fate told in the language asked for."""
    illegal = step(RULING, ruled(RULING, "11r/1y3"))
    cases: dict[str, tuple[Event, ...]] = {
        "zurückgenommen": (PutBack(""),),
        "einvernehmlich gültig": (TurnAccepted("tablet", replace(start(turn=2), to_move=Colour.YELLOW)),),
        "zurückgezogen: falsch gelesen": (RulingWithdrawn("tablet"),),
        "noch einmal entschieden": (LookTaken(2), reading(), ruled(illegal, "11r/1y2")),
    }
    another = (LookTaken(2), reading(), ruled(illegal, "12r/1y1"))  # taken back and played, with one press for both
    for told, events in (*cases.items(), ("zurückgenommen", another)):
        state = illegal
        for event in events:
            state = step(state, event)
        shown = json.loads(json.dumps(table_view(GAME, state, language="de")))
        assert shown["history"][0]["fate_words"] == told


def test_a_turn_taken_back_leaves_nothing_on_the_board() -> None:
    waiting = step(RULING, ruled(RULING, "11r/1y3"))
    back = view(step(waiting, PutBack("")))
    assert (back["acts"], back["acts_by"]) == ([], None)
    assert (back["banner"]["headline"], back["banner"]["tone"]) == ("Put back", "legal")
    assert view(waiting)["banner"]["headline"] == "Not legal"


def test_disputes_results_and_actions_are_told() -> None:
    state = step(step(RULING, ruled(RULING, "12r/1y1")), Disputed("Ada", 1, 1, "the hand was still there"))
    shown = view(state)
    assert shown["history"][0]["disputed"] is True
    assert shown["disputes"][0] | {"by": "Ada", "open": True} == shown["disputes"][0]
    assert {"resolve", "turn_ended", "undo", "pause", "correct"} <= {action["id"] for action in shown["actions"]}
    assert [action["id"] for action in shown["actions"] if action["first"]] == ["turn_ended"]
    over = view(step(state, GameEnded("Ada", End.DRAW)))
    assert (over["result"]["how"], over["banner"]["headline"], over["finished"]) == ("draw", "Nobody wins", True)
    assert over["new_game"]["editions"][0]["id"] == "plain"


def test_what_a_check_before_play_found_is_shown() -> None:
    check = {"what": say("Red").to_json(), "value": say("Blue").to_json(), "grade": "good", "advice": None}
    bad = check | {"grade": "bad", "advice": say("Green").to_json()}
    cameras = [{"name": "cam0", "checks": [bad]}, "no camera"]
    found = {"verdict": "good", "table": "club", "made_at": "today", "checks": [check, {"no": 1}], "cameras": cameras}
    live = Live(certificate=found)
    shown = table_view(GAME, NEW, live, "fr")["certificate"]
    assert shown == {
        "verdict": "good",
        "verdict_words": "Apte à l’arbitrage",
        "table": "club",
        "made_at": "today",
        "checks": [{"what": "Rouge", "value": "Bleu", "grade": "good", "advice": ""}],
        "cameras": [
            {"name": "cam0", "checks": [{"what": "Rouge", "value": "Bleu", "grade": "bad", "advice": "Vert"}]}
        ],
    }


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ("dark", "Das Bild von cam1 ist dunkel"),
        ("nothing", "cam1 sieht den Rahmen um das Brett nicht: 0 seiner 8 Marken gefunden, 3 sind nötig."),
        ("elsewhere", "cam1 sieht den Rahmen, aber nicht dort, wo er beim Einrichten lag"),
        ("grey", "Das Bild von cam1 hat keine Farben"),
    ],
)
def test_what_the_eyes_say_of_a_camera_is_said_in_the_players_language(seen: str, told: str) -> None:
    recording = Recording.open(BUNDLED)
    eyes = TableReader.open(recording.folder)
    picture = recording.looks[0].load()["cam1"]
    if seen in ("dark", "nothing"):
        picture = np.full_like(picture, 0 if seen == "dark" else 120)
    elif seen == "elsewhere":
        corners = {n: at * (1.0 + 0.2 * (n % 3)) for n, at in eyes.table.markers.items()}
        eyes = TableReader(replace(eyes.table, markers=corners), recording.folder)
    else:
        picture[:] = picture[..., :1]
    problem = eyes.read({"cam1": picture}).cameras["cam1"].problem
    assert problem is not None
    note = CameraNote("cam1", 3, None, problem)
    kept = CameraNote.from_json("cam1", json.loads(json.dumps(note.to_json())))
    assert note_words(kept)[1].text("de").startswith(told)
    assert note.to_json()["problem"] == problem.text(), "for whoever reads the journal without these words"


def test_a_problem_of_an_earlier_journal_is_said_as_it_is() -> None:
    def read(problem: str) -> CameraNote:
        return CameraNote.from_json("cam1", {"markers": 0, "reprojection_px": None, "problem": problem})

    assert read("a new one").problem == verbatim("a new one")
    assert read("sends no pictures").problem == NO_PICTURES
    assert read("reading its pictures took too long").problem == TOO_SLOW
    assert read("").problem is None
    assert NO_PICTURES.text("fr") == "n’envoie pas d’images"


def test_where_the_pictures_come_from_is_said_in_every_language() -> None:
    said = {language: table_view(GAME, NEW, language=language)["source"] for language in LANGUAGES}
    assert said["en"] == "Recorded game"
    assert len(set(said.values())) == len(LANGUAGES)


def test_sentences_call_players_by_the_names_they_gave() -> None:
    state = RULING.naming({"red": "Ana"})
    broken = ruled(state, "22r/1y1")
    assert broken.ruling is not None
    told = replace(DIFFERENT, words=say("{who} went on {at}.", who=Colour.RED, at=(Field(0, 1),)))
    shown = view(step(state, TurnRuled.by_rules(broken.observed, replace(broken.ruling, violations=(told,)))))
    assert shown["banner"]["detail"] == "Ana went on B1."
    assert shown["violation"]["rules"][0]["words"] == "Ana went on B1."
    assert shown["history"][-1]["violations"][0]["words"] == "Ana went on B1."
