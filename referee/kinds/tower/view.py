"""Towers of bars on the page: level by level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.values.kit import Kit
from referee.view.kindview import KindView


class TowerView(KindView):
    """Towers, drawn on one and the same plan."""

    def board(self, text: str, like: Any, kit: Kit) -> Mapping[str, object]:
        """Return the levels, the lowest first, each of its cells from the back left to the front right."""
        levels = [list(level) for level in text.split("/")] if text else []
        return {"key": "tower", "columns": kit.columns, "rows": kit.rows, "levels": levels}


VIEW = TowerView()
