"""Carry out the acts of a turn one by one, up to the roll that ends the lap."""

from __future__ import annotations

from referee.games.terrabilis import ruleset
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.declared.acts import (
    Abandon,
    Choose,
    Count,
    Declared,
    Discard,
    Draw,
    HazardDrawn,
    Install,
    Join,
    PourOrder,
    Quiz,
    Repay,
    TakeLoan,
)
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.lifting import LedgerDifference
from referee.games.terrabilis.replay.paying import pay_by_choice, repay, take_loan
from referee.games.terrabilis.replay.spaces import carry_out_hazard
from referee.games.terrabilis.replay.turn import LedgerTurn


def idle(act: Declared) -> bool:
    """Return whether an act changes nothing by itself: choices and orders are used where they are needed."""
    match act:
        case Choose() | PourOrder():
            return True
        case Join():
            return not act.joins
    return False


def perform(turn: LedgerTurn, act: Declared) -> None:
    """Carry out one act that is no roll. Raises UnliftedError."""
    who = turn.who(act)
    match act:
        case TakeLoan():
            take_loan(turn, who)
        case Repay():
            repay(turn, who)
        case Count():
            count(turn, who, act)
        case Draw():
            _draw(turn, who)
        case Install():
            _install(turn, who, act.card)
        case Discard():
            _discard(turn, who, act.card)
        case _:
            _perform_on_space(turn, who, act)


def _perform_on_space(turn: LedgerTurn, who: Country, act: Declared) -> None:
    match act:
        case HazardDrawn():
            _hazard(turn, who, act.hazard)
        case Join():
            _join(turn, who)
        case Quiz():
            _quiz(turn, who, act)
        case Abandon() if act.cards:
            turn.licence.breaks(ruleset.LAP_ABANDON, "elsewhere", who)
            abandon(turn, who, act.cards)


def count(turn: LedgerTurn, who: Country, act: Count) -> None:
    """Compare what a player counted; afterwards the ledger has the counted value."""
    account, books = turn.books.accounts[who], turn.books
    if account.out:
        return
    for name, seen in act.values:
        expected = account.value(name)
        if seen == expected:
            continue
        if not turn.free:
            rules = books.touched.get((who, name), set())
            exact = {ruleset.ENTRY_EXACT} if rules else set()
            difference = LedgerDifference("count", who, name, (expected,), (seen,), books.of_cards(who, (name,)))
            turn.licence.differs(difference, {ruleset.LEDGER_COUNT} | rules | exact)
        setattr(account, name, seen)


def _draw(turn: LedgerTurn, who: Country) -> None:
    if not _developing(turn, who):
        turn.licence.breaks(ruleset.DEVELOP_ONE, "elsewhere", who)
    elif turn.drawn or turn.used:
        turn.licence.breaks(ruleset.DEVELOP_ONE, "drawn twice", who)
    turn.books.accounts[who].hand += 1
    turn.drawn += who == turn.player


def _use(turn: LedgerTurn, who: Country) -> None:
    """Take a card from the hand, installed or discarded."""
    if not _developing(turn, who):
        turn.licence.breaks(ruleset.DEVELOP_ONE, "elsewhere", who)
    elif turn.used:
        turn.licence.breaks(ruleset.DEVELOP_ONE, "used twice", who)
    elif turn.drawn != 1:
        turn.licence.breaks(ruleset.DEVELOP_ONE, "not drawn", who)
    account = turn.books.accounts[who]
    account.hand = max(0, account.hand - 1)
    turn.used += who == turn.player


def _developing(turn: LedgerTurn, who: Country) -> bool:
    return turn.space == "develop" and who == turn.player


def _install(turn: LedgerTurn, who: Country, ident: str) -> None:
    """Lay out a card: it is paid, brings its energy, takes, pours, and then lies there."""
    card = turn.case.copy.cards[ident]
    _use(turn, who)
    turn.books.card = card_name(turn.case.copy, card.name)
    pay_by_choice(turn, who, ruleset.DEVELOP_PAY, card.value("price"), card.value("energy_cost"))
    if card.kind == "energy":
        turn.books.book(ruleset.DEVELOP_PAY, who, energy=turn.case.copy.amounts.energy_brought)
    green, yellow = card.value("green"), card.value("yellow")
    turn.books.take(ruleset.DEVELOP_IMPACT, who, max(0, green), max(0, yellow))
    turn.pour(ruleset.DEVELOP_IMPACT, who, max(0, -green), max(0, -yellow))
    turn.books.card = None
    turn.books.accounts[who].installed.append(ident)


def _discard(turn: LedgerTurn, who: Country, ident: str) -> None:
    _use(turn, who)
    turn.books.discard.append(ident)


def _hazard(turn: LedgerTurn, who: Country, hazard: str) -> None:
    if turn.space != "hazard" or who != turn.player:
        turn.licence.breaks(ruleset.HAZARD_CARD, "elsewhere", who)
    elif turn.hazards:
        turn.licence.breaks(ruleset.HAZARD_CARD, "twice", who)
    turn.hazards += who == turn.player
    carry_out_hazard(turn, hazard, who)


def _join(turn: LedgerTurn, who: Country) -> None:
    account = turn.books.accounts[who]
    if not turn.joining:
        turn.licence.breaks(ruleset.ALLIANCE_JOIN, "elsewhere", who)
    elif account.member or account.out:
        turn.licence.breaks(ruleset.ALLIANCE_JOIN, "member" if account.member else "out", who)
    amounts = turn.case.copy.amounts
    pay_by_choice(turn, who, ruleset.ALLIANCE_JOIN, amounts.join if who == turn.player else amounts.join_others)
    account.member = True


def _quiz(turn: LedgerTurn, who: Country, act: Quiz) -> None:
    if turn.space != "quiz" or who != turn.player:
        turn.licence.breaks(ruleset.QUIZ_PRIZE, "elsewhere", who)
    elif turn.answers:
        turn.licence.breaks(ruleset.QUIZ_PRIZE, "twice", who)
    turn.answers += who == turn.player
    if not act.right:
        return
    won = turn.case.copy.amounts.prize(act.level, act.prize or "")
    if act.prize == "energy":
        turn.books.book(ruleset.QUIZ_PRIZE, who, energy=won)
    else:
        turn.books.book(ruleset.QUIZ_PRIZE, who, money=won)


def abandon(turn: LedgerTurn, who: Country, cards: tuple[str, ...]) -> None:
    """Throw away installed cards; one the player does not have breaks ``lap.abandon``, and nothing leaves."""
    installed = turn.books.accounts[who].installed
    for card in cards:
        if card not in installed:
            name = card_name(turn.case.copy, turn.case.copy.cards[card].name)
            turn.licence.breaks(ruleset.LAP_ABANDON, "not there", who, card=name)
            continue
        installed.remove(card)
        turn.books.discard.append(card)


def leave_space(turn: LedgerTurn) -> None:
    """Break the rules of the acts that are missing on the space the pawn stands on."""
    if turn.account.out:
        return
    if turn.again:
        turn.licence.breaks(ruleset.ROLL_AGAIN, "missing", turn.player)
    if turn.space == "develop" and not (turn.drawn and turn.used):
        turn.licence.breaks(ruleset.DEVELOP_ONE, "missing", turn.player)
    if turn.space == "hazard" and not turn.hazards:
        turn.licence.breaks(ruleset.HAZARD_CARD, "missing", turn.player)
