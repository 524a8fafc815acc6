"""A ruling in the journal: the answer of ``referee check``, its sentences as words for any language."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.contract import Act, AnyGame, HasDetails, Offer, RuleId, Ruling
from referee.match.events.base import Data, JsonObject, fields, names, number_of, text_of, violation_json, violations
from referee.values.words import Words, WordsError


def ruling_json(ruling: Ruling) -> JsonObject:
    """Return a ruling as the journal keeps it: its answer, and its acts to draw."""
    told = {"violations": [violation_json(violation) for violation in ruling.violations]}
    for key, asked in (("questions", ruling.questions), ("lacking", ruling.lacking)):
        if asked:
            told[key] = [words.to_json() for words in asked]
    acts = [
        {"kind": act.kind, "fields": names(act.fields), "captures": names(act.captures), "text": act.text}
        for act in ruling.acts
    ]
    return {"answer": ruling.to_json() | told, "acts": acts}


def ruling_of(answer: Data, acts: Sequence[Data], game: AnyGame) -> Ruling:
    """Read what ``ruling_json`` wrote."""
    return Ruling(
        legal=bool(answer["legal"]),
        violations=violations(answer["violations"]),
        alternatives=tuple(tuple(RuleId(rule) for rule in rules) for rules in answer["alternatives"]),
        acts=tuple(
            Act(text_of(act["kind"]), fields(act["fields"]), fields(act["captures"]), text_of(act["text"]))
            for act in acts
        ),
        turn=answer["turn"],
        next=None if answer["next"] is None else game.position(answer["next"]),
        winners=tuple(game.player(word) for word in answer["winners"]),
        finished=bool(answer["finished"]),
        complete=bool(answer.get("complete", True)),
        questions=_words(answer.get("questions")),
        offers=tuple(Offer(number_of(offer["act"]), offer["instead"]) for offer in answer.get("offers", ())),
        lacking=_words(answer.get("lacking")),
        details=game.details(answer) if isinstance(game, HasDetails) else None,
    )


def _words(told: object) -> tuple[Words, ...]:
    """Read what was asked; nothing where an earlier version told it otherwise."""
    try:
        return tuple(Words.from_json(words) for words in (told if isinstance(told, list) else ()))
    except WordsError:
        return ()
