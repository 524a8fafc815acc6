"""Rule on a turn as the referee asks for it: from what was declared and what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.games.contract import Act, Offer, RequestError, Ruling
from referee.games.jsonvalues import an_object
from referee.games.terrabilis.banker.options import kind_of
from referee.games.terrabilis.declared.acts import Declared, Roll, TurnCase
from referee.games.terrabilis.declared.entered import VERB, Entered, entered_again, parse_entered, with_entered
from referee.games.terrabilis.declared.reading import act_json, parse_acts
from referee.games.terrabilis.declared.seen import LedgerSeen
from referee.games.terrabilis.declared.told import with_told
from referee.games.terrabilis.position.by_hand import with_seen
from referee.games.terrabilis.position.ledger import TerrabilisPosition
from referee.games.terrabilis.replay.whole import position_after, title_of
from referee.games.terrabilis.ruleset import in_order
from referee.games.terrabilis.text.messages import question, told_again, violations
from referee.games.terrabilis.text.notation import SEPARATOR, ActsTextError, act_text, parse_turn
from referee.games.terrabilis.verdict import LedgerVerdict, judge


@dataclass(frozen=True, slots=True)
class LedgerDetails:
    """What a ruling tells beside the contract: the winner's title, ``None`` for a win without one."""

    title: str | None

    def to_json(self) -> dict[str, object]:
        """Return the details as formats.md writes them."""
        return {"title": self.title}


ACTS = "acts"
"""Key of what is declared: the acts, in turn notation or as formats write them."""
TOLD = "value"
"""Kind of the act that tells a value of the copy."""
SEEN = "seen"
"""Key of what is declared: what players say lies on the table."""


def case_of(position: TerrabilisPosition, observed: LedgerSeen, declared: Mapping[str, object]) -> TurnCase:
    """Return the turn to judge. Without a word of the players the dice seen are the roll. Raises RequestError."""
    if position.finished:
        raise RequestError("finished", "position: the game is over, start a new one")
    given = an_object(declared, "declared", (ACTS, SEEN))
    entered, said = _entered_apart(given.get(ACTS, ""))
    before = position.data
    if entered:
        position = replace(position, data=with_entered(position.data, entered))
    observed = with_told(observed, given.get(SEEN, ""))
    acts = _acts(said, position)
    if not acts and observed.dice is not None:
        acts = (Roll(observed.dice),)
    spaces = len(position.data.track)
    for player, place in observed.pawns.items():
        if player not in position.players or place >= spaces:
            raise RequestError("observed", f"observed: no pawn of {player.word} can stand on space {place}")
    strangers = [player.word for player in observed.installed if player not in position.players]
    if strangers:
        raise RequestError("observed", f"observed: {strangers[0]} does not play")
    against = entered_again(before, position.data, entered)
    return TurnCase(position, position.data, acts, observed, entered, against)


def _entered_apart(said: object) -> tuple[tuple[Entered, ...], object]:
    """Return the values of the copy told in this turn, and the acts without them."""
    if not isinstance(said, str):
        return (), said
    parts = [part.strip() for part in said.split(SEPARATOR)]
    entered = [part for part in parts if part.split(" ")[0] == VERB]
    return tuple(map(parse_entered, entered)), SEPARATOR.join(part for part in parts if part not in entered)


def _acts(said: object, position: TerrabilisPosition) -> tuple[Declared, ...]:
    if not isinstance(said, str):
        return parse_acts(said, position.players, position.data)
    try:
        return parse_turn(said, position.players, position.data)
    except ActsTextError as error:
        raise RequestError("declared", f"declared: {error}") from error


def ruling(case: TurnCase, verdict: LedgerVerdict, *, insisted: bool = False) -> Ruling:
    """Return the ruling on a judged turn.

    Where one changed declaration would make everything agree, it is offered: the answer is neither legal nor illegal,
    and the differences are questions. So it is where a value told differs from the one entered in the copy,
    unless the players insist that it is as they told.
    """
    turn = verdict.replay.turn
    again = () if insisted else case.against
    legal = bool(verdict.legal) and not again
    after = position_after(turn) if legal else None
    won = turn.winner is not None and after is not None
    return Ruling(
        legal=legal,
        violations=violations(verdict),
        alternatives=tuple(in_order(lifted) for lifted in verdict.sets[1:]),
        acts=page_acts(case),
        turn={
            "player": turn.player.word,
            "acts": [act_json(act) for act in case.acts],
            "entries": [entry.to_json() for entry in turn.books.entries],
        },
        next=after,
        winners=after.winners if after else (),
        finished=bool(after and after.finished),
        complete=verdict.complete,
        questions=(*map(told_again, again), *map(question, verdict.differing)),
        offers=tuple(Offer(offer.act, act_json(offer.instead)) for offer in verdict.offers),
        details=LedgerDetails(title_of(turn)) if won else None,
    )


def page_acts(case: TurnCase) -> tuple[Act, ...]:
    """Return the acts as the page tells them and a record writes them, in order; values told come first."""
    told = [*((TOLD, one.text) for one in case.entered), *((kind_of(act), act_text(act)) for act in case.acts)]
    last = len(told) - 1
    return tuple(
        Act(kind, (), text=text + (SEPARATOR if number < last else "")) for number, (kind, text) in enumerate(told)
    )


def accepted(
    position: TerrabilisPosition, observed: LedgerSeen, declared: Mapping[str, object]
) -> TerrabilisPosition:
    """Return the position after a turn that all players let stand: as declared as far as that can be, then as seen.

    Raises RequestError for what no position can have.
    """
    if not declared:
        moved = replace(position, turn=position.turn + 1)
        players = position.clockwise(position.to_move)
        following = next((player for player in players[1:] if not position.ledger[player].out), position.to_move)
        return with_seen(replace(moved, to_move=following), observed)
    case = case_of(position, observed, declared)
    turn = judge(case).replay.turn
    lines = {who: account.line for who, account in turn.books.accounts.items()}
    amounts = {
        who: replace(line, money=max(0, line.money), energy=max(0, line.energy)) for who, line in lines.items()
    }
    after = position_after(turn)
    return with_seen(replace(after, ledger=amounts), observed)
