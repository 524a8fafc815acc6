"""Contracts: every endpoint of the app declares who may use it and what goes in and out.

The checks before the view, the OpenAPI description (web/api/description.py) and the list the security tests go
through are made from it. The checks stand around each view and not in ``before_request``, which Flask runs even for a
Host it refuses.
"""

from __future__ import annotations

import hashlib
import logging
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, get_type_hints

from flask import Blueprint, Flask, Response, current_app, g, request
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import NotFound

from referee.values.words import say
from web.auth.answers import Answers, KeptAnswer
from web.auth.devices import Device
from web.auth.guard import require_own_origin
from web.auth.store import AuthStoreError
from web.limits import CrowdedError
from web.problems import ApiError
from web.services import services

LOCAL_HOSTS = ("localhost", "127.0.0.1")
LARGEST_BODY = 16 * 1024
KEY_HEADER = "Idempotency-Key"
STREAM = "text/event-stream"
LOOKING = threading.Semaphore(4)
"""Places of requests that only look, of all apps of this process: they share its interpreter with the commands."""
LOOK_WAITS_S = 1.0
_LOG = logging.getLogger(__name__)


class Access(StrEnum):
    """Levels of access to an address."""

    PUBLIC = "everybody: nothing of the game is told"
    WATCH = "everybody where watching is open, else paired devices"
    PAIR = "everybody with a code, from the page's own origin"
    ACT = "paired devices, from the page's own origin, with the session's token"


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract of an endpoint.

    media: of its answer. refusals: statuses it may answer with besides those that follow from the other fields.
    body, query: the models of the view's arguments of these names.
    """

    access: Access
    summary: str
    answer: type[BaseModel] | None = None
    media: str = "application/json"
    status: int = 200
    refusals: tuple[int, ...] = ()
    once: bool = False
    """The sender gives each request a key, and a repeated key is not done again."""
    limited: bool = False
    """One address may ask for it only so often: it costs the referee work."""
    costly: bool = False
    """Making it takes a good part of a second: one is made at a time, and few may wait for theirs."""
    own: bool = False
    """A device that is one player's own may use it, too; what it may do there the table decides."""
    largest: int = LARGEST_BODY
    """Bytes of the largest body that is read."""
    keep: bool = True
    """The answer may be kept for a repetition; not so where it holds a secret."""
    takes: tuple[str, int] | None = None
    """Media and greatest size, bytes, of a body that is no JSON; the view reads it."""
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None

    def all_refusals(self) -> set[int]:
        """Return every status of a refusal."""
        found = {400, 503, *self.refusals}
        if self.access is not Access.PUBLIC:  # a table may lack what is asked for
            found |= {404, 401} if self.access is not Access.PAIR else {404, 403}
        found |= {403} if self.access is Access.ACT else set()
        found |= {413, 415} if self.body is not None or self.takes is not None else set()
        return found | ({409, 422} if self.once else set()) | ({429} if self.limited else set())


_CONTRACTS: dict[Callable[..., Any], Contract] = {}
"""Contracts by view; views live as long as their modules."""


Promised = ParamSpec("Promised")
Decorator: TypeAlias = Callable[[Callable[..., Any]], Any]
_OWN = say("This is one player’s own device: use a tablet of the table for this.")


def _declaring(
    make: Callable[Promised, Contract],
) -> Callable[Concatenate[Blueprint, str, str, Promised], Decorator]:
    """Return the decorator that takes a blueprint, a method, a rule and the fields of the view's contract."""

    def endpoint(
        blueprint: Blueprint, method: str, rule: str, /, *fields: Promised.args, **named: Promised.kwargs
    ) -> Decorator:
        return _guarding(blueprint, method, rule, make(*fields, **named))

    return endpoint


endpoint = _declaring(Contract)
"""Registers a view that only requests which keep its contract reach: ``@endpoint(blueprint, "GET", "/time", ...)``.

The view gets the address's values and, where it has arguments of these names, the checked ``body`` and ``query``.
"""


def _guarding(blueprint: Blueprint, method: str, rule: str, contract: Contract) -> Decorator:
    def add(view: Callable[..., Any]) -> Callable[..., Any]:
        arguments = get_type_hints(view)
        full = replace(contract, body=arguments.get("body"), query=arguments.get("query"))

        @wraps(view)
        def guarded(**values: Any) -> Any:
            device = _authorize(full.access)
            if device is not None and device.player and full.access is Access.ACT and not full.own:
                raise ApiError(403, "own", _OWN)
            if full.limited:
                _limit_rate()
            g.device = device
            values |= _parse_request(full)
            if full.once and device is not None:
                return _answer_once(full, device, view, values)
            return _call(full, view, values)

        _CONTRACTS[guarded] = full
        blueprint.add_url_rule(rule, view.__name__, guarded, methods=[method])
        return guarded

    return add


def contract_of(app: Flask, name: str) -> Contract | None:
    """Return the contract of the endpoint with that name; ``None`` where it has none."""
    return _CONTRACTS.get(app.view_functions[name])


def check_endpoints(app: Flask) -> None:
    """Raise RuntimeError for an address without a contract: it would stand open."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint != "static" and contract_of(app, rule.endpoint) is None:
            raise RuntimeError(f"{rule.rule} declares no contract (web/contract.py)")


def acting_device() -> Device:
    """Return the paired device that sent the request."""
    device: Device = g.device
    return device


def _authorize(access: Access) -> Device | None:
    if access is Access.PUBLIC:
        return None
    if access is Access.WATCH:
        return None if current_app.config["OPEN_WATCHING"] else services().auth.device(request)
    auth = services().parts.auth
    if auth is None:
        raise NotFound
    require_own_origin(request)
    return auth.acting(request) if access is Access.ACT else None


def _limit_rate() -> None:
    """Raise ApiError 429 for an address that asks too often."""
    wait_s = services().limiter.wait_s(request.remote_addr or "")
    if wait_s > 0:
        words = say("This was asked for too often: try again in a moment.")
        raise ApiError(429, "too-often", words, {"Retry-After": str(math.ceil(wait_s))})


@contextmanager
def _place_to_look(contract: Contract) -> Iterator[None]:
    """Wait for a place. What acts or streams needs none, and who has waited for LOOK_WAITS_S goes on without."""
    if contract.access is Access.ACT or contract.media == STREAM:
        yield
        return
    taken = LOOKING.acquire(timeout=LOOK_WAITS_S)
    try:
        yield
    finally:
        if taken:
            LOOKING.release()


def _call(contract: Contract, view: Callable[..., Any], values: dict[str, Any]) -> Any:
    if not contract.costly:
        with _place_to_look(contract):
            return view(**values)
    try:
        with services().workbench.place(request.remote_addr or ""):
            return view(**values)
    except CrowdedError:
        words = say("The referee is making this for others: try again in a moment.")
        raise ApiError(503, "crowded", words, {"Retry-After": "5"}) from None


def _parse_request(contract: Contract) -> dict[str, BaseModel]:
    """Return the request's body and query, checked; whatever else was sent is refused."""
    taken: dict[str, BaseModel] = {}
    if contract.query is not None:
        asked: Mapping[str, str] = {name: text for name, text in request.args.items() if name != "lang"}
        taken["query"] = _validate(lambda model: model.model_validate_strings(asked), contract.query)
    request.max_content_length = contract.largest
    if contract.takes is not None:
        media, most = contract.takes
        if request.mimetype != media:
            raise ApiError(415, "media-type", say("The request must be of the kind {media}.", media=media))
        request.max_content_length = most
    if contract.body is not None:
        if request.mimetype != "application/json":
            raise ApiError(415, "media-type", say("The request must be JSON."))
        body = request.get_data(cache=True)
        taken["body"] = _validate(lambda model: model.model_validate_json(body), contract.body)
    return taken


def _validate(read: Callable[[type[BaseModel]], BaseModel], model: type[BaseModel]) -> BaseModel:
    try:
        return read(model)
    except ValidationError as error:
        # Where, and what is wrong there; never the value itself, which may be a secret mistyped into a wrong field.
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        words = say("The request can’t be used: {what}", what=f"{where}: {first['msg']}" if where else first["msg"])
        raise ApiError(400, "request", words) from None


def _answer_once(contract: Contract, device: Device, view: Callable[..., Any], values: dict[str, Any]) -> Response:
    answers = services().auth.answers
    key = request.headers.get(KEY_HEADER, "")
    if not 8 <= len(key) <= 64 or not key.isascii() or not key.isprintable():
        words = say("The request needs a key of its own: the header {header} with 8 to 64 signs.", header=KEY_HEADER)
        raise ApiError(400, "key", words)
    asked = hashlib.sha256(b"\0".join((request.path.encode(), request.get_data(cache=True)))).digest()
    given = answers.begin(device.id, key, asked)
    if given is not None:
        return _replay(given)
    try:
        return _answer_and_keep(contract, answers, device, key, lambda: view(**values))
    finally:
        answers.end(device.id, key)


def _answer_and_keep(
    contract: Contract, answers: Answers, device: Device, key: str, do: Callable[[], Any]
) -> Response:
    try:
        answer = current_app.make_response(do())
    except ApiError as problem:
        answer = problem.response()
    if answer.status_code >= 500:  # nothing was done; the same key may try again
        answers.drop(device.id, key)
    elif contract.keep:
        try:
            answers.finish(device.id, key, answer.status_code, answer.get_data(as_text=True))
        except (
            AuthStoreError
        ) as error:  # it was done, and its sender is told so; for a repetition the answer is unknown
            _LOG.error("%s", error)
    return answer


def _replay(given: KeptAnswer) -> Response:
    if not given.same:
        raise ApiError(422, "key-used", say("This key was used for another request."))
    if given.busy:
        raise ApiError(409, "in-progress", say("This is being done at this moment."), {"Retry-After": "1"})
    if given.status is None:
        words = say(
            "This was sent before, and what became of it is not known: look at the table before trying again."
        )
        raise ApiError(409, "unknown-outcome", words)
    media = "application/json" if given.status < 400 else "application/problem+json"
    answer = Response(given.body, given.status, mimetype=media)
    answer.headers["Idempotency-Replayed"] = "true"
    return answer
