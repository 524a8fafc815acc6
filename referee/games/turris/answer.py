"""Requests answered as ``referee check`` answers them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.games.turris.breaches import violations_of
from referee.games.turris.cells import cell_name
from referee.games.turris.completions import parse_reading
from referee.games.turris.declaring import DeclaredAct, parse_declared
from referee.games.turris.following import acts_of, following
from referee.games.turris.parsing import parse_position
from referee.games.turris.ruleset import in_order
from referee.games.turris.scene import Scene
from referee.games.turris.verdict import judge


def answer(request: Mapping[str, object], language: str = "en") -> dict[str, object]:
    """Rule on one request: ``position``, ``observed`` and perhaps ``declared``; without its id, in a language.

    Raises RequestError for what is no request.
    """
    for key in ("position", "observed"):
        if key not in request:
            raise RequestError("request", complaints.missing(key))
    position = parse_position(request["position"])
    if position.finished:
        raise RequestError("finished", complaints.finished())
    reading = parse_reading(request["observed"])
    declared = parse_declared(request["declared"]) if "declared" in request else None
    verdict = judge(position, reading, declared)
    scene, state = verdict.scene, verdict.state
    acts = acts_of(scene, state) if scene is not None and state is not None else ()
    data: dict[str, object] = {
        "legal": verdict.legal,
        "violations": [
            {
                "rule": breach.rule,
                "fields": [cell_name(cell) for cell in breach.cells],
                "message": breach.words.text(language),
            }
            for breach in violations_of(position, verdict)
        ],
        "alternatives": [list(in_order(broken)) for broken in verdict.sets[1:]],
        "turn": turn_json(scene, acts) if scene is not None else None,
        "next": None,
        "winners": [],
        "finished": False,
    }
    if verdict.legal and scene is not None:
        after = following(scene.position, acts, scene)
        winners = [colour.word for colour in after.winners]
        data |= {"next": after.to_json(), "winners": winners, "finished": after.finished}
    return data if verdict.complete else data | {"complete": False}


def turn_json(scene: Scene, acts: tuple[DeclaredAct, ...]) -> dict[str, object]:
    """Return a turn as formats write it."""
    return {"player": scene.player.word, "acts": [act.to_json() for act in acts], "bonus": len(acts) > 1}
