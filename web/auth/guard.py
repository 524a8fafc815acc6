"""Tells which device a request comes from, and whether it comes from the page's own origin."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Self

from flask import Request, Response

from referee.values.words import say
from web.auth.addresses import DeviceAddresses
from web.auth.answers import Answers
from web.auth.devices import IDLE_S, Device, Devices, csrf_token
from web.auth.pairing import PairingDesk
from web.auth.store import Store
from web.problems import ApiError

CSRF_HEADER = "X-CSRF-Token"


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Decides who may act at this table. name: separates this table's cookies from another's on the same machine.

    addresses: those that paired devices ask from.
    """

    devices: Devices
    desk: PairingDesk
    answers: Answers
    name: str = "referee"
    addresses: DeviceAddresses = field(default_factory=DeviceAddresses)

    @classmethod
    def over(cls, store: Store, name: str = "referee") -> Self:
        """Authenticate by the devices in a file."""
        devices = Devices(store)
        return cls(devices, PairingDesk(store, devices), Answers(store), name)

    def token(self, request: Request) -> str | None:
        """Return the secret a request's cookie holds."""
        return request.cookies.get(self._cookie(request))

    def known(self, request: Request) -> Device | None:
        """Return the paired device a request comes from; ``None`` for anybody else."""
        device = self.devices.known(self.token(request))
        if device is not None:
            self.addresses.note(request.remote_addr or "")
        return device

    def device(self, request: Request) -> Device:
        """Return the paired device a request comes from. Raises ApiError 401 for anybody else."""
        device = self.known(request)
        if device is None:
            raise ApiError(401, "pairing", say("Only paired devices may do this."))
        return device

    def acting(self, request: Request) -> Device:
        """Return the paired device that a request to act comes from.

        Raises ApiError 401, and 403 without the session's token.
        """
        device = self.device(request)
        said = request.headers.get(CSRF_HEADER, "")
        if not hmac.compare_digest(said.encode(), csrf_token(self.token(request) or "").encode()):
            raise ApiError(403, "token", say("This page is out of date: load it again."))
        return device

    def cookies(self, token: str) -> str:
        """Return the cookies with which a device identifies itself, over HTTP and over HTTPS."""
        return f"{self.name}={token}; __Host-{self.name}={token}"

    def give(self, response: Response, request: Request, token: str) -> None:
        """Give a device its session."""
        response.set_cookie(
            self._cookie(request),
            token,
            max_age=int(IDLE_S),
            path="/",
            secure=request.is_secure,
            httponly=True,
            samesite="Strict",
        )

    def take(self, response: Response, request: Request) -> None:
        """Take a device's session away."""
        response.delete_cookie(
            self._cookie(request), path="/", secure=request.is_secure, httponly=True, samesite="Strict"
        )

    def _cookie(self, request: Request) -> str:
        # Browsers accept a cookie of this prefix only over HTTPS, for this host alone and the whole of it.
        return f"__Host-{self.name}" if request.is_secure else self.name


def require_own_origin(request: Request) -> None:
    """Raise ApiError 403 for a request that another site's page made a browser send.

    A program that is no browser sends neither header; it still needs the session's cookie and token.
    """
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    foreign_origin = origin is not None and origin.lower() != f"{request.scheme}://{request.host}"
    if foreign_origin or site not in (None, "same-origin"):
        raise ApiError(403, "origin", say("Another site’s page sent this: it was not done."))
