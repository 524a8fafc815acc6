"""A table's view, as its own page has it, made into the messages that the hall gets. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from referee.addons.hall.chronicle import Chronicle, Moment
from referee.addons.hall.messages import HallClock, HallHealth, HallRuling, HallState
from referee.addons.hall.spoken import said
from referee.match.phases import Phase
from referee.values.metrics import VitalSigns
from referee.values.words import LANGUAGES, say

Json = dict[str, JsonValue]

_DRAWN = (
    *("kit", "board", "players", "palette", "seats", "legend", "acts", "acts_by", "winners", "account", "violation"),
    *("source", "position"),
)
"""Keys of the page's view with which others draw the table."""
_WAITS: Mapping[Phase, str] = {
    Phase.VIOLATION: "breach",
    Phase.UNSURE: "unsure",
    Phase.CORRECTING: "unsure",
    Phase.BLIND: "blind",
    Phase.RESTORING: "putting-back",
}
_NOTHING: Json = dict.fromkeys(LANGUAGES, "")
_DISPUTED = say("A ruling is disputed.")


def state_of(
    view: Json, chronicle: Chronicle, room: Mapping[str, object], lost: Mapping[str, int], earlier: Mapping[str, int]
) -> HallState:
    """Return how a table stands.

    view: joined of every language. lost: since when each camera is, Unix ms. earlier: events of the games before.
    """
    event = cast(int, view["event"])
    disputes = [_dispute(chronicle, one) for one in _objects(view["disputes"])]
    result = view["result"]
    waiting = _object(view["live"])["waiting"]
    return HallState.model_validate_json(
        json.dumps(
            {
                "sent": 0,
                "game": {
                    "id": chronicle.id,
                    "name": view["game"],
                    "title": view["title"],
                    "began": chronicle.began,
                    "recorded": view["recorded"],
                },
                "event": event,
                "head": chronicle.hash_at(event),
                "phase": _spoken_in(_object(view["phase"]), "words"),
                "turn": view["turn"],
                "to_move": view["to_move"],
                "players": {seat["colour"]: _every(seat["name"]) for seat in _objects(view["seats"])},
                "waits": _every(_object(waiting)["words"]) if waiting else None,
                "needs": _needs(view, chronicle, disputes, lost),
                "banner": _spoken_in(_object(view["banner"]), "headline", "detail", "advice"),
                "disputes": disputes,
                "result": _spoken_in(_object(result), "words") if result else None,
                "room": dict(room),
                "earlier": [{"id": game, "events": events} for game, events in earlier.items()],
                "actions": [action["id"] for action in _objects(view["actions"])],
                "view": {key: view[key] for key in _DRAWN},
            }
        )
    )


def ruling_of(view: Json, chronicle: Chronicle) -> HallRuling:
    """Return the newest ruling."""
    ruled = next((entry for entry in reversed(_objects(view["history"])) if entry["verdict"]), None)
    told: Json = {"sent": 0, "game": chronicle.id, "event": 0, "entry": 0, "turn": 0, "player": "", "verdict": "none"}
    told |= {"words": _NOTHING, "fate": "", "by_hand": False, "text": "", "violations": []}
    if ruled is not None:
        told |= {key: ruled[key] for key in ("entry", "turn", "player", "verdict", "fate", "by_hand", "text")}
        told |= {"event": _moment(chronicle.entries, ruled["entry"]).event, "words": _every(ruled["words"])}
        told["violations"] = [_spoken_in(one, "words") for one in _objects(ruled["violations"])]
    return HallRuling.model_validate_json(json.dumps(told))


def clock_of(view: Json, chronicle: Chronicle) -> HallClock:
    """Return the game clock."""
    told: Json = {"sent": 0, "game": chronicle.id, "used": False, "words": _NOTHING, "left_ms": {}, "since": 0}
    told |= {"turn_left_ms": -1, "player": "", "running": False, "fallen": "", "aside": False, "stands": _NOTHING}
    clock = view["clock"]
    if clock:
        told |= {key: value for key, value in _spoken_in(_object(clock), "words", "stands").items() if key in told}
        told |= {"used": True, "since": _object(clock)["since_ms"]}
        if told["turn_left_ms"] is None:
            told["turn_left_ms"] = -1
    return HallClock.model_validate_json(json.dumps(told))


def health_of(view: Json, signs: VitalSigns, version: str, every_s: int, undelivered: int) -> HallHealth:
    """Return how the table does."""
    cameras = [
        _spoken_in(one, "words") | {"age_s": _age(signs.cameras.get(str(one["name"]))), "ok": one["ok"]}
        for one in _objects(view["cameras"])
    ]
    return HallHealth.model_validate_json(
        json.dumps(
            {
                "sent": 0,
                "every_s": every_s,
                "version": version,
                "cameras": cameras,
                "disk_free_bytes": signs.disk_free_bytes,
                "keeping": signs.evidence,
                "journal": signs.journal[:1000],
                "problem": bool(signs.problems) or not all(one["ok"] for one in cameras),
                "notices": [_every(one["words"]) for one in _objects(view["notices"])],
                "undelivered": undelivered,
            }
        )
    )


def measured(health: HallHealth, sights: Mapping[str, tuple[int, float]]) -> HallHealth:
    """Return a table's health with what its cameras' pictures show of the frame: markers, and width of edges, px."""
    cameras = tuple(
        camera.model_copy(update={"markers": sights[camera.name][0], "sharpness": round(sights[camera.name][1], 2)})
        if camera.ok and camera.name in sights
        else camera
        for camera in health.cameras
    )
    return health.model_copy(update={"cameras": cameras})


def cameras_lost(view: Json, before: Mapping[str, int], now_ms: int) -> dict[str, int]:
    """Return since when each camera is lost. before: the answer of the last time."""
    names = [str(one["name"]) for one in _objects(view["cameras"]) if not one["ok"]]
    return {name: before.get(name, now_ms) for name in names}


def _needs(view: Json, chronicle: Chronicle, disputes: list[Json], lost: Mapping[str, int]) -> list[Json]:
    headline = _every(_object(view["banner"])["headline"])
    newest = _objects(view["history"])
    entry = newest[-1]["entry"] if newest else 0
    found: list[Json] = []
    for one in disputes:
        if not one["outcome"]:
            about = {key: one[key] for key in ("since", "event", "entry", "turn", "dispute")}
            found.append({"what": "dispute", "words": cast(Json, said(_DISPUTED)), **about})
    phase = Phase(str(_object(view["phase"])["id"]))
    what = _WAITS.get(phase)
    if what is not None:
        if phase is Phase.VIOLATION and (view["asked"] or view["doubt"] or view["swept"]):
            what = "question"
        since: Json = {"since": chronicle.phase.at_ms, "event": chronicle.phase.event}
        found.append({"what": what, "words": headline, "entry": entry, "turn": view["turn"], **since})
    if view["clock"] and _object(view["clock"])["fallen"] and not view["finished"]:
        flag: Json = {"since": chronicle.fallen.at_ms, "event": chronicle.fallen.event}
        found.append({"what": "flag", "words": headline, "turn": view["turn"], **flag})
    found += [
        {"what": "camera", "words": _every(one["words"]), "since": lost.get(str(one["name"]), 0)}
        for one in _objects(view["cameras"])
        if not one["ok"]
    ]
    found += [
        {"what": "stuck", "words": _every(one["words"]), "since": 0}
        for one in _objects(view["notices"])
        if one["id"] == "journal"
    ]
    return sorted(found, key=lambda need: cast(int, need["since"]))


def _dispute(chronicle: Chronicle, dispute: Json) -> Json:
    opened = _moment(chronicle.disputes, dispute["dispute"])
    entry = chronicle.state.entry(cast(int, dispute["entry"])) if chronicle.state is not None else None
    told: Json = {key: dispute[key] for key in ("dispute", "entry", "by", "words", "settled_by", "settled_words")}
    told |= {"turn": entry.turn if entry is not None else 0, "event": opened.event, "since": opened.at_ms}
    return told | {"outcome": dispute["outcome"] or ""}


def _moment(moments: Mapping[int, Moment], number: JsonValue) -> Moment:
    return moments.get(cast(int, number), Moment())


def _every(words: JsonValue) -> JsonValue:
    """Return a text in every language, also where it is the same in each."""
    return words if isinstance(words, dict) else dict.fromkeys(LANGUAGES, words)


def _spoken_in(view: Json, *keys: str) -> Json:
    return view | {key: _every(view[key]) for key in keys}


def _object(value: JsonValue) -> Json:
    assert isinstance(value, dict)
    return value


def _objects(value: JsonValue) -> list[Json]:
    assert isinstance(value, list)
    return [_object(one) for one in value]


def _age(age_s: float | None) -> float:
    return -1.0 if age_s is None else round(age_s, 1)
