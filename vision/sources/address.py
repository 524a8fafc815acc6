"""Parses where a camera's pictures come from, as one line of text: an address of an allowed scheme, with settings.

    usb:/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0?fps=15
    rtsp://user:password@192.168.1.20:554/stream1
    http://192.168.1.21:8080/video#fps=10
    file:games/club.avi?fps=max
    folder:/home/pi/stills?watch=yes
    phone:left
    virtual:left

Settings of our own stand after ``?``, but after ``#`` for http and rtsp, where ``?`` belongs to the camera. Only the
public name of a source is ever shown or logged: it has no user, no password, and of a network address no path, since
some cameras carry their password there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

MAX_FPS = 60.0
MAX_SIDE_PX = 4096
LIVE_FPS = 15.0
"""More frames a second than this tell the referee nothing new, but cost."""
SNAPSHOT_FPS = 5.0
VIDEO_SUFFIXES = (".avi", ".mp4", ".m4v", ".mkv", ".mov", ".webm", ".mjpg", ".mjpeg", ".mpg", ".mpeg")
_SHORT_NAME = re.compile(r"[a-z0-9-]{1,24}")
_USB_PLACES = re.compile(r"/dev/(?:video\d{1,3}|v4l/by-(?:id|path)/[^/]+)")
_SIZE = re.compile(r"(\d{2,5})x(\d{2,5})")


class SourceError(ValueError):
    """An address that can't be used; the message says why and what to write, and never holds a password."""


class Scheme(StrEnum):
    """Ways to reach a source."""

    USB = "usb"
    RTSP = "rtsp"
    RTSPS = "rtsps"
    HTTP = "http"
    HTTPS = "https"
    FILE = "file"
    FOLDER = "folder"
    PHONE = "phone"
    VIRTUAL = "virtual"


LIVE = frozenset({Scheme.USB, Scheme.RTSP, Scheme.RTSPS, Scheme.HTTP, Scheme.HTTPS, Scheme.PHONE, Scheme.VIRTUAL})
"""Schemes behind which stands a real camera: silence is a fault there."""
EVERY = frozenset(Scheme)
_NETWORK = LIVE - {Scheme.USB, Scheme.PHONE, Scheme.VIRTUAL}
_NAMED = frozenset({Scheme.PHONE, Scheme.VIRTUAL})
DELAYS_S = {Scheme.RTSP: 1.0, Scheme.RTSPS: 1.0, Scheme.HTTP: 0.3, Scheme.HTTPS: 0.3}
"""Assumed age of the pictures of network cameras where nothing is said: no old board must be ruled on."""
MOST_DELAY_S = 10.0
_YES_NO = {"yes": True, "1": True, "true": True, "no": False, "0": False, "false": False}
_KNOWN = {
    "fps": EVERY,
    "size": frozenset({Scheme.USB}),
    "lock": frozenset({Scheme.USB}),
    "same": LIVE,
    "delay": LIVE,
    "loop": frozenset({Scheme.FILE, Scheme.FOLDER}),
    "watch": frozenset({Scheme.FOLDER}),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A source of pictures.

    location: device, file, folder or address, without settings; may hold a password, so it is never shown.
    public: how the source is called wherever people can read it. fps: pictures a second at most, ``None`` for real
    time, infinity for as fast as they can be read. size: picture size asked of a USB camera, (width, height).
    lock: hold exposure, focus and white balance once they have settled. same: whether the same picture again and
    again is no fault. delay_s: how old a picture is when it arrives. loop: begin again at the end. watch: wait for
    new pictures in a folder.
    """

    scheme: Scheme
    location: str = field(repr=False)
    public: str
    fps: float | None = None
    size: tuple[int, int] | None = None
    lock: bool = True
    same: bool = False
    delay_s: float = 0.0
    loop: bool = False
    watch: bool = False

    @property
    def live(self) -> bool:
        """Return whether a real camera stands behind it."""
        return self.scheme in LIVE

    def __str__(self) -> str:
        return self.public


def parse_source(text: str, base: Path | None = None, allowed: frozenset[Scheme] = EVERY) -> Source:
    """Read a source's address. Relative files and folders are taken from ``base``. Raises SourceError.

    allowed: what may be named; use LIVE for addresses that come over the network, so that nobody reads files by them.
    """
    if any(ord(c) < 33 or ord(c) == 127 for c in text):
        raise SourceError("a camera's address has no spaces and no control characters: write a space as %20")
    scheme = _scheme(text, allowed)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise SourceError(f"the {scheme} address of a camera is no address: check its host and port") from None
    if scheme in _NETWORK:
        location, public = _network(scheme, parts, port)
        settings = _settings(scheme, parts.fragment)
    else:
        if parts.fragment:
            raise SourceError(f"settings of a {scheme} source stand after ?, and # in a name is written %23")
        location = public = _local(scheme, parts, base)
        settings = _settings(scheme, parts.query)
        shown = parts.path if scheme in _NAMED else location if scheme in LIVE else Path(location).name
        public = f"{scheme}:{shown}"
    return Source(scheme, location, public, **{"delay_s": DELAYS_S.get(scheme, 0.0)} | settings)


def _meant(text: str) -> str:
    """Return a hint how to write a bare path as a source, where it names a folder, a file or a device."""
    if not text:
        return ""
    path = Path(text)
    if path.is_dir():
        return f"; a folder into which pictures are put is folder:{text}?watch=yes"
    if path.is_file():
        return f"; a film is file:{text}"
    return "; a camera at this computer is usb:/dev/v4l/by-id/..." if path.is_char_device() else ""


def _scheme(text: str, allowed: frozenset[Scheme]) -> Scheme:
    name, colon, _ = text.partition(":")
    known = ", ".join(sorted(allowed))
    if not colon or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]{0,15}", name):
        raise SourceError(f"a camera's address begins with its kind and a colon, one of: {known}{_meant(text)}")
    try:
        scheme = Scheme(name.lower())
    except ValueError:
        raise SourceError(f"a camera can't be reached by {name.lower()!r}: use one of {known}") from None
    if scheme not in allowed:
        raise SourceError(f"a camera may not be a {scheme} here: use one of {known}")
    return scheme


def _network(scheme: Scheme, parts: SplitResult, port: int | None) -> tuple[str, str]:
    host = parts.hostname
    if not host or not re.fullmatch(r"[A-Za-z0-9._:%-]+", host):
        raise SourceError(f"the {scheme} address needs a host: {scheme}://192.168.1.20/...")
    shown = f"[{host}]" if ":" in host else host
    public = f"{scheme}://{shown}" + (f":{port}" if port else "")
    return parts._replace(fragment="", scheme=str(scheme)).geturl(), public


def _local(scheme: Scheme, parts: SplitResult, base: Path | None) -> str:
    if parts.netloc not in ("", "localhost"):
        raise SourceError(f"{scheme} sources are on this computer: write {scheme}:/path with one slash")
    name = unquote(parts.path)
    if not name or "\0" in name or any(ord(c) < 32 for c in name):
        raise SourceError(f"the {scheme} address names nothing: write {scheme}:/path")
    if scheme in _NAMED:
        if not _SHORT_NAME.fullmatch(name):
            raise SourceError(f"a {scheme} source is called by a short name of a-z, 0-9 and -: {scheme}:left")
        return name if scheme is Scheme.PHONE else str((base or Path.cwd()).absolute() / f"{name}.socket")
    if scheme is Scheme.USB:
        if not _USB_PLACES.fullmatch(name) or "/.." in name:
            raise SourceError(
                "a usb camera is named by its device, best by one that stays the same after a restart: "
                "usb:/dev/v4l/by-id/NAME (ls /dev/v4l/by-id shows them)"
            )
        return name
    path = Path(name) if base is None else base / name
    if scheme is Scheme.FILE and path.suffix.lower() not in VIDEO_SUFFIXES:
        raise SourceError(f"a file source is a video ({', '.join(VIDEO_SUFFIXES)}), not {path.name!r}")
    return str(path.absolute())


def _settings(scheme: Scheme, text: str) -> dict[str, Any]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))
    except ValueError:
        raise SourceError(f"settings of the {scheme} source are written NAME=VALUE and joined by &") from None
    found: dict[str, Any] = {}
    for number, (name, value) in enumerate(pairs):
        if name not in _KNOWN or scheme not in _KNOWN[name]:
            known = ", ".join(sorted(key for key, schemes in _KNOWN.items() if scheme in schemes))
            # A password put there by mistake must not be shown: only text that looks like a setting's name is.
            shown = repr(name) if re.fullmatch("[a-z_]{1,12}", name) else "of that name"
            raise SourceError(f"a {scheme} source has no setting {shown}: it has {known}")
        if name in {given for given, _ in pairs[:number]}:
            raise SourceError(f"the setting {name} of the {scheme} source is given twice")
        found["delay_s" if name == "delay" else name] = _value(name, value)
    return found


def _value(name: str, value: str) -> object:
    if name == "fps":
        return _fps(value)
    if name == "delay":
        return _delay(value)
    if name == "size":
        match = _SIZE.fullmatch(value)
        if not match or not all(16 <= int(side) <= MAX_SIDE_PX for side in match.groups()):
            raise SourceError(f"size is WIDTHxHEIGHT in pixels, up to {MAX_SIDE_PX} each, such as size=1280x960")
        return int(match[1]), int(match[2])
    if value not in _YES_NO:
        raise SourceError(f"the setting {name} is yes or no")
    return _YES_NO[value]


def _fps(value: str) -> float:
    if value == "max":
        return float("inf")
    try:
        fps = float(value)
    except ValueError:
        fps = 0.0
    if not 0.01 <= fps <= MAX_FPS:
        raise SourceError(f"fps is pictures a second, 0.01 to {MAX_FPS:.0f}, or max: fps=15")
    return fps


def _delay(value: str) -> float:
    try:
        delay_s = float(value)
    except ValueError:
        delay_s = -1.0
    if not 0.0 <= delay_s <= MOST_DELAY_S:
        raise SourceError(
            f"delay is how many seconds old a picture is when it comes, 0 to {MOST_DELAY_S:.0f}: delay=1.5"
        )
    return delay_s
