"""Games of other people stand beside those that come with the referee, and change nothing of what it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import games
from tests.games import faulty


def test_the_game_taken_where_none_is_named_comes_with_the_referee(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = games.names()[0]
    with faulty.installed(tmp_path / "site", monkeypatch, name="abalone"):
        assert (games.names()[0], games.names()[-1]) == (usual, "abalone")
