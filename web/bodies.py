"""Limits how large a body a request may bring, by the request's first lines alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from web.contract import LARGEST_BODY, Contract, contract_of
from web.services import Services, stored

BEGAN_S = "REFEREE_BEGAN_S"
"""Header in which views find when a request's body began to come, monotonic seconds; no sender can set it."""


def largest_of(contract: Contract) -> int:
    """Return the bytes of the largest body that an address takes."""
    return contract.takes[1] if contract.takes is not None else contract.largest


def largest_of_all(app: Flask) -> int:
    """Return the bytes of the largest body that any address of an app takes."""
    found = (contract_of(app, rule.endpoint) for rule in app.url_map.iter_rules() if rule.endpoint != "static")
    return max((largest_of(contract) for contract in found if contract is not None), default=LARGEST_BODY)


def room_for(app: Flask) -> Callable[[str, str, Mapping[str, str]], int]:
    """Return a function that says how many bytes a request may bring, by method, path and headers.

    It allows more than a little only for a device that is paired, where its address takes so much. Whether the
    request is let in is decided later and by more than this.
    """
    served = stored(app, Services)
    auth = served.parts.auth if served is not None else None
    addresses = app.url_map.bind("localhost")

    def room(method: str, path: str, headers: Mapping[str, str]) -> int:
        try:
            endpoint, _ = addresses.match(path, method)
        except (HTTPException, ValueError):
            return LARGEST_BODY
        contract = contract_of(app, endpoint) if endpoint != "static" else None
        if contract is None or auth is None:
            return LARGEST_BODY
        said = parse_cookie(headers.get("COOKIE", ""))
        tokens = [said.get(name) for name in (auth.name, f"__Host-{auth.name}")]
        known = any(auth.devices.known(token) for token in tokens)
        return largest_of(contract) if known else LARGEST_BODY

    return room
