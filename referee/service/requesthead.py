"""Parses the first lines of a request for a front, before it forwards them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote_to_bytes

HEAD_MOST = 32 * 1024
BODY_MOST = 2_000_000
REFUSED_BODY_MOST = 2 * BODY_MOST
"""So much is still read of what is refused: a little too much is answered, and sending endlessly is cut off."""
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
    """A request that is not forwarded. read_most: bytes of the rest that are still read before the answer ends."""

    def __init__(self, status: str, read_most: int = REFUSED_BODY_MOST) -> None:
        super().__init__(status)
        self.status, self.read_most = status, read_most


@dataclass(frozen=True, slots=True)
class RequestHead:
    """A request's first lines. size: of its body, bytes. kept: the lines handed on, the cookies' not among them.

    path: as the server behind looks it up, however it was spelled. senders, protocol: what is claimed of whoever
    asks, by servers before this one or by anybody; an empty sender for an invalid address.
    """

    method: str
    path: str
    size: int
    kept: tuple[bytes, ...]
    cookies: str
    senders: tuple[str, ...]
    protocol: str

    @classmethod
    def read(cls, head: bytes) -> Self:
        """Read them, with the empty line at their end. Raises BadRequestError."""
        line, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        asked = _LINE.fullmatch(line)
        if not asked:
            raise BadRequestError("400 Bad Request")
        kept, lengths, cookies, senders, protocol = [line], list[bytes](), list[str](), list[str](), ""
        for each in lines:
            field = _FIELD.fullmatch(each)
            if field is None:
                raise BadRequestError("400 Bad Request")
            name, value = field[1].lower(), field[2].strip()
            if name == b"transfer-encoding":
                raise BadRequestError("411 Length Required")
            if name == b"content-length":
                lengths.append(value)
            if name == b"x-forwarded-for":
                senders += [one.strip() for one in value.decode("latin-1").split(",")]
            elif name == b"x-forwarded-proto":
                protocol = value.decode("latin-1").rpartition(",")[2].strip()
            elif name == b"cookie":
                cookies.append(value.decode("latin-1"))
            elif name not in (*_OURS, b"expect", b"upgrade"):
                kept.append(each)
        if len(lengths) > 1 or any(not re.fullmatch(rb"\d{1,9}", length) for length in lengths):
            raise BadRequestError("400 Bad Request")
        size = int(lengths[0]) if lengths else 0
        if size > BODY_MOST:
            raise BadRequestError("413 Content Too Large")
        return cls(
            method=asked[1].decode(),
            path=path_looked_up(asked[2].decode()),
            size=size,
            kept=tuple(kept),
            cookies="; ".join(cookies),
            senders=tuple(sender if _ADDRESS.fullmatch(sender) else "" for sender in senders),
            protocol=protocol if protocol in ("http", "https") else "",
        )

    def handed_on(self, sender: str, protocol: str, cookies: str | None = None) -> bytes:
        """Return the lines as the server behind gets them. cookies: these instead of those that were sent."""
        cookies = self.cookies if cookies is None else cookies
        lines = [*self.kept]
        if cookies:
            lines.append(b"Cookie: " + cookies.encode("latin-1"))
        lines += [b"X-Forwarded-For: " + sender.encode(), b"X-Forwarded-Proto: " + protocol.encode()]
        return b"\r\n".join(lines) + b"\r\n\r\n"


def path_looked_up(target: str) -> str:
    """Return the path that the server behind looks up for a target: decoded once, each run of slashes as one.

    That server drops further slashes at the beginning alone. Those further on lead nowhere there, so that it does no
    harm to read them as one here, too.
    """
    path = re.split(r"[?#]", target, maxsplit=1)[0]
    return re.sub(r"/+", "/", unquote_to_bytes(path).decode("latin-1"))
