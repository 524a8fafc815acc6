"""Explain the options of the rule set, for the page of a new game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.terrabilis.ruleset import OPTIONS
from referee.values.choices import Choice, Option
from referee.values.words import Words, say

_QUESTIONS: Mapping[str, Words] = {
    "cannot_pay": say("What if a duty cannot be paid?"),
    "loan_open": say("How many loans may be open at a time?"),
    "loan_due": say("May the incomes of a lap repay a loan?"),
    "out_when": say("When is somebody out?"),
    "title_loss": say("Which counters count as lost for the title?"),
}
_VALUES: Mapping[tuple[str, str], tuple[Words, Words]] = {
    ("cannot_pay", "rest"): (
        say("Pay what there is"),
        say("The bank lends what is still allowed; then all there is is paid, and play goes on."),
    ),
    ("cannot_pay", "out"): (say("Out"), say("All there is is paid, and the player is out.")),
    ("loan_open", "two"): (say("Two"), say("A second loan may be taken before the first is repaid.")),
    ("loan_open", "one"): (
        say("One"),
        say("A second loan waits until the first is repaid, as the country card has two sides."),
    ),
    ("loan_due", "after-income"): (
        say("Yes"),
        say("Loans are repaid after incomes and births, before they fall due."),
    ),
    ("loan_due", "before-income"): (say("No"), say("Loans are repaid before the incomes.")),
    ("out_when", "turn"): (
        say("At the end of the turn"),
        say("Whoever has used up a colour is out when the turn or the lap ends."),
    ),
    ("out_when", "instant"): (say("At once"), say("Whoever has used up a colour is out right after the act.")),
    ("title_loss", "net"): (
        say("What is missing at the end"),
        say("Each colour is compared with the start; more of one does not make good the other."),
    ),
    ("title_loss", "poured"): (
        say("What was poured"),
        say("All counters ever poured count, less those taken from the Zone."),
    ),
}


def options() -> tuple[Option, ...]:
    """Return the questions with their answers, the default first."""
    return tuple(
        Option(name, _QUESTIONS[name], tuple(Choice(value, *_VALUES[name, value]) for value in values))
        for name, values in OPTIONS.items()
    )
