"""Which desks a table trusts, and the code by which it comes to trust one more: two small files in its data folder.

The command that shows a code and the referee that is running share them; the code itself stands nowhere.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.files import write_atomic
from referee.addons.hall.messages import HallError
from referee.addons.hall.orders import TrustAsked
from referee.addons.hall.signing import (
    CODE_LENGTH,
    CODE_LETTERS,
    base64_of,
    bytes_of,
    id_of,
    proof_of_code,
    proves,
    secret_of_code,
)

CODE_S = 600
"""A code is good for so long, and for one desk."""
MOST_TRIES = 5
"""Wrong proofs after which a code ends."""
MOST_DESKS = 20

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrustedDesk:
    """A desk whose orders count here. key: public, 32 bytes. since: Unix time, s."""

    name: str
    key: bytes
    since: int


class DeskTrust:
    """The desks that one table trusts. folder: of the files; table: the table's public key."""

    def __init__(self, folder: Path, table: bytes) -> None:
        self._desks, self._code, self._table = folder / "desks.json", folder / "code.json", table

    def desks(self) -> dict[str, TrustedDesk]:
        """Return the trusted desks by id. Raises HallError where their file can't be used."""
        try:
            rows = json.loads(self._desks.read_text(encoding="utf-8"))
            found = [TrustedDesk(str(row["name"]), bytes_of(row["key"]), int(row["since"])) for row in rows]
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HallError(
                f"{self._desks} can't be read ({error}): delete it, and let the desks be trusted anew"
            ) from None
        return {id_of(desk.key): desk for desk in found}

    def new_code(self, desk: str = "") -> str:
        """Return a new code, which ends the one before. desk: id of the only one it is for. Raises OSError."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        secret = secret_of_code(code, self._table).hex()
        until = int(time.time()) + CODE_S
        self._write(self._code, {"secret": secret, "until": until, "tries": MOST_TRIES, "desk": desk})
        return code

    def admit(self, asked: TrustAsked) -> str:
        """DeskTrust a desk that proves the code; return the table's own proof, empty where it is not trusted.

        Raises OSError, HallError.
        """
        desk = bytes_of(asked.key)
        secret = self._open_secret(id_of(desk))
        if not secret or not proves(asked.proof, secret, "desk", desk, self._table):
            return ""
        self._code.unlink(missing_ok=True)
        self.take(asked.name, desk)
        return proof_of_code(secret, "table", desk, self._table)

    def take(self, name: str, desk: bytes) -> None:
        """Trust a desk from now on, whose public key is known to be right. Raises OSError, HallError."""
        known = self.desks()
        known[id_of(desk)] = TrustedDesk(name, desk, int(time.time()))
        self._keep(dict(list(known.items())[-MOST_DESKS:]))
        _LOG.info("the desk %r (id %s) is trusted from now on", name, id_of(desk))

    def forget(self, desk: str) -> bool:
        """DeskTrust a desk no longer; return whether it was trusted. Raises OSError, HallError."""
        known = self.desks()
        if known.pop(desk, None) is None:
            return False
        self._keep(known)
        return True

    def _open_secret(self, desk: str) -> bytes:
        """Return what the code that is shown to a desk stands for, empty for none; it counts as a try."""
        try:
            kept = json.loads(self._code.read_text(encoding="utf-8"))
            secret, left_s, tries = bytes.fromhex(kept["secret"]), kept["until"] - time.time(), int(kept["tries"])
        except FileNotFoundError:
            return b""
        except (OSError, ValueError, KeyError, TypeError):
            kept, tries, left_s, secret = {}, 0, 0.0, b""
        if tries < 1 or not 0 < left_s <= CODE_S:  # also where the clock was set back
            self._code.unlink(missing_ok=True)
            return b""
        if kept.get("desk", "") not in ("", desk):
            return b""
        self._write(self._code, kept | {"tries": tries - 1})
        return secret

    def _keep(self, known: Mapping[str, TrustedDesk]) -> None:
        rows = [{"name": desk.name, "key": base64_of(desk.key), "since": desk.since} for desk in known.values()]
        self._write(self._desks, rows)

    def _write(self, path: Path, value: object) -> None:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_atomic(path, f"{json.dumps(value)}\n".encode())
        path.chmod(0o600)
