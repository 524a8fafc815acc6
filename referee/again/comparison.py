"""Compare rulings of then with today's and say why they differ: the reading, the rules, or both. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.again.past import PastRuling
from referee.match.events import ReadingMade, TurnRuled, Verdict, WhyUnsure
from referee.report.drawing import changed_places
from referee.values.kit import Kit
from referee.values.words import Words, say, say_n


class Cause(StrEnum):
    """Why today's ruling differs from that of then."""

    SAME = "same"
    READING = "reading"
    RULE = "rule"
    BOTH = "both"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """A ruling of then judged again.

    now: today's word, ``None`` where today's eyes read nothing. reading: what they read, ``None`` where there was
    nothing to read: the board was given by hand, or no picture of it is kept. ruled: today's word on the reading of
    then. problem: why nothing was read.
    """

    past: PastRuling
    now: TurnRuled | None
    reading: ReadingMade | None
    ruled: TurnRuled
    problem: str = ""

    @property
    def cause(self) -> Cause:
        """Return whether today's ruling differs, and why."""
        if self.now is None:
            return Cause.UNREAD
        if same_word(self.past.then, self.now):
            return Cause.SAME
        if same_word(self.past.then, self.ruled):
            return Cause.READING
        return Cause.RULE if same_word(self.ruled, self.now) else Cause.BOTH


def same_word(one: TurnRuled, other: TurnRuled) -> bool:
    """Return whether two rulings say the same: verdict, broken rules, and the board a legal turn led to."""
    if one.verdict is not other.verdict or rules_of(one) != rules_of(other):
        return False
    return one.verdict is not Verdict.LEGAL or one.observed == other.observed


def rules_of(ruled: TurnRuled) -> tuple[str, ...]:
    """Return the rules a ruling names, in order."""
    return tuple(sorted({one.rule for one in ruled.ruling.violations})) if ruled.ruling is not None else ()


def places_between(again: JudgedAgain, kit: Kit) -> tuple[tuple[str, str, str], ...]:
    """Return the name of each place that is read otherwise, with the text of then and of today."""
    if again.now is None:
        return ()
    like = again.past.state.position.observed
    return changed_places(again.past.then.observed, again.now.observed, like, kit)


def explained(again: JudgedAgain, kit: Kit) -> Words:
    """Explain a difference in a sentence; say so where there is none, too."""
    places = places_between(again, kit)
    match again.cause:
        case Cause.SAME:
            return say("Ruled the same today.")
        case Cause.READING:
            if not places:
                return say("The same board is likeliest, but today’s eyes are sure of it to another degree.")
            return say_n(
                "The rules say the same as then; today’s eyes read {n} field otherwise.",
                "The rules say the same as then; today’s eyes read {n} fields otherwise.",
                len(places),
            )
        case Cause.RULE:
            changed = say("What was read then is ruled otherwise today: the rules engine or the judge has changed.")
            unsure = again.ruled.unsure
            reason = unsure.words if unsure is not None and unsure.why is WhyUnsure.OPEN else None
            return reason or changed
        case Cause.BOTH:
            return say("It is read otherwise today, and what was read then is ruled otherwise too.")
        case Cause.UNREAD:
            return say("Today’s eyes read nothing in these pictures: {problem}", problem=again.problem)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rulings came out how."""

    rulings: int
    same: int
    reading: int
    rule: int
    unread: int

    @property
    def words(self) -> Words:
        """Return the tally in a sentence."""
        return say(
            "Of {rulings} rulings {same} are the same, {reading} are read otherwise, {rule} ruled otherwise, "
            "{unread} not read.",
            rulings=self.rulings,
            same=self.same,
            reading=self.reading,
            rule=self.rule,
            unread=self.unread,
        )


def tally(judged: tuple[JudgedAgain, ...]) -> Tally:
    """Count how rulings came out; what differs for both reasons counts as ruled otherwise."""
    causes = [one.cause for one in judged]
    return Tally(
        len(causes),
        causes.count(Cause.SAME),
        causes.count(Cause.READING),
        causes.count(Cause.RULE) + causes.count(Cause.BOTH),
        causes.count(Cause.UNREAD),
    )
