"""Define rule ids with their order of preference, the options of the rule set, and the counters and colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.games.contract import RuleId

LEDGER_COUNT = RuleId("ledger.count")
ZONE_SEEN = RuleId("zone.seen")
PAWN_SEEN = RuleId("pawn.seen")
CARDS_SEEN = RuleId("cards.seen")
ZONE_ORDER = RuleId("zone.order")
HAND_THREE = RuleId("hand.three")
ENTRY_EXACT = RuleId("entry.exact")
ZONE_TAKE = RuleId("zone.take")
ZONE_POUR = RuleId("zone.pour")
ZONE_OVERFLOW = RuleId("zone.overflow")
LAP_BIRTHS = RuleId("lap.births")
LAP_INCOME = RuleId("lap.income")
LAP_ABANDON = RuleId("lap.abandon")
LAP_PAWNS = RuleId("lap.pawns")
DEVELOP_IMPACT = RuleId("develop.impact")
DEVELOP_PAY = RuleId("develop.pay")
DEVELOP_ONE = RuleId("develop.one")
HAZARD_CARD = RuleId("hazard.card")
QUIZ_PRIZE = RuleId("quiz.prize")
CRISIS_PAY = RuleId("crisis.pay")
CO2_TAX = RuleId("co2.tax")
CATASTROPHE_ALL = RuleId("catastrophe.all")
CONFLICT_WAR = RuleId("conflict.war")
ALLIANCE_JOIN = RuleId("alliance.join")
ROLL_AGAIN = RuleId("roll.again")
ROLL_MOVE = RuleId("roll.move")
LAP_STOP = RuleId("lap.stop")
LOAN_REPAY = RuleId("loan.repay")
LOAN_TAKE = RuleId("loan.take")
PAY_COVER = RuleId("pay.cover")
TURN_ORDER = RuleId("turn.order")
SETUP_COUNTRY = RuleId("setup.country")
SETUP_HAND = RuleId("setup.hand")

PREFERENCE = (
    LEDGER_COUNT,
    ZONE_SEEN,
    PAWN_SEEN,
    CARDS_SEEN,
    ZONE_ORDER,
    HAND_THREE,
    ENTRY_EXACT,
    ZONE_TAKE,
    ZONE_POUR,
    ZONE_OVERFLOW,
    LAP_BIRTHS,
    LAP_INCOME,
    LAP_ABANDON,
    LAP_PAWNS,
    DEVELOP_IMPACT,
    DEVELOP_PAY,
    DEVELOP_ONE,
    HAZARD_CARD,
    QUIZ_PRIZE,
    CRISIS_PAY,
    CO2_TAX,
    CATASTROPHE_ALL,
    CONFLICT_WAR,
    ALLIANCE_JOIN,
    ROLL_AGAIN,
    ROLL_MOVE,
    LAP_STOP,
    LOAN_REPAY,
    LOAN_TAKE,
    PAY_COVER,
    TURN_ORDER,
)
"""The rules of a turn, the mildest first."""
RANK = {rule: rank for rank, rule in enumerate(PREFERENCE)}

Lifted = frozenset[RuleId]
"""A set of rules taken as lifted."""

GAME_NAME = "terrabilis"
EDITIONS = ("fr",)

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "cannot_pay": ("rest", "out"),
    "loan_open": ("two", "one"),
    "loan_due": ("after-income", "before-income"),
    "out_when": ("turn", "instant"),
    "title_loss": ("net", "poured"),
}
"""The options and their values, the default first."""

ZONE_PLACES = 10
MOST_LOANS = 2
HAND = 3
TARGET = 12
GREEN = "green"
YELLOW = "yellow"
COUNTERS = (GREEN, YELLOW)
ACCOUNTS = ("money", "energy", GREEN, YELLOW)
"""What a player can count."""


def in_order(lifted: Lifted) -> tuple[RuleId, ...]:
    """Return the rules of a set in the order of preference."""
    return tuple(sorted(lifted, key=RANK.__getitem__))


def preference(lifted: Lifted) -> tuple[int, ...]:
    """Return the key by which sets of equal size are preferred."""
    return tuple(RANK[rule] for rule in in_order(lifted))


@dataclass(frozen=True, slots=True)
class Readings:
    """The options of one table, each with a value.

    cannot_pay_out: who cannot pay a duty is out (else pays what there is, with loans). one_open_loan: a second loan
    waits until the first is repaid. loans_before_income: repayments at a lap's end are booked before the incomes.
    out_at_once: eliminations follow the act that causes them (else the turn's end). title_by_poured: titles count
    what was poured less what was taken (else what is missing from the start's counters).
    """

    cannot_pay_out: bool = False
    one_open_loan: bool = False
    loans_before_income: bool = False
    out_at_once: bool = False
    title_by_poured: bool = False

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Readings:
        """Return the readings that options ask for; what they leave out has its default."""
        chosen = {name: options.get(name, values[0]) for name, values in OPTIONS.items()}
        return cls(
            cannot_pay_out=chosen["cannot_pay"] == "out",
            one_open_loan=chosen["loan_open"] == "one",
            loans_before_income=chosen["loan_due"] == "before-income",
            out_at_once=chosen["out_when"] == "instant",
            title_by_poured=chosen["title_loss"] == "poured",
        )
