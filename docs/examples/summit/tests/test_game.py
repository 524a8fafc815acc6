"""The game keeps the contract, rules on the turns of breaches.txt as they say, and speaks three languages."""

from __future__ import annotations

from click.testing import CliRunner

from referee.cli import main


def test_check_game_finds_nothing() -> None:
    """Run what 'referee check-game' does without cameras."""
    told = CliRunner().invoke(main, ["check-game", "summit", "--no-cameras"])
    assert told.exit_code == 0, told.output
