"""Pictures over HTTP: a Motion-JPEG stream (multipart/x-mixed-replace), or an address that gives one at a time.

What comes is not trusted: parts have a greatest size, every wait an end, redirects stay with the same host.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.parse import unquote, urlsplit

from vision.sources.address import SNAPSHOT_FPS, Source
from vision.sources.packet import CaptureError, Packet, Why

TIMEOUT_S = 4.0
LARGEST_PICTURE = 24 * 2**20
_CHUNK = 1 << 16
_LENGTH = re.compile(rb"content-length:\s*(\d{1,9})\s*$", re.IGNORECASE | re.MULTILINE)
_MOST_HEADERS = 8192
_MOST_BETWEEN = 1 << 16


class _SameHost(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if new.scheme not in ("http", "https") or new.hostname != old.hostname:
            raise CaptureError(Why.NO_PICTURES)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class HttpReader:
    """A camera on the network, or a telephone on a stand."""

    def __init__(self, source: Source, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._url, user, password = _without_user(source.location)
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        if user:
            passwords.add_password(None, self._url, user, password)
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            _SameHost(),
            urllib.request.HTTPBasicAuthHandler(passwords),
            urllib.request.HTTPDigestAuthHandler(passwords),
        ):
            self._opener.add_handler(handler)
        self._step_s = 1 / (source.fps or SNAPSHOT_FPS)
        self._due_s = time.monotonic()
        self._response: HTTPResponse | None = None
        self._waiting = bytearray()
        self._stream: bytes | None = None
        first = self._open()
        kind = first.headers.get_content_type()
        if kind == "multipart/x-mixed-replace":
            boundary = str(first.headers.get_param("boundary") or "").strip('"')
            if not boundary:
                raise CaptureError(Why.NO_PICTURES)
            # Many cameras count the two dashes as part of the boundary, many don't.
            self._stream, self._response = b"--" + boundary.removeprefix("--").encode("latin-1", "replace"), first
        elif kind in ("image/jpeg", "image/jpg"):
            first.close()
        else:
            first.close()
            raise CaptureError(Why.NO_PICTURES)

    def _open(self) -> HTTPResponse:
        try:
            response = self._opener.open(self._url, timeout=self._timeout_s)
        except urllib.error.HTTPError as error:
            error.close()
            raise CaptureError(Why.REFUSED if error.code in (401, 403) else Why.NO_PICTURES) from None
        except ValueError:  # a scheme of authentication that is not known
            raise CaptureError(Why.REFUSED) from None
        except (OSError, HTTPException):
            raise CaptureError(Why.UNREACHABLE) from None
        if not isinstance(response, HTTPResponse):
            raise CaptureError(Why.UNREACHABLE)
        return response

    def read(self) -> Packet | None:
        """Read the next picture. Raises CaptureError when the connection breaks or sends no picture."""
        if self._stream is not None:
            return Packet(time.monotonic(), jpeg=self._part(self._stream))
        self._due_s = max(self._due_s + self._step_s, time.monotonic())
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        response = self._open()
        try:
            content = response.read(LARGEST_PICTURE + 1)
        except (OSError, HTTPException):
            raise CaptureError(Why.UNREACHABLE) from None
        finally:
            response.close()
        if len(content) > LARGEST_PICTURE:
            raise CaptureError(Why.GARBAGE)
        return Packet(time.monotonic(), jpeg=content)

    def _part(self, boundary: bytes) -> bytes:
        self._until(boundary, _MOST_BETWEEN)
        headers = self._headers()
        length = _LENGTH.search(headers)
        if length is None:
            content = self._until(boundary, LARGEST_PICTURE)
            self._waiting[:0] = boundary  # it begins the next part
            return content.removesuffix(b"\r\n")
        size = int(length[1])
        if size > LARGEST_PICTURE:
            raise CaptureError(Why.GARBAGE)
        while len(self._waiting) < size:
            self._more()
        return self._take(size, 0)

    def _headers(self) -> bytes:
        while not (end := re.search(rb"\r?\n\r?\n", self._waiting)):
            if len(self._waiting) > _MOST_HEADERS:
                raise CaptureError(Why.GARBAGE)
            self._more()
        return self._take(end.start(), end.end() - end.start()).replace(b"\r\n", b"\n")

    def _until(self, mark: bytes, most: int) -> bytes:
        begin = 0
        while (at := self._waiting.find(mark, begin)) < 0:
            if len(self._waiting) > most:
                raise CaptureError(Why.GARBAGE)
            begin = max(0, len(self._waiting) - len(mark))
            self._more()
        return self._take(at, len(mark))

    def _take(self, size: int, dropped: int) -> bytes:
        taken = bytes(self._waiting[:size])
        del self._waiting[: size + dropped]
        return taken

    def _more(self) -> None:
        assert self._response is not None
        try:
            chunk = self._response.read1(_CHUNK)
        except (OSError, HTTPException):
            raise CaptureError(Why.UNREACHABLE) from None
        if not chunk:
            raise CaptureError(Why.UNREACHABLE)
        self._waiting += chunk

    def close(self) -> None:
        """Close the connection."""
        if self._response is not None:
            self._response.close()


def _without_user(url: str) -> tuple[str, str, str]:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl(), unquote(parts.username or ""), unquote(parts.password or "")
