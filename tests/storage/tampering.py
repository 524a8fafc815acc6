"""Change a journal behind its back."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def tamper(path: Path, *statements: str) -> None:
    """Edit the file as someone would who drops the guards first."""
    db = sqlite3.connect(path)
    for name in ("events_no_update", "events_no_delete", "events_keep_order"):
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
