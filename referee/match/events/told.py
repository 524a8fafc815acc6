"""Parts of a ruling besides its verdict, as the journal keeps them: questions, assumptions, late discoveries."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.answers import OtherSetup
from referee.games.contract import AnyGame, RuleId
from referee.match.decision import Ask, Assumption, Candidate, LateDiscovery, ShowFrom
from referee.match.events.base import Data, JsonObject, fields, names
from referee.match.hypotheses import Suspicion
from referee.values.board import Field
from referee.values.words import Words


def ask_json(ask: Ask) -> JsonObject:
    """Return a question as the journal keeps it."""
    return {"field": ask.field.name, "why": ask.why.to_json(), "answers": [list(one) for one in ask.answers]}


def ask_of(data: Data) -> Ask:
    """Return the question that ``ask_json`` wrote."""
    answers = tuple(_stand(one) for one in data["answers"])
    return Ask(Field.from_name(data["field"]), Words.from_json(data["why"]), answers)


def candidates_json(candidates: Sequence[Candidate]) -> list[dict[str, list[int]]]:
    """Return the boards offered as the journal keeps them: each the fields in which it differs."""
    return [{place.name: list(stand) for place, stand in one} for one in candidates]


def candidates_of(data: Sequence[Data]) -> tuple[Candidate, ...]:
    """Return the boards that ``candidates_json`` wrote."""
    return tuple(tuple((Field.from_name(name), _stand(stand)) for name, stand in one.items()) for one in data)


def _stand(data: Sequence[int]) -> tuple[int, int]:
    level, piece = data
    return int(level), int(piece)


def show_json(show: ShowFrom) -> JsonObject:
    """Return the side to show next as the journal keeps it."""
    return {
        "azimuth_deg": show.azimuth_deg,
        "elevation_deg": show.elevation_deg,
        "fields": names(show.fields),
        "words": show.words.to_json(),
        **show.near_json(),
    }


def show_of(data: Data) -> ShowFrom:
    """Return the side that ``show_json`` wrote."""
    words = Words.from_json(data["words"])
    side = int(data["azimuth_deg"]), int(data["elevation_deg"])
    near = (Field.from_name(data["towards"]), int(data["distance_mm"])) if "towards" in data else (None, None)
    return ShowFrom(*side, fields(data["fields"]), words, *near)


def other_json(other: OtherSetup) -> JsonObject:
    """Return another set-up that is seen, as the journal keeps it."""
    return {"position": other.position.to_json(), "words": other.words.to_json()}


def other_of(data: Data, game: AnyGame) -> OtherSetup:
    """Return the set-up that ``other_json`` wrote."""
    return OtherSetup(game.position(data["position"]), Words.from_json(data["words"]))


def assumed_json(assumed: Sequence[Assumption]) -> list[JsonObject]:
    """Return the assumptions of a legal ruling as the journal keeps them."""
    return [{"field": one.field.name, "words": one.words.to_json()} for one in assumed]


def assumed_of(data: Sequence[Data]) -> tuple[Assumption, ...]:
    """Return the assumptions that ``assumed_json`` wrote."""
    return tuple(Assumption(Field.from_name(one["field"]), Words.from_json(one["words"])) for one in data)


def late_json(late: LateDiscovery) -> JsonObject:
    """Return a late discovery as the journal keeps it."""
    told: JsonObject = {"turn": late.turn, "player": late.player.word, "rules": sorted(late.rules)}
    return told | {"words": late.words.to_json()}


def late_of(data: Data, game: AnyGame) -> LateDiscovery:
    """Return the late discovery that ``late_json`` wrote."""
    rules = frozenset(RuleId(rule) for rule in data["rules"])
    return LateDiscovery(data["turn"], game.player(data["player"]), rules, Words.from_json(data["words"]))


def suspicions_json(suspicions: Sequence[Suspicion]) -> list[list[object]]:
    """Return suspicions as the journal keeps them: the positions after earlier turns that may have broken a rule."""
    return [[one.position.to_json(), one.score, late_json(one.late)] for one in suspicions]


def suspicions_of(data: Sequence[Sequence[Data]], game: AnyGame) -> tuple[Suspicion, ...]:
    """Return the suspicions that ``suspicions_json`` wrote."""
    return tuple(
        Suspicion(game.position(position), float(str(score)), late_of(late, game)) for position, score, late in data
    )
