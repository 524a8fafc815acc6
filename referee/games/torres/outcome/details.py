"""Hold what a ruling tells beside the contract: cards that explain a turn, and the points of a phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.torres.colours import KnightColour
from referee.games.torres.outcome.scoring import PhaseScore


@dataclass(frozen=True, slots=True)
class TorresDetails:
    """asked: kinds of cards of which each alone would make the turn legal. scores: empty where no phase ended.

    unplayed: whether the turn would be legal without the card that was declared.
    """

    asked: tuple[str, ...] = ()
    scores: Mapping[KnightColour, PhaseScore] = field(default_factory=dict)
    unplayed: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the details as formats.md writes them."""
        asked: dict[str, object] = {"ask": list(self.asked)} if self.asked else {}
        asked |= {"legal_without_card": True} if self.unplayed else {}
        scores = {player.word: score.to_json() for player, score in self.scores.items()}
        return asked | ({"scores": scores} if scores else {})

    @classmethod
    def from_json(cls, answer: Mapping[str, object]) -> TorresDetails | None:
        """Read what ``to_json`` wrote into an answer; ``None`` where it holds nothing of it."""
        asked, scores = answer.get("ask"), answer.get("scores")
        if not isinstance(asked, list):
            asked = []
        if not isinstance(scores, Mapping):
            scores = {}
        by_player = {KnightColour(word): PhaseScore.from_json(score) for word, score in scores.items()}
        unplayed = answer.get("legal_without_card") is True
        return cls(tuple(map(str, asked)), by_player, unplayed) if asked or by_player or unplayed else None
