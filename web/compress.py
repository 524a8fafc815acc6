"""Compresses what pages fetch: files, sentences and states, each once however many ask.

Answers that hold a secret or give back what was sent are never compressed: their length would tell of it.
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from typing import Protocol, runtime_checkable

from flask import Response, request

ENDPOINTS = frozenset(
    {"static", "kinds.kind_file", "page.table", "page.setup", "docs.manual_file", "words.words", "watch.state"}
)
"""Endpoints with text that is the same for everybody who may see it."""
TEXT = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
SMALLEST = 512
"""Bytes below which it saves nothing."""
LEVEL = 6
KEPT = 128
"""Answers kept compressed: all files of the page, and the newest states in every language."""


@runtime_checkable
class SupportsClose(Protocol):
    """A body that holds something open, such as a file."""

    def close(self) -> object:
        """Let it go."""


class Compressed:
    """Compresses answers of one app, and keeps them by what their tag says they hold."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._mutex = threading.Lock()

    def answer(self, response: Response) -> Response:
        """Return the answer as it shall go out: compressed where that helps and the asker takes it."""
        if request.endpoint not in ENDPOINTS or not (response.mimetype or "").startswith(TEXT):
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0 or response.status_code != 200:
            return response
        response.direct_passthrough = False  # a file's content is read, not passed through
        body = self._body(request.path, response)
        if body is not None:
            served = response.response
            response.set_data(body)
            if isinstance(served, SupportsClose):  # known already: the file was opened, and nobody has read it
                served.close()
            response.content_encoding = "gzip"
            tag, _ = response.get_etag()
            if tag is not None:
                response.set_etag(tag, weak=True)  # the same thing, but not the same bytes
        return response

    def _body(self, path: str, response: Response) -> bytes | None:
        tag, _ = response.get_etag()
        key = (path, tag or "")
        with self._mutex:
            if tag and key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        data = response.get_data()
        if len(data) < SMALLEST:
            return None
        body = gzip.compress(data, LEVEL, mtime=0)
        if tag:
            with self._mutex:
                self._kept[key] = body
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return body
