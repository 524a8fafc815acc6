"""Serves watchers: the table's state, what has happened, and the pictures behind the rulings."""

from __future__ import annotations

import json
import re
import time
from functools import lru_cache

from flask import Blueprint, Response, jsonify, request

from referee.values.words import say
from web.api.models import AfterQuery, CheckpointAnswer, EventsAnswer, StateAnswer, StateQuery, TimeAnswer
from web.contract import Access, endpoint
from web.languages import language
from web.problems import ApiError
from web.qr import qr_rows
from web.services import services
from web.statecache import StateCache

blueprint = Blueprint("watch", __name__)

_CONTENT = re.compile("[0-9a-f]{64}")
_MAGIC = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}


@endpoint(blueprint, "GET", "/state", Access.WATCH, "The table as it stands now", answer=StateAnswer, refusals=(304,))
def state(query: StateQuery) -> Response:
    """Return the table's newest state; 304 for who has it already (If-None-Match)."""
    return answer_state(services().states_for(query.room))


def answer_state(states: StateCache) -> Response:
    """Return the newest of states, in the language asked for."""
    spoken = language()
    newest = states.newest(spoken)
    tag = f"{newest.version}-{spoken}"
    if request.if_none_match.contains_weak(tag):
        answer = Response(status=304)
    else:
        answer = Response(newest.data, mimetype="application/json")
    answer.set_etag(tag)
    # To be asked again each time, but not sent again; and not kept where others could find it.
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.headers["Content-Language"] = spoken
    return answer


@endpoint(blueprint, "GET", "/time", Access.PUBLIC, "What time it is here", answer=TimeAnswer)
def now() -> Response:
    """Return the time, for clocks that are counted down elsewhere: devices rarely agree on it."""
    return jsonify(now_ms=int(time.time() * 1000))


@endpoint(blueprint, "GET", "/events", Access.WATCH, "What has happened in this game", answer=EventsAnswer)
def events(query: AfterQuery) -> Response:
    """Return the events that follow the one with the number ``after``."""
    log = services().log
    game, last = log.game, log.last
    found = log.after(query.after, query.limit)
    head = json.dumps({"game": game, "last": max([last, *(event.number for event in found)])})
    text = b'%s, "events": [%s]}' % (head[:-1].encode(), b", ".join(event.encoded for event in found))
    return Response(text, mimetype="application/json")


@endpoint(
    blueprint,
    "GET",
    "/pictures/<content>",
    Access.WATCH,
    "A picture behind a ruling, by its content id",
    media="image/jpeg",
    refusals=(304,),
)
def picture(content: str) -> Response:
    """Return the picture with that SHA-256. No name but 64 small hexadecimal digits is ever looked for."""
    pictures = services().parts.pictures
    found = pictures.picture(content) if pictures is not None and _CONTENT.fullmatch(content) else None
    media = next((kind for magic, kind in _MAGIC.items() if found is not None and found.startswith(magic)), None)
    if found is None or media is None:
        raise ApiError(404, "no-picture", say("There is no such picture, or it is no longer kept."))
    answer = Response(found, mimetype=media)
    answer.set_etag(content)
    answer.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    answer.headers["Vary"] = "Cookie"
    answer.make_conditional(request)  # changes the answer itself
    return answer


@endpoint(
    blueprint,
    "GET",
    "/checkpoint",
    Access.WATCH,
    "A signed note of the journal's head, to take away",
    answer=CheckpointAnswer,
    limited=True,
)
def checkpoint() -> Response:
    """Return a checkpoint of the game as it stands: text, and the same as a QR code."""
    return Response(_checkpoint(services().checkpoint.text()), mimetype="application/json")


@lru_cache(maxsize=2)
def _checkpoint(text: str) -> str:
    """Return the answer with a checkpoint, drawn once however many ask."""
    return json.dumps({"text": text, "qr": qr_rows(text)})
