"""Limits large request bodies: the server takes them only from senders that the first lines of a request allow.

A body fills memory before any view is asked. So a device that is not paired may send no more than a code or a command
needs, however many connections it opens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import RequestEntityTooLarge

from web.bodies import BEGAN_S

SMALL_BODY = 64 * 1024
"""Bytes that anybody may send."""
Room = Callable[[str, str, Mapping[str, str]], int]
"""Bytes that a request's body may have, by its method, path and headers (upper-case names with underscores)."""


def with_bodies_bounded(room: Room) -> Any:
    """Return a channel class for waitress that refuses bodies above ``SMALL_BODY`` unless ``room`` allows more.

    Bodies in chunks say nothing of their length and stay small. Views find in the header ``BEGAN_S`` when the body
    began to come, monotonic seconds: they are called once all of it is there.
    """

    def received(parser: Any, data: bytes) -> int:
        taken = int(HTTPRequestParser.received(parser, data))
        if parser.error is None and parser.headers_finished and not parser.empty:
            if not parser.began:
                parser.headers[BEGAN_S], parser.began = (
                    repr(time.monotonic()),
                    True,
                )  # whoever sent such a header lied
            size = parser.body_bytes_received if parser.chunked else parser.content_length
            if size > SMALL_BODY and (parser.chunked or not parser.allowed):
                parser.allowed = not parser.chunked and size <= room(parser.command, parser.path, parser.headers)
                if not parser.allowed:
                    parser.error = RequestEntityTooLarge("exceeds what this sender may send")
                    parser.completed = True
        return taken

    parser = type("BoundedParser", (HTTPRequestParser,), {"received": received, "allowed": False, "began": False})
    return type("BoundedChannel", (HTTPChannel,), {"parser_class": parser})
