"""Limits large request bodies: the server takes them only from senders that the first lines of a request allow.

A body fills memory before any view is asked. So a device that is not paired may send no more than a code or a command
needs, however many connections it opens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import RequestEntityTooLarge

SMALL_BODY = 64 * 1024
"""Bytes that anybody may send."""
Room = Callable[[str, str, Mapping[str, str]], int]
"""Bytes that a request's body may have, by its method, path and headers (upper-case names with underscores)."""


def with_bodies_bounded(room: Room) -> Any:
    """Return a channel class for waitress that refuses bodies above ``SMALL_BODY`` unless ``room`` allows more.

    Bodies in chunks say nothing of their length and stay small.
    """

    def received(parser: Any, data: bytes) -> int:
        taken = int(HTTPRequestParser.received(parser, data))
        if parser.error is None and parser.headers_finished and not parser.empty:
            size = parser.body_bytes_received if parser.chunked else parser.content_length
            if size > SMALL_BODY and (parser.chunked or not parser.allowed):
                parser.allowed = not parser.chunked and size <= room(parser.command, parser.path, parser.headers)
                if not parser.allowed:
                    parser.error = RequestEntityTooLarge("exceeds what this sender may send")
                    parser.completed = True
        return taken

    parser = type("BoundedParser", (HTTPRequestParser,), {"received": received, "allowed": False})
    return type("BoundedChannel", (HTTPChannel,), {"parser_class": parser})
