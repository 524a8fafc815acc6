"""Say what the page tells besides rulings: what to do now, which card is asked for, and how points came about."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.answers import AccountLine, AccountShare, Question, Reply, TurnAccount
from referee.games.contract import Ruling
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import FIELDS
from referee.games.torres.outcome.details import TorresDetails
from referee.games.torres.outcome.scoring import PhaseScore
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import START_DISTANCE
from referee.games.torres.text.names import CARD, CARD_EXPLAINED, MASTER_CARD
from referee.values.declaring import Declared
from referee.values.words import Words, say


def final_points(position: TorresPosition) -> Words:
    """Return every player's points, the highest first."""
    ranked = sorted(position.score.items(), key=lambda item: -item[1])
    return say("Points: {points}.", points=tuple(say("{who} {n}", who=who, n=points) for who, points in ranked))


def prompt(position: TorresPosition) -> Words | None:
    """Say what the player to move is to do; in a plain turn, how far the game is."""
    who = position.to_move
    match position.stage:
        case "castles":
            return say(
                "{who} lays one block on the ground, at least {steps} steps from every other, then ends the turn.",
                who=who,
                steps=START_DISTANCE,
            )
        case "knights":
            return say("{who} puts one knight on a free castle, then ends the turn.", who=who)
        case "king" if not position.board.king:
            return say("{who} puts the king on a free castle, then ends the turn.", who=who)
        case "king":
            return say(
                "{who} is last and may put the king on a free block of any castle, or leave him, then ends the turn. "
                "After that {first} starts phase {phase}.",
                who=who,
                first=position.first,
                phase=position.phase,
            )
        case "play":
            rounds = position.rules.rounds[position.phase - 1]
            return say(
                "Phase {phase}, round {round} of {rounds}.", phase=position.phase, round=position.round, rounds=rounds
            )
    return None


def question(ruling: Ruling, declared: Declared) -> Question | None:
    """Ask which card was played, if any, before anybody is accused; ``None`` where no answer explains the turn."""
    details = ruling.details
    if not isinstance(details, TorresDetails):
        return None
    at = tuple(dict.fromkeys(place for violation in ruling.violations for place in violation.fields))
    said = declared.get("card")
    if details.unplayed and isinstance(said, str) and said in CARD:
        card = CARD[said]
        return Question(
            say("Was no card played after all?"),
            say("“{card}” was declared, but without it the turn is as the rules have it.", card=card),
            (Reply("none", _NO_CARD, {key: value for key, value in declared.items() if key != "card"}),),
            say("“{card}” was played", card=card),
            at,
        )
    kinds = [kind for kind in details.asked if kind in CARD]
    if not kinds:
        return None
    words = say("Was “{card}” played?", card=CARD[kinds[0]]) if len(kinds) == 1 else say("Was a card played?")
    return Question(
        words,
        say("Only a card explains what was done at {at}, and it was not declared.", at=at),
        tuple(Reply(kind, CARD[kind], {**declared, "card": kind}, CARD_EXPLAINED[kind]) for kind in kinds),
        _NO_CARD,
        at,
    )


_NO_CARD = say("No card was played")


def account(position: TorresPosition, ruling: Ruling) -> TurnAccount | None:
    """Return the points of a phase, castle by castle, from the ruling on its last turn."""
    details, after = ruling.details, ruling.next
    if not isinstance(details, TorresDetails) or not details.scores or not isinstance(after, TorresPosition):
        return None
    ranking = after.ranked()
    spent = _spent(ruling)
    shares = tuple(
        AccountShare(
            player,
            tuple(_lines(position, player, details.scores[player], after.score[player], spent)),
            (position.score[player], after.score[player]),
            1 + sum(after.score[other] > after.score[player] for other in position.players),
        )
        for player in ranking
    )
    title = say("Scores of phase {phase}", phase=position.phase)
    return TurnAccount(title, shares, () if after.finished else (_starts(after),))


def _spent(ruling: Ruling) -> int:
    """Return the action points spent on the score track in the turn that ended the phase."""
    return sum(int(act.text[1:]) for act in ruling.acts if act.text.startswith("#"))


def _lines(
    position: TorresPosition, player: KnightColour, share: PhaseScore, score: int, spent: int
) -> Iterator[AccountLine]:
    for castle in share.castles:
        words = say("Castle of {area} fields, highest knight on level {level}", area=castle.area, level=castle.level)
        yield AccountLine(words, castle.points, tuple(FIELDS[i] for i in castle.fields))
    if share.king:
        yield AccountLine(say("A knight on level {level} in the king’s castle", level=position.phase), share.king)
    if share.master and position.master:
        yield AccountLine(say("Master card “{card}”", card=MASTER_CARD[position.master][0]), share.master)
    steps = spent if player is position.to_move else 0
    if steps:
        yield AccountLine(say("Action points on the score track"), steps)
    passed = score - position.score[player] - share.total - steps
    if passed > 0:
        yield AccountLine(say("Over occupied fields of the score track"), passed)


def _starts(after: TorresPosition) -> Words:
    """Say who starts the next phase, and why."""
    who, phase = after.first, after.phase
    if after.rules.master or after.rules.phase_start == "leader":
        return say("{who} is ahead and starts phase {phase}.", who=who, phase=phase)
    if after.rules.phase_start == "chosen":
        return say("{who} starts phase {phase}: the last player chooses.", who=who, phase=phase)
    return say("{who} starts phase {phase}, as the first.", who=who, phase=phase)
