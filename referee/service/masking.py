"""Masks credentials in what people see: pages, logs, error messages, printed settings.

A camera's address often carries its name and password, ``rtsp://user:secret@camera/stream`` or
``http://camera/snapshot?user=me&pwd=secret``. What is shown keeps enough of it to recognise the camera.
"""

from __future__ import annotations

import re

MASK = "***"

_USERINFO = re.compile(r"(?P<scheme>\b[a-z][a-z0-9+.-]*:/{0,2})\S+@", re.IGNORECASE)
"""Everything between a scheme and the last @, also after one slash or none, since people mistype; passwords may hold
slashes and question marks. Rather too much is hidden than too little."""
_PARAMETER = re.compile(
    r"(?P<name>(?:^|(?<=[?&;\s]))"
    r"[\w.-]*(?:pass(?:word|wd)?|pwd|token|secret|key|auth|user(?:name)?|login|credentials?)[\w.-]*)"
    r"=(?P<value>[^&;#\s'\"]*)",
    re.IGNORECASE,
)
_PAIRING = re.compile(r"(?P<name>#pair=)[\w-]+")
"""The secret of a pairing link lets in whoever reads it."""


def masked(text: str) -> str:
    """Return the text with names and passwords in any address in it replaced by ``***``."""
    text = _USERINFO.sub(lambda found: f"{found['scheme']}{MASK}@", text)
    text = _PAIRING.sub(lambda found: f"{found['name']}{MASK}", text)
    return _PARAMETER.sub(lambda found: f"{found['name']}={MASK}", text)
