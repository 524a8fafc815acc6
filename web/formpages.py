"""What pages with plain forms share: their headers, and the way to the next page."""

from __future__ import annotations

from flask import Response, make_response, redirect, request

from referee.values.words import LANGUAGES
from web.app import HEADERS


def seen_other(address: str) -> Response:
    """Redirect to another page of ours, in the language asked for."""
    asked = request.args.get("lang", "")
    return make_response(redirect(f"{address}?lang={asked}" if asked in LANGUAGES else address, 303))


def add_headers(response: Response) -> Response:
    """Add what every answer of a page with forms carries."""
    policy = HEADERS["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("Referrer-Policy", "same-origin")  # a form says where it comes from, or it is refused
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
