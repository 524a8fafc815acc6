"""Say what is wrong with a turn: breaches of rules and differences of ledger and table.

The texts in other languages lie in the game's catalogues. In the templates ``who`` is a player's name, and numbers
stand so that nothing has to agree with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.contract import RuleId, Violation
from referee.games.terrabilis import ruleset as r
from referee.games.terrabilis.declared.entered import EnteredAgain
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.replay.lifting import Broken, LedgerDifference
from referee.games.terrabilis.text.citations import source
from referee.games.terrabilis.text.copywords import ACCOUNT_NAMES, VALUE_NAMES
from referee.games.terrabilis.verdict import LedgerVerdict
from referee.values.words import One, Value, Words, say, say_n

MOST_SENTENCES = 12
"""Breaches told of one turn; the rules named are complete all the same."""


def violations(verdict: LedgerVerdict) -> tuple[Violation, ...]:
    """Return what the players are told of an illegal turn: each rule of the preferred set with its breaches."""
    found: list[Violation] = []
    for rule in r.in_order(frozenset().union(*verdict.sets[:1])):
        breaches = list(dict.fromkeys(b for b in verdict.replay.broken if b.rule == rule)) or [Broken(rule)]
        room = max(1, MOST_SENTENCES - len(found))
        found += [Violation(rule, (), _with_source(rule, breach_words(breach))) for breach in breaches[:room]]
    return tuple(found)


def breach_words(breach: Broken) -> Words:
    """Return the sentence for a breach, with what cards have to do with it."""
    if not breach.by_cards:
        return _breach_words(breach)
    return say(
        "{difference} What cards changed of it in this turn, by your copy: {cards}.",
        difference=_breach_words(breach),
        cards=tuple(
            say(
                "{card}: {sign}{n} {what}",
                card=one.card,
                sign="+" if one.change > 0 else "−",
                n=abs(one.change),
                what=ACCOUNT_NAMES[one.account],
            )
            for one in breach.by_cards
        ),
    )


def _breach_words(breach: Broken) -> Words:
    key = (breach.rule, breach.what)
    if plain := _PLAIN.get(key):
        return Words(plain.template, (("who", _who(breach)),))
    sentence = _DIFFERENCES.get(breach.what) or _SENTENCES.get(key)
    if sentence is None:
        return say("The rule {rule} was broken.", rule=breach.rule)
    return sentence(breach)


def question(difference: LedgerDifference) -> Words:
    """Return what the players are asked first where ledger and table differ."""
    return say(
        "{difference} Put it right on the table, or correct what was declared.",
        difference=breach_words(difference.under(r.ENTRY_EXACT)),
    )


def told_again(again: EnteredAgain) -> Words:
    """Return what the players are asked where a value told differs from the one entered in the copy."""
    country = again.section == "countries"
    card = say("Country card of {who}", who=Country.from_word(again.card)) if country else again.card
    what = VALUE_NAMES.get(again.name) or ACCOUNT_NAMES[again.name]
    if isinstance(again.before, int) and isinstance(again.told, int):
        return say(
            "{card}, {what}: your copy has {before}, but {told} was told. Look at the card: which is right?",
            card=card,
            what=what,
            before=again.before,
            told=again.told,
        )
    return say(
        "{card}, {what}: your copy has something else than was told. Look at the card: which is right?",
        card=card,
        what=what,
    )


def _with_source(rule: RuleId, words: Words) -> Words:
    where = source(rule)
    return words if where is None else say("{sentence} ({source})", sentence=words, source=where)


def _who(b: Broken) -> Value:
    return say("somebody") if b.who is None else b.who


def _fact(b: Broken, name: str) -> Value:
    return dict(b.facts)[name]


def _nth(b: Broken, name: str, n: int) -> One:
    values = _fact(b, name)
    assert isinstance(values, tuple)
    return values[n]


def _count(b: Broken) -> Words:
    return say(
        "{who} counted {seen} ({what}), but the ledger has {expected}.",
        who=_who(b),
        seen=_nth(b, "seen", 0),
        expected=_nth(b, "expected", 0),
        what=ACCOUNT_NAMES[str(_fact(b, "name"))],
    )


def _zone(b: Broken) -> Words:
    return say(
        "In the Zone there are {seen_green} green and {seen_yellow} yellow counters, but there should be "
        "{green} green and {yellow} yellow.",
        seen_green=_nth(b, "seen", 0),
        seen_yellow=_nth(b, "seen", 1),
        green=_nth(b, "expected", 0),
        yellow=_nth(b, "expected", 1),
    )


def _pawn(b: Broken) -> Words:
    return say(
        "The pawn of {who} stands on space {seen}, but belongs on space {expected} (Start is 0).",
        who=_who(b),
        seen=_nth(b, "seen", 0),
        expected=_nth(b, "expected", 0),
    )


def _cards(b: Broken) -> Words:
    return say(
        "Cards laid out before {who}: {seen}. By the ledger: {expected}, and which ones counts as well.",
        who=_who(b),
        seen=_nth(b, "seen", 0),
        expected=_nth(b, "expected", 0),
    )


def _dice(b: Broken) -> Words:
    return say(
        "The dice show {a} and {b}, but {c} and {d} were declared.",
        a=_nth(b, "seen", 0),
        b=_nth(b, "seen", 1),
        c=_nth(b, "expected", 0),
        d=_nth(b, "expected", 1),
    )


_DIFFERENCES: Mapping[str, Callable[[Broken], Words]] = {
    "count": _count,
    "zone": _zone,
    "pawn": _pawn,
    "cards": _cards,
    "dice": _dice,
}


def _moved(b: Broken) -> Words:
    return say(
        "{who} rolled {steps} and belongs on space {expected}, but the pawn stands on space {seen} (Start is 0).",
        who=_who(b),
        steps=_fact(b, "steps"),
        expected=_fact(b, "expected"),
        seen=_fact(b, "seen"),
    )


def _short(b: Broken) -> Words:
    money, energy = _fact(b, "money"), _fact(b, "energy")
    if not energy:
        return say("{who} cannot pay: {money} Terras are missing.", who=_who(b), money=money)
    if not money:
        return say("{who} cannot pay: energy units missing: {energy}.", who=_who(b), energy=energy)
    return say(
        "{who} cannot pay: {money} Terras are missing, and energy units: {energy}.",
        who=_who(b),
        money=money,
        energy=energy,
    )


def _order(b: Broken) -> Words:
    return say(
        "{who} declared the order {given}, but poured {needed}: an order names exactly the counters poured.",
        who=_who(b),
        given=_fact(b, "given"),
        needed=_fact(b, "needed"),
    )


def _order_unused(b: Broken) -> Words:
    return say(
        "{who} declared the order {given}, but did not pour both colours afterwards.",
        who=_who(b),
        given=_fact(b, "given"),
    )


def _hand(b: Broken) -> Words:
    count = _fact(b, "n")
    assert isinstance(count, int)
    return say_n(
        "{who} holds {n} infrastructure at the end of the turn: there must be three.",
        "{who} holds {n} infrastructures at the end of the turn: there must be three.",
        count,
        who=_who(b),
    )


def _not_there(b: Broken) -> Words:
    return say("{who} threw away {card}, but has no such card installed.", who=_who(b), card=_fact(b, "card"))


def _turn_order(b: Broken) -> Words:
    return say(
        "{who} rolled the dice, but it was the turn of {expected}.", who=_who(b), expected=_fact(b, "expected")
    )


_SENTENCES: Mapping[tuple[RuleId, str], Callable[[Broken], Words]] = {
    (r.ZONE_ORDER, "order"): _order,
    (r.ZONE_ORDER, "unused"): _order_unused,
    (r.HAND_THREE, ""): _hand,
    (r.ROLL_MOVE, "moved"): _moved,
    (r.PAY_COVER, ""): _short,
    (r.LAP_ABANDON, "not there"): _not_there,
    (r.TURN_ORDER, ""): _turn_order,
}

_PLAIN: Mapping[tuple[RuleId, str], Words] = {
    (r.ENTRY_EXACT, "choice unused"): say("{who} declared a choice, but nothing asked for one.", who=""),
    (r.LAP_ABANDON, "elsewhere"): say(
        "{who} threw away installed infrastructures, but that is allowed at the end of a lap only.", who=""
    ),
    (r.DEVELOP_ONE, "elsewhere"): say(
        "{who} drew, installed or threw away an infrastructure without landing on a development space.", who=""
    ),
    (r.DEVELOP_ONE, "drawn twice"): say("{who} drew an infrastructure too many: exactly one is drawn.", who=""),
    (r.DEVELOP_ONE, "used twice"): say(
        "{who} installed or threw away an infrastructure too many: it is exactly one.", who=""
    ),
    (r.DEVELOP_ONE, "not drawn"): say(
        "{who} installed or threw away an infrastructure, but exactly one must be drawn before.", who=""
    ),
    (r.DEVELOP_ONE, "missing"): say(
        "{who} landed on a development space: one infrastructure is drawn, then one installed or thrown away.", who=""
    ),
    (r.HAZARD_CARD, "elsewhere"): say("{who} drew a hazard without landing on a hazard space.", who=""),
    (r.HAZARD_CARD, "twice"): say("{who} drew a hazard too many: exactly one is drawn.", who=""),
    (r.HAZARD_CARD, "missing"): say("{who} landed on a hazard space: a hazard is drawn and carried out.", who=""),
    (r.QUIZ_PRIZE, "elsewhere"): say("{who} answered a quiz question without landing on a quiz space.", who=""),
    (r.QUIZ_PRIZE, "twice"): say("{who} answered more than once: there is one question.", who=""),
    (r.CRISIS_PAY, "choice missing"): say("{who} must pay the crisis: energy or money is to be chosen.", who=""),
    (r.CRISIS_PAY, "choice impossible"): say("{who} must pay the crisis in energy or money, nothing else.", who=""),
    (r.CRISIS_PAY, "choice unused"): say("{who} made a choice too many at the crisis.", who=""),
    (r.CATASTROPHE_ALL, "choice missing"): say(
        "{who} must pour a counter at the catastrophe: green or yellow is to be chosen.", who=""
    ),
    (r.CATASTROPHE_ALL, "choice impossible"): say(
        "{who} must pour a green or a yellow counter at the catastrophe, nothing else.", who=""
    ),
    (r.CATASTROPHE_ALL, "choice unused"): say("{who} made a choice too many at the catastrophe.", who=""),
    (r.CONFLICT_WAR, "choice missing"): say(
        "{who} must pour a counter at the conflict: green or yellow is to be chosen.", who=""
    ),
    (r.CONFLICT_WAR, "choice impossible"): say(
        "{who} must pour a green or a yellow counter at the conflict, nothing else.", who=""
    ),
    (r.CONFLICT_WAR, "choice unused"): say("{who} made a choice too many at the conflict.", who=""),
    (r.ALLIANCE_JOIN, "elsewhere"): say(
        "{who} joined the Alliance, but that is open only when a non-member lands on an Alliance space.", who=""
    ),
    (r.ALLIANCE_JOIN, "member"): say("{who} joined the Alliance a second time: one card each.", who=""),
    (r.ALLIANCE_JOIN, "out"): say("{who} joined the Alliance, but is out of the game.", who=""),
    (r.ROLL_AGAIN, "missing"): say("{who} must roll the dice again at once on this space.", who=""),
    (r.ROLL_AGAIN, "too many"): say("{who} rolled the dice again, but this space does not ask for it.", who=""),
    (r.LAP_STOP, "passed"): say("{who} passed Start: the pawn stops there and the lap ends.", who=""),
    (r.LAP_STOP, "act"): say(
        "{who} declared something that cannot be done at the end of a lap: the pawn stops on Start.", who=""
    ),
    (r.LOAN_REPAY, "none"): say("{who} repaid a loan, but has no open loan.", who=""),
    (r.LOAN_TAKE, "two"): say("{who} took a loan too many: two are allowed in a game.", who=""),
    (r.LOAN_TAKE, "open"): say("{who} took a loan, but the first one must be repaid before.", who=""),
    (r.LOAN_TAKE, "out"): say("{who} took a loan, but is out of the game.", who=""),
}
