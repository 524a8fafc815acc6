"""A card nobody declared is asked for before anybody is accused, and points come with their reasons."""

from __future__ import annotations

import json
from dataclasses import replace

from referee.games.torres.engine import GAME
from referee.match.commands import Command, Name, actions, decide
from referee.match.events import GameStarted, TurnRuled, event_from_json
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.match.transitions import begin, step
from referee.view import table_view
from tests.untyped import untyped

SAID = {"game": "torres", "edition": "fr-1999", "players": ["blue", "red"], "first": "blue"}
BEFORE = "00001k000/02000000/01r100100/10000000/00000001/0010013b0/000002b00/00010000"
AFTER = "00001k000/03r100000/011r10100/10000000/00000001/0010013b0/000002b00/00010000"
CARDS = {"blue": {"held": 0, "played": []}, "red": {"held": 1, "played": []}}
LAST = "00001k000/03r210000/0112r0100/10000000/00000201/0010013b0/000002b30/0001000b0"
SCORED = "01001k000/03r22r0000/01120100/10100000/00000201/0010013b0/000002b30/0001000b0"


def ruled(before: str, after: str, declared: dict[str, object] | None = None, **changes: object) -> TableState:
    """Return a table at which a turn was just ruled on by hand, the ruling read back from its journal."""
    begun = SAID | {"to_move": "red", "round": 2, "turn": 4, "cards": CARDS, "board": before}
    position = GAME.position(begun | changes)
    state = begin(GameStarted(position))
    for name, given in ((Name.BEGIN, {}), (Name.TURN_ENDED, {"declared": declared} if declared else {})):
        for event in decide(Command(name, given, "tablet"), state, GAME):
            state = step(state, event)
    ruling = GAME.check(position, GAME.observation(after), (), declared or {})
    event = TurnRuled.by_rules(after, ruling)
    back = event_from_json("ruling", json.loads(json.dumps(event.to_json())), GAME)
    return step(_read(state), back)


def _read(state: TableState) -> TableState:
    """Return the state after the look was read: what follows is the ruling."""
    return replace(state, phase=Phase.RULING)


def test_a_question_comes_before_the_accusation() -> None:
    state = ruled(BEFORE, AFTER)
    view = untyped(table_view(GAME, state))
    assert view["violation"] is None
    assert [reply["id"] for reply in view["asked"]["replies"]] == ["under", "leap"]
    assert view["banner"]["tone"] == "unsure"
    (entry,) = view["history"]
    assert (entry["verdict"], entry["rules"]) == ("unsure", [])
    assert Name.DENY in actions(state, GAME)


def test_a_no_leaves_the_ruling_as_it_is_and_is_asked_once() -> None:
    state = ruled(BEFORE, AFTER)
    for event in decide(Command(Name.DENY, {}, "tablet"), state, GAME):
        state = step(state, event_from_json(event.kind, json.loads(json.dumps(event.to_json())), GAME))
    view = untyped(table_view(GAME, state))
    assert view["asked"] is None
    assert [rule["rule"] for rule in view["violation"]["rules"]] == ["card.declared"]
    assert Name.DENY not in actions(state, GAME)


def test_a_reply_declares_the_card_beside_what_was_declared() -> None:
    state = ruled(BEFORE, AFTER, {"bought": 0})
    view = untyped(table_view(GAME, state))
    declared = view["asked"]["replies"][1]["declared"]
    assert declared == {"bought": 0, "card": "leap"}
    ruling = GAME.check(state.position, GAME.observation(AFTER), (), declared)
    assert ruling.legal


def test_points_of_a_phase_come_castle_by_castle_with_the_reason() -> None:
    state = ruled(LAST, SCORED, {"points": 1}, round=4, turn=8, score={"blue": 1, "red": 0})
    view = untyped(table_view(GAME, state))
    account = view["account"]
    assert [(share["player"], share["place"], share["before"], share["after"]) for share in account["shares"]] == [
        ("red", 1, 0, 26),
        ("blue", 2, 1, 16),
    ]
    first = account["shares"][0]["lines"]
    assert first[0]["words"] == "Castle of 8 fields, highest knight on level 3"
    assert (first[0]["points"], "B7" in first[0]["fields"]) == (24, True)
    assert sum(line["points"] for line in first) == 26
    assert account["notes"] == ["Red is ahead and starts phase 2."]
    assert "king" in view["banner"]["advice"]


def test_every_stage_says_what_is_to_be_done() -> None:
    told = set()
    for stage, board in (
        ("castles", "00000000/00000000/00000000/00000000/00000000/00000000/00000000/00000000"),
        ("knights", "00010000/00000000/00100100/00000001/10000000/00100100/00000000/00001000"),
        ("king", "00010000/00000000/001b001r00/00000001/10000000/00100100/00000000/00001000"),
        ("play", BEFORE),
    ):
        more: dict[str, object] = {"variants": ["master"], "start_fields": []} if stage == "castles" else {}
        said = SAID | {"to_move": "red" if stage == "king" else "blue", "stage": stage, "board": board}
        position = GAME.position(said | more)
        words = GAME.prompt(position)
        assert words is not None
        told.add(words.text("de"))
    assert len(told) == 4
