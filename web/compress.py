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
    {
        "static", "kinds.kind_file", "packed.packed_file", "page.table", "page.setup", "page.camera",
        "docs.manual_file", "words.words", "watch.state",
    }
)  # fmt: skip
"""Endpoints with text that is the same for everybody who may see it."""
TEXT = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
SMALLEST = 512
"""Bytes below which it saves nothing."""
LEVEL = 6
FILES = frozenset({"static", "kinds.kind_file", "packed.packed_file"})
"""Endpoints among these whose answers are files: the same for every app of this process."""
FILES_KEPT, STATES_KEPT = 256, 64
"""Answers kept compressed: all files of the pages, and the newest states and sentences in every language."""


@runtime_checkable
class SupportsClose(Protocol):
    """A body that holds something open, such as a file."""

    def close(self) -> object:
        """Let it go."""


class _Kept:
    """Bodies by path and tag, the newest of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bodies: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._mutex = threading.Lock()

    def get(self, path: str, tag: str) -> bytes | None:
        with self._mutex:
            if (path, tag) in self._bodies:
                self._bodies.move_to_end((path, tag))
            return self._bodies.get((path, tag))

    def put(self, path: str, tag: str, body: bytes) -> None:
        with self._mutex:
            self._bodies[path, tag] = body
            while len(self._bodies) > self._most:
                self._bodies.popitem(last=False)


_FILES = _Kept(FILES_KEPT)


class Compressed:
    """Compresses answers of one app, and keeps them by what their tag says they hold."""

    def __init__(self) -> None:
        self._states = _Kept(STATES_KEPT)

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
        kept = _FILES if request.endpoint in FILES else self._states
        body = kept.get(path, tag) if tag else None
        if body is not None:
            return body
        data = response.get_data()
        if len(data) < SMALLEST:
            return None
        body = gzip.compress(data, LEVEL, mtime=0)
        if tag:
            kept.put(path, tag, body)
        return body
