"""The address of a hall's broker, as the settings have it: ``mqtts://user:password@host:8883?ca=/path/ca.pem``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from referee.addons.hall.messages import HallError

PORTS = {"mqtts": 8883, "mqtt": 1883}
"""The usual port of each scheme; ``mqtts`` is MQTT over TLS."""
WANTED = "mqtts://user:password@host:8883, with ?ca=/path/ca.pem where the certificate is by a CA of your own"


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where a broker is, and as whom to go there.

    user: empty for nobody. ca: file with the certificate of the authority to trust; ``None``: those that the system
    trusts. Its text has no password in it.
    """

    host: str
    port: int
    secure: bool
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None

    def __str__(self) -> str:
        return f"{'mqtts' if self.secure else 'mqtt'}://{self.host}:{self.port}"


def broker_address(text: str) -> BrokerAddress:
    """Return the address that a text names. Raises HallError, which quotes nothing of it: it has a password."""
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
        more = parse_qs(parts.query, strict_parsing=True) if parts.query else {}
    except ValueError:
        port, host, more, parts = None, None, {}, urlsplit("")
    if parts.scheme not in PORTS or not host or parts.path not in ("", "/") or parts.fragment or more.keys() - {"ca"}:
        raise HallError(f"the broker's address must be {WANTED}; a sign like @, / or # in a password is written %40")
    secure = parts.scheme == "mqtts"
    ca = Path(more["ca"][0]).expanduser() if "ca" in more else None
    if ca is not None and not secure:
        raise HallError("the broker's address has a ?ca=, but only mqtts:// uses it: write mqtts://")
    if ca is not None and not ca.is_file():
        raise HallError(f"{ca}: there is no such file, though the broker's address names it as ?ca=")
    return BrokerAddress(
        host, port or PORTS[parts.scheme], secure, unquote(parts.username or ""), unquote(parts.password or ""), ca
    )
