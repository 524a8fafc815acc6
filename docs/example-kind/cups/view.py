"""What the page shows: a sign a cup, by its place."""

from __future__ import annotations

from collections.abc import Mapping

from cups.observation import Row, place
from referee.values.kit import Kit
from referee.view.kindview import KindView


class RowView(KindView):
    """A row of cups."""

    def board(self, text: str, like: Row, kit: Kit) -> Mapping[str, object]:
        """Return the cups from left to right."""
        return {"cups": [{"name": place(number), "stands": sign} for number, sign in enumerate(text)]}


VIEW = RowView()
