"""The first lines of a request as a front reads them, before it hands them on. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

HEAD_MOST = 32 * 1024
BODY_MOST = 2_000_000
_LINE = re.compile(rb"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (/[!-~]*) HTTP/1\.[01]")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
_ADDRESS = re.compile(r"[0-9A-Fa-f.:]{2,45}")
_OURS = (
    b"x-forwarded-for",
    b"x-forwarded-proto",
    b"x-forwarded-host",
    b"x-forwarded-port",
    b"x-forwarded-by",
    b"forwarded",
)


class BadRequestError(Exception):
    """A request that is not handed on."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class RequestHead:
    """A request's first lines. size: of its body, bytes. kept: the lines handed on, the cookies' not among them.

    sender, protocol: what the server before this one says of whoever asks; empty where it says nothing.
    """

    method: str
    path: str
    size: int
    kept: tuple[bytes, ...]
    cookies: str
    sender: str
    protocol: str

    @classmethod
    def read(cls, head: bytes) -> Self:
        """Read them, with the empty line at their end. Raises BadRequestError."""
        line, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        asked = _LINE.fullmatch(line)
        if not asked:
            raise BadRequestError("400 Bad Request")
        kept, lengths, cookies, said = [line], [], [], {b"x-forwarded-for": "", b"x-forwarded-proto": ""}
        for each in lines:
            field = _FIELD.fullmatch(each)
            if field is None:
                raise BadRequestError("400 Bad Request")
            name, value = field[1].lower(), field[2].strip()
            if name == b"transfer-encoding":
                raise BadRequestError("411 Length Required")
            if name == b"content-length":
                lengths.append(value)
            if name in said:
                said[name] = value.decode("latin-1").rpartition(",")[2].strip()
            elif name == b"cookie":
                cookies.append(value.decode("latin-1"))
            elif name not in (*_OURS, b"expect", b"upgrade"):
                kept.append(each)
        if len(lengths) > 1 or any(not re.fullmatch(rb"\d{1,9}", length) for length in lengths):
            raise BadRequestError("400 Bad Request")
        size = int(lengths[0]) if lengths else 0
        if size > BODY_MOST:
            raise BadRequestError("413 Content Too Large")
        sender, protocol = said[b"x-forwarded-for"], said[b"x-forwarded-proto"]
        return cls(
            method=asked[1].decode(),
            path=asked[2].decode().partition("?")[0],
            size=size,
            kept=tuple(kept),
            cookies="; ".join(cookies),
            sender=sender if _ADDRESS.fullmatch(sender) else "",
            protocol=protocol if protocol in ("http", "https") else "",
        )

    def handed_on(self, sender: str, protocol: str, cookies: str | None = None) -> bytes:
        """The lines as the server behind gets them. cookies: these instead of those that were sent."""
        cookies = self.cookies if cookies is None else cookies
        lines = [*self.kept]
        if cookies:
            lines.append(b"Cookie: " + cookies.encode("latin-1"))
        lines += [b"X-Forwarded-For: " + sender.encode(), b"X-Forwarded-Proto: " + protocol.encode()]
        return b"\r\n".join(lines) + b"\r\n\r\n"
