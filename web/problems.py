"""Makes errors that others can read (RFC 9457, ``application/problem+json``): code for programs, words for people."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus

from flask import Response
from werkzeug.exceptions import HTTPException

from referee.values.gameerror import GameError
from referee.values.words import Words, say
from web.auth.store import AuthStoreError
from web.languages import language

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger(__name__)

_HTTP = {
    400: ("request", say("The request can’t be understood.")),
    404: ("nothing-there", say("There is nothing at this address.")),
    405: ("method", say("This address can’t be asked in this way.")),
    413: ("too-large", say("The request is too large.")),
    415: ("media-type", say("The request must be JSON.")),
}


class ApiError(Exception):
    """An error that answers a request.

    code: for programs, stable. words: for people. headers: sent with it. more: further members of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        words: Words,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.words = words
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def body(self) -> str:
        """Return the answer's JSON text."""
        told = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
        }
        return json.dumps(told | {"detail": self.words.text(language())} | self.more, ensure_ascii=False)

    def response(self) -> Response:
        """Return the answer."""
        answer = Response(self.body(), self.status, mimetype=MEDIA_TYPE)
        answer.headers.extend(self.headers)
        return answer


def of_problem(problem: ApiError) -> Response:
    """Answer a problem of ours."""
    return problem.response()


def of_http(error: HTTPException) -> Response:
    """Answer what Flask refused by itself."""
    status = error.code or 500
    if status in (301, 302, 303, 307, 308):  # an extra slash is no error
        return Response(status=404)
    code, words = _HTTP.get(status, ("request", _HTTP[400][1]))
    headers = {}
    if status == 405 and (allowed := getattr(error, "valid_methods", None)):
        headers["Allow"] = ", ".join(sorted(allowed))
    return ApiError(status, code, words, headers).response()


def of_auth_store(error: AuthStoreError) -> Response:
    """Answer when the file of paired devices can't be read or written. Its path is no business of others."""
    _LOG.error("%s", error)
    words = say("The referee could not write this down: its disk may be full. Nothing was changed.")
    return ApiError(503, "storage", words, {"Retry-After": "10"}).response()


def of_game(error: GameError) -> Response:
    """Answer a failure of the game, which its own log line tells of."""
    return ApiError(500, "game", error.words).response()


def of_failure(error: Exception) -> Response:
    """Answer a failure of ours: words for people, the traceback for the log."""
    _LOG.error("the page failed", exc_info=error)
    return ApiError(500, "failure", say("The referee failed at this. Its log says more.")).response()
