"""The desk's own key, and the tables that have shown it their code: two files in its folder."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from calibration.files import write_atomic
from referee.addons.hall.messages import HallError
from referee.storage.checkpoint import CheckpointError, open_key

KEY_FILE, TABLES_FILE = "desk.key", "tables.json"
MOST = 1000


def desk_key(folder: Path) -> Ed25519PrivateKey:
    """Return the key in a folder, and make it where there is none. Raises HallError."""
    path = folder / KEY_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_key(path)
    except OSError as error:
        raise HallError(f"{folder} can't be written: {error.strerror}; choose another with --data") from error
    except CheckpointError:
        raise HallError(
            f"{path}: the desk's key can't be used: put the right file back, or delete it for a new key; then every "
            "table must trust the desk anew"
        ) from None


class TrustingTables:
    """The ids of the tables that trust the desk. Safe to use from several threads. Raises HallError."""

    def __init__(self, folder: Path) -> None:
        self._path, self._mutex = folder / TABLES_FILE, threading.Lock()
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            self._ids = [str(one) for one in found["trusting"]]
        except FileNotFoundError:
            self._ids = []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HallError(
                f"{self._path} can't be read ({error}): put the right file back, or delete it; what tables trust "
                "this desk is then not known here, and their codes are typed again"
            ) from error

    def __contains__(self, table: object) -> bool:
        """Return whether a table trusts the desk, as far as is known."""
        return table in self._ids

    def set(self, table: str, trusts: bool) -> None:
        """Note whether a table trusts the desk. Raises OSError."""
        with self._mutex:
            ids = [one for one in self._ids if one != table] + ([table] if trusts else [])
            if ids == self._ids:
                return
            self._ids = ids[-MOST:]
            write_atomic(self._path, f"{json.dumps({'trusting': self._ids})}\n".encode())
