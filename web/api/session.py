"""Pairs devices: it tells the page what it may do, lets devices in, and removes them."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, jsonify, request

from referee.values.words import say, say_n
from web.api.models import (
    CodeAnswer,
    CodeQuery,
    DeviceAnswer,
    DevicesAnswer,
    NameBody,
    PinBody,
    SecretBody,
    SessionAnswer,
)
from web.auth.devices import Device, csrf_token
from web.auth.guard import Authenticator
from web.auth.pairing import TooManyGuessesError, WrongCodeError
from web.contract import LOCAL_HOSTS, Access, acting_device, endpoint
from web.languages import language
from web.problems import ApiError
from web.qr import qr_rows
from web.services import services

blueprint = Blueprint("session", __name__)
_LOG = logging.getLogger(__name__)


@endpoint(blueprint, "GET", "/session", Access.PUBLIC, "What the asking page may do", answer=SessionAnswer)
def session() -> Response:
    """Return whether the page is paired, and the token it then needs to act."""
    parts = services().parts
    auth = parts.auth
    token = auth.token(request) if auth is not None else None
    device = auth.known(request) if auth is not None else None
    answer = _session(device, token)
    if auth is not None and device is not None and token is not None and not parts.lent:
        auth.give(answer, request, token)  # again, so that a device in use never runs out
    return answer


@endpoint(
    blueprint, "POST", "/pair/pin", Access.PAIR, "Pair with the digits shown", answer=SessionAnswer, refusals=(429,)
)
def pair_by_pin(body: PinBody) -> Response:
    """Let a device in whose user typed the digits."""
    auth = services().auth
    try:
        device, token = auth.desk.pair_by_pin(body.pin, body.name, request.remote_addr or "")
    except TooManyGuessesError as error:
        wait_s = max(1, math.ceil(error.wait_s))
        words = say_n(
            "Too many wrong codes: wait {n} second, or scan the QR code.",
            "Too many wrong codes: wait {n} seconds, or scan the QR code.",
            wait_s,
        )
        raise ApiError(429, "too-many-guesses", words, {"Retry-After": str(wait_s)}) from None
    except WrongCodeError as error:
        if error.void:
            _LOG.warning("too many wrong pairing codes, the last from %s: the digits are void", request.remote_addr)
        raise ApiError(403, "wrong-code", say("This is not a code that is open now.")) from None
    return _welcome(auth, device, token)


@endpoint(
    blueprint, "POST", "/pair/link", Access.PAIR, "Pair with the secret of a scanned code", answer=SessionAnswer
)
def pair_by_link(body: SecretBody) -> Response:
    """Let a device in that scanned a code."""
    auth = services().auth
    try:
        device, token = auth.desk.pair_by_secret(body.secret, body.name)
    except WrongCodeError:
        raise ApiError(403, "wrong-code", say("This is not a code that is open now.")) from None
    return _welcome(auth, device, token)


@endpoint(
    blueprint,
    "POST",
    "/codes",
    Access.ACT,
    "Open a pairing code for one more device",
    answer=CodeAnswer,
    status=201,
    once=True,
    keep=False,
)
def new_code(query: CodeQuery) -> tuple[Response, int]:
    """Make digits and a QR code that let one more device in."""
    return _opened("", query.page)


def _opened(player: str, page: str = "") -> tuple[Response, int]:
    auth = services().auth
    code = auth.desk.new_code(player=player)
    host, words = _reached_at()
    link = f"{request.scheme}://{host}/{page}#pair={code.secret}"
    answer = CodeAnswer(pin=code.pin, link=link, seconds=int(code.life_s), qr=qr_rows(link), words=words)
    return jsonify(answer.model_dump()), 201


def _reached_at() -> tuple[str, str]:
    """Return HOST:PORT under which another device finds the page, and what to say where none does."""
    reached_at: Callable[[], str] | None = current_app.config["REACHED_AT"]
    if reached_at is None or (urlsplit(f"//{request.host}").hostname or "") not in LOCAL_HOSTS:
        return request.host, ""
    found = reached_at()
    alone = say(
        "Only this computer can open the page. To let phones and tablets in, start the referee with --host 0.0.0.0."
    )
    return (found, "") if found else (request.host, alone.text(language()))


@endpoint(
    blueprint,
    "POST",
    "/codes/<player>",
    Access.ACT,
    "Open a pairing code for one player's own device",
    answer=CodeAnswer,
    status=201,
    once=True,
    keep=False,
)
def new_code_of(player: str) -> tuple[Response, int]:
    """Make digits and a QR code that let a device in which may act for one player only."""
    playing = services().table.snapshot(language()).get("players")
    if not isinstance(playing, Mapping) or player not in playing:
        raise ApiError(404, "no-player", say("Nobody plays this colour."))
    return _opened(player)


@endpoint(blueprint, "GET", "/devices", Access.ACT, "The paired devices", answer=DevicesAnswer)
def devices() -> Response:
    """List every device that may act, the newest first."""
    auth = services().auth
    here = acting_device()
    return jsonify(devices=[_told(device, here).model_dump() for device in auth.devices.all()])


@endpoint(blueprint, "PATCH", "/devices/<int:number>", Access.ACT, "Give a device another name", answer=DeviceAnswer)
def rename(number: int, body: NameBody) -> Response:
    """Call a device something else."""
    auth = services().auth
    device = auth.devices.rename(number, body.name) if number < 2**63 else None
    if device is None:
        raise _no_device()
    return jsonify(_told(device, acting_device()).model_dump())


@endpoint(
    blueprint,
    "DELETE",
    "/devices/<int:number>",
    Access.ACT,
    "Forget a device: it may act no longer",
    status=204,
)
def forget(number: int) -> Response:
    """End a device's session, also one's own."""
    auth = services().auth
    if not (number < 2**63 and auth.devices.forget(number)):
        raise _no_device()
    answer = Response(status=204)
    if number == acting_device().id:
        auth.take(answer, request)
    return answer


def _welcome(auth: Authenticator, device: Device, token: str) -> Response:
    before = auth.known(request)
    if before is not None:  # a device that pairs again keeps one session, not two
        auth.devices.forget(before.id)
    _LOG.info("paired %r from %s", device.name, request.remote_addr)
    answer = _session(device, token)
    auth.give(answer, request, token)
    return answer


def _session(device: Device | None, token: str | None) -> Response:
    parts = services().parts
    answer = SessionAnswer(
        paired=device is not None,
        may_watch=device is not None or bool(current_app.config["OPEN_WATCHING"]),
        may_pair=parts.auth is not None,
        device=None if device is None else _told(device, device),
        csrf=None if device is None or token is None else csrf_token(token),
        commands=[] if parts.commands is None else list(parts.commands.names()),
    )
    return jsonify(answer.model_dump())


def _told(device: Device, here: Device) -> DeviceAnswer:
    return DeviceAnswer(
        id=device.id,
        name=device.name,
        paired_at=_iso(device.paired_at),
        seen_at=_iso(device.seen_at),
        here=device.id == here.id,
        player=device.player,
    )


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _no_device() -> ApiError:
    return ApiError(404, "no-device", say("There is no such device; perhaps it was forgotten already."))
