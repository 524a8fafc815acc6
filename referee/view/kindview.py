"""The view's contract with a kind of observation: how the page draws one, and how far it stands from another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from referee.games.contract import Position
from referee.kinds import has_platform, platform
from referee.match.events import AnyGame
from referee.match.live import RestoreTask
from referee.values.board import Field
from referee.values.kit import Kit


class KindView:
    """What a kind's module ``view`` has as ``VIEW``; a kind that holds nothing place by place keeps these answers.

    text: an observation as formats write it, with what can't be told. like, wanted: one of the same game.
    """

    def board(self, text: str, like: Any, kit: Kit) -> Mapping[str, object]:
        """Return what the page's widget needs beside ``kind`` and ``text``, JSON-able (docs/reference/state.md)."""
        return {}

    def stand(self, text: str | None, kit: Kit) -> Mapping[str, object]:
        """Return what stands in one place as the page's widget takes it. text: ``None`` where it can't be told."""
        return {}

    def stands(self, answer: tuple[int, int], kit: Kit) -> str:
        """Return an answer to what stands in one place as formats write it."""
        return ""

    def with_told(self, text: str, known: Mapping[str, str], like: Any) -> str:
        """Return the text with what players told of places that it leaves open. known: place to what stands there."""
        return text

    def with_others(self, text: str, others: Mapping[str, str], like: Any) -> str:
        """Return the text with something else in some places. others: place to what stands there."""
        return text

    def is_far(self, text: str, wanted: Any, wrong: Collection[Field]) -> bool:
        """Return whether so much is wrong or can't be told that naming places helps nobody. text: empty if unseen."""
        return False

    def to_put_back(self, wanted: Any, ruled_on: str, seen: str) -> Sequence[RestoreTask]:
        """Return each place that differed or differs, ticked off where what is seen now is as it was."""
        return ()

    def stones_kept(self, game: AnyGame, position: Position) -> int | None:
        """Return how many stones must be on the board where the kit leaves it open; ``None`` where any number may."""
        return None


def view_kind(kit: Kit) -> KindView:
    """Return what shows observations of a kit's kind; a kind without a module ``view`` shows their text."""
    found: KindView = platform(kit.kind, "view").VIEW if has_platform(kit.kind, "view") else _TEXT
    return found


_TEXT = KindView()
