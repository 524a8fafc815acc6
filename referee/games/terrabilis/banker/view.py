"""Show a turn under way on the banker's page, as JSON-able values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.games.contract import RuleId
from referee.games.terrabilis.banker.asking import Audience, View
from referee.games.terrabilis.banker.buttons import UNITS, buttons, groups
from referee.games.terrabilis.banker.reminders import reminders, standing
from referee.games.terrabilis.banker.underway import UnderWay, under_way
from referee.games.terrabilis.copy.names import card_name
from referee.games.terrabilis.declared.acts import TurnCase
from referee.games.terrabilis.declared.reading import act_json
from referee.games.terrabilis.declared.seen import gauge_view
from referee.games.terrabilis.players import Country
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.replay.turn import LedgerTurn
from referee.games.terrabilis.ruleset import ACCOUNTS, COUNTERS
from referee.games.terrabilis.text.actwords import RULES, SPACES, act_words
from referee.games.terrabilis.text.messages import breach_words
from referee.games.terrabilis.text.notation import act_text
from referee.values.words import Words, say, say_n


def ledger_view(case: TurnCase, audience: Audience, dice: tuple[int, int] | None = None) -> View:
    """Return everything the page needs to be the banker: accounts, Zone, what may be done now, what is missing.

    ``accounts`` are those after the acts declared so far, ``before`` those before the turn. dice: as cameras see them
    thrown just now.
    """
    state, position = under_way(case), case.position
    turn = state.turn
    blocked = state.stuck or state.missing
    options = buttons(case, state, audience, dice)
    awaited = list(dict.fromkeys(who for who, _ in turn.awaited))
    return {
        "lap": position.lap,
        "facts": [audience.told(words) for words in _facts(case, turn)],
        "target": position.target,
        "player": turn.player.word,
        "space": None if turn.space is None else {"id": turn.space, "name": audience.told(SPACES[turn.space])},
        "dice": None if turn.dice is None else list(turn.dice),
        "lap_ended": turn.ended,
        "ready": state.ready,
        "blocked": audience.told(breach_words(blocked)) if blocked else "",
        "stuck": state.stuck is not None,
        "awaited": [who.word for who in awaited],
        "gauge": gauge_view(*state.zone, audience.language),
        "lost": {"green": turn.books.zone.lost_green, "yellow": turn.books.zone.lost_yellow},
        "accounts": [_account(case, turn, who, audience) for who in position.players],
        "acts": [
            {
                "act": act_json(act),
                "words": audience.told(_whose(case, act_words(act, case.copy), act.by)),
                "text": act_text(act),
            }
            for act in case.acts
        ],
        "booked": bookings_view({"entries": [entry.to_json() for entry in turn.books.entries]}, audience),
        "entries": [entry_view(entry.to_json(), audience) for entry in turn.books.entries],
        "options": options,
        "groups": groups(options, audience),
        "reminders": [
            audience.told(words)
            for words in (*_awaited(awaited), *_due(case, turn), *reminders(after(case, turn), case.copy))
        ],
        "winner": turn.winner.word if turn.winner else None,
        "lost_together": turn.group_lost,
        "title": state.title,
    }


def lacking_words(state: UnderWay) -> tuple[Words, ...]:
    """Say what a turn under way lacks before it may end, as the page says it."""
    if state.ready or state.stuck is not None:
        return ()
    awaited = _awaited(list(dict.fromkeys(who for who, _ in state.turn.awaited)))
    return (*awaited, *([breach_words(state.missing)] if state.missing is not None else []))


def _facts(case: TurnCase, turn: LedgerTurn) -> list[Words]:
    """Say where the turn stands, in few words: lap, dice, space."""
    found = [say("Lap {n}", n=str(case.position.lap))]
    if turn.ended:
        found.append(say("The lap ends"))
    elif turn.space is not None:
        found.append(SPACES[turn.space])
    return found


def _awaited(players: Sequence[Country]) -> list[Words]:
    return [say("Still to choose: {who}.", who=tuple(players))] if players else []


def _due(case: TurnCase, turn: LedgerTurn) -> list[Words]:
    """Say who is out with the end of this turn unless a loan is repaid now."""
    if not turn.ended:
        return []
    return [
        say("{who} is out unless {amount} Terras are repaid now.", who=who, amount=case.copy.amounts.loan_repay)
        for who in case.position.remaining
        if any(loan.lap < case.position.lap for loan in turn.books.accounts[who].line.open_loans)
    ]


def after(case: TurnCase, turn: LedgerTurn) -> TerrabilisPosition:
    """Return the position as the acts so far have made it, but for whose turn it is."""
    lines = {who: account.line for who, account in turn.books.accounts.items()}
    return replace(case.position, ledger=lines, zone=(turn.books.zone.green, turn.books.zone.yellow))


def _whose(case: TurnCase, words: Words, by: Country | None) -> Words:
    return words if by in (None, case.position.to_move) else say("{who}: {act}", who=by, act=words)


def accounts_view(position: TerrabilisPosition, audience: Audience) -> list[View]:
    """Return the accounts between two turns, as those of a turn under way."""
    return [_line(position, who, {}, audience) for who in position.players]


def _account(case: TurnCase, turn: LedgerTurn, who: Country, audience: Audience) -> View:
    """Return a player's line as it stands now.

    history: the money booked in this turn; before: the accounts before it.
    """
    line, before = turn.books.accounts[who].line, case.position.ledger[who]
    position = replace(case.position, ledger={**case.position.ledger, who: line})
    booked = [entry for entry in turn.books.entries if entry.who == who and entry.money]
    changes = {name: getattr(line, name) - getattr(before, name) for name in ACCOUNTS}
    return {
        **_line(position, who, changes, audience),
        "history": [{"words": audience.told(RULES[entry.rule]), "amount": entry.money} for entry in booked],
        "before": {name: getattr(before, name) for name in ACCOUNTS},
    }


def _line(position: TerrabilisPosition, who: Country, changes: Mapping[str, int], audience: Audience) -> View:
    line, state = position.ledger[who], standing(position, who)
    parts = [
        {
            "id": name,
            "name": audience.told(UNITS[name]),
            "value": getattr(line, name),
            "change": changes.get(name, 0),
            "paint": name if name in COUNTERS else None,
        }
        for name in ACCOUNTS
    ]
    cards = [audience.told(card_name(position.data, position.data.cards[card].name)) for card in line.installed]
    return {
        "player": who.word,
        "name": audience.name(who),
        "active": who == position.to_move and not position.finished,
        "amount": line.money,
        "parts": parts,
        "badges": [audience.told(words) for words in _badges(position, who)],
        "line": line.to_json(),
        "cards": cards,
        "cards_words": audience.told(say_n("{n} card laid out", "{n} cards laid out", len(cards))),
        "missing": [audience.told(words) for words in state.missing],
        "goal": "" if line.out or not state.missing else audience.told(say("Missing: {parts}", parts=state.missing)),
        "loans_left": state.loans_left,
        "history": [],
    }


def _badges(position: TerrabilisPosition, who: Country) -> list[Words]:
    line, state = position.ledger[who], standing(position, who)
    found = [say("out")] if line.out else []
    if line.member:
        found.append(say("Alliance"))
    if line.open_loans:
        found.append(say_n("{n} open loan", "{n} open loans", len(line.open_loans)))
    return [*found, say("{n} of {of} cards", n=str(state.cards), of=str(state.target))]


def entry_view(entry: Mapping[str, object], audience: Audience) -> View:
    """Return one change of an account, as formats write it, with what it is for and its amounts in words."""
    rule = RuleId(str(entry.get("rule", "")))
    words = audience.told(RULES[rule]) if rule in RULES else ""
    return {**entry, "for": words}


def bookings_view(turn: Mapping[str, object], audience: Audience) -> list[View]:
    """Return the changes of accounts that a ruled turn brought. turn: as formats write the answer's ``turn``."""
    entries = turn.get("entries")
    found: list[View] = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping) and entry.get("who"):
            changes = [
                {"id": name, "name": audience.told(UNITS[name]), "change": entry[name]}
                for name in ACCOUNTS
                if entry.get(name)
            ]
            found.append({"player": entry["who"], "words": entry_view(entry, audience)["for"], "changes": changes})
    return found
