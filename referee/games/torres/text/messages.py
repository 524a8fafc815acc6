"""Say what is wrong with a turn or a stage of the set-up, each with the paragraph of the rule sheet it rests on.

In the templates ``at`` is a list of fields and follows a preposition, ``who`` is a player's name, ``source`` the
sheet and its paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.games.contract import RuleId
from referee.games.torres import ruleset
from referee.games.torres.colours import KnightColour
from referee.games.torres.geometry import FIELDS
from referee.games.torres.position.position import Hand
from referee.games.torres.text.names import CARD
from referee.games.torres.text.paragraphs import source
from referee.values.words import Value, Words, say, say_n


@dataclass(frozen=True, slots=True)
class TorresBreach:
    """A broken rule as its sentence needs it.

    player: whose turn it is judged to be. to_move: whose turn it was. fields: where the rule was broken. card: the
    kind that was declared. facts: ``built`` blocks and the ``limit`` of the supply stack, ``cost`` of the turn with
    all that was bought and spent, and the AP it ``has``, cards ``bought`` and ``held``.
    """

    rule: RuleId
    rules: ruleset.TorresRules
    player: KnightColour
    to_move: KnightColour
    fields: tuple[int, ...]
    card: str | None
    facts: Mapping[str, int]

    @property
    def usual(self) -> dict[str, Value]:
        """Return what most sentences name: who, where, and the source."""
        at: Value = tuple(FIELDS[i] for i in self.fields) or say("the board")
        return {"who": self.player, "at": at, "source": source(self.rule)}

    @property
    def brief(self) -> dict[str, Value]:
        """Return what sentences name that speak of no fields."""
        return {"who": self.player, "source": source(self.rule)}


def violation_words(breach: TorresBreach) -> Words:
    """Return the sentence for a broken rule: what was done, what is allowed, what to put right."""
    return _SENTENCES[breach.rule](breach)


def _build_supply(b: TorresBreach) -> Words:
    return say_n(
        "{who} built {n} block ({at}), but the supply stack of this turn has {limit}: take back what is too much "
        "and let the referee look again ({source}).",
        "{who} built {n} blocks ({at}), but the supply stack of this turn has {limit}: take back what is too much "
        "and let the referee look again ({source}).",
        b.facts["built"],
        limit=b.facts["limit"],
        **b.usual,
    )


def _card_held(b: TorresBreach) -> Words:
    if b.card is None:
        return say("{who} played a card, but holds none that can be played: take it back ({source}).", **b.brief)
    card = CARD[b.card]
    if b.facts["held"] + b.facts["bought"] == 0:
        return say("{who} played “{card}”, but holds no card: take it back ({source}).", card=card, **b.brief)
    return say(
        "{who} played “{card}”, but no card of this kind is left: take it back ({source}).", card=card, **b.brief
    )


def _card_buy(b: TorresBreach) -> Words:
    if b.rules.master:
        return say(
            "{who} bought a card, but in the master game all cards are held from the start and none is bought "
            "({source}).",
            **b.brief,
        )
    return say(
        "{who} bought {bought} cards, but at most {most} are bought in a turn: give back the others ({source}).",
        bought=b.facts["bought"],
        most=b.rules.most_bought,
        **b.brief,
    )


def _setup_castles(b: TorresBreach) -> Words:
    if not b.fields:
        return say("No block was laid: {who} lays one on the ground ({source}).", **b.brief)
    return say(
        "{who} lays one block on the ground, at least {steps} steps from every other, and nothing else: look at {at} "
        "({source}).",
        steps=ruleset.START_DISTANCE,
        **b.usual,
    )


def _setup_knight(b: TorresBreach) -> Words:
    if not b.fields:
        return say("No knight was put: {who} puts one on a free castle ({source}).", **b.brief)
    return say("{who} puts one own knight on a free castle, and nothing else: look at {at} ({source}).", **b.usual)


def _setup_king(b: TorresBreach) -> Words:
    if not b.fields:
        return say("The king was not put: {who} puts him on a free castle ({source}).", **b.brief)
    return say("{who} puts the king on a free castle, and nothing else: look at {at} ({source}).", **b.usual)


def _ap_budget(b: TorresBreach) -> Words:
    if b.facts["cost"] <= b.facts["has"]:
        return say(
            "What changed at {at} is more than {who} can do with {has} action points ({source}).",
            has=b.facts["has"],
            **b.usual,
        )
    return say(
        "{who}’s turn costs {cost} action points ({at}), but has {has}: take back what is too much and let the "
        "referee look again ({source}).",
        cost=b.facts["cost"],
        has=b.facts["has"],
        **b.usual,
    )


def _knight_door(b: TorresBreach) -> Words:
    if b.rules.doors == "any":
        return say(
            "A knight of {who}’s came out of a castle at {at}, but doors lead to the same level or down, never up "
            "({source}).",
            **b.usual,
        )
    if b.rules.doors == "path":
        return say(
            "A knight of {who}’s came out of a castle at {at}, but inside it the way never rises ({source}).",
            **b.usual,
        )
    return say(
        "A knight of {who}’s came out of a castle at {at}, but inside it the way never rises and no stack with a "
        "piece on it is passed ({source}).",
        **b.usual,
    )


_SENTENCES: Mapping[RuleId, Callable[[TorresBreach], Words]] = {
    ruleset.CARD_DECLARED: lambda b: say(
        "Only a card explains what {who} did at {at}, and it was not declared: say which card was played, or take "
        "the turn back ({source}).",
        **b.usual,
    ),
    ruleset.BUILD_SUPPLY: _build_supply,
    ruleset.CARD_HELD: _card_held,
    ruleset.CARD_FRESH: lambda b: say(
        "{who} played a card bought in the same turn: it can be played from the next turn on ({source}).", **b.brief
    ),
    ruleset.CARD_BUY: _card_buy,
    ruleset.CARD_ONE: lambda b: say(
        "{who} played two cards, but a turn plays one: take back what the other card did at {at} ({source}).",
        **b.usual,
    ),
    ruleset.BUILD_HEIGHT: lambda b: say(
        "{who} built too high at {at}: no stack is higher than its castle has fields ({source}).", **b.usual
    ),
    ruleset.BUILD_NEW: lambda b: say(
        "{who} began a new castle at {at}: a block on the ground goes next to a castle ({source}).", **b.usual
    ),
    ruleset.BUILD_JOIN: lambda b: say(
        "{who} joined two castles with a block at {at}: castles are never joined ({source}).", **b.usual
    ),
    ruleset.BUILD_OCCUPIED: lambda b: say(
        "{who} built on {at}, where a piece stands: blocks are laid on free fields only ({source}).", **b.usual
    ),
    ruleset.KNIGHT_CLIMB: lambda b: say(
        "A knight of {who}’s climbed too high at {at}: one level at most in a step ({source}).", **b.usual
    ),
    ruleset.KNIGHT_DOOR: _knight_door,
    ruleset.KNIGHT_BLOCKED: lambda b: say(
        "A knight of {who}’s passed over a piece at {at}: knights and the king are not passed over ({source}).",
        **b.usual,
    ),
    ruleset.AP_BUDGET: _ap_budget,
    ruleset.KNIGHT_STEP: lambda b: say(
        "A knight of {who}’s went farther than a step at {at}: a step goes to a field next to it ({source}).",
        **b.usual,
    ),
    ruleset.KNIGHT_PLACE: lambda b: say(
        "{who} placed a knight on {at}: a new knight goes onto a free field next to an own knight, not higher than "
        "that one ({source}).",
        **b.usual,
    ),
    ruleset.KNIGHT_SUPPLY: lambda b: say(
        "{who}’s knights on the board are not as many as they can be, one is missing or there are more than {most}: "
        "look at {at} ({source}).",
        most=ruleset.KNIGHTS_EACH,
        **b.usual,
    ),
    ruleset.CARD_RULE["door"]: lambda b: say(
        "The card “{card}” does not take {who}’s knight to {at}: it comes out at a door of the castle it entered "
        "({source}).",
        card=CARD["door"],
        **b.usual,
    ),
    ruleset.CARD_RULE["shift"]: lambda b: say(
        "The card “{card}” does not allow {who} what was done at {at}: both fields are free, no castle is cut, "
        "joined or made too high, and at least six castles stand ({source}).",
        card=CARD["shift"],
        **b.usual,
    ),
    ruleset.CARD_RULE["diagonal"]: lambda b: say(
        "The card “{card}” does not take {who}’s knight to {at}: it goes to a free field that touches its own with "
        "a corner, one level up at most ({source}).",
        card=CARD["diagonal"],
        **b.usual,
    ),
    ruleset.CARD_RULE["extra"]: lambda b: say(
        "The card “{card}” does not allow {who} the block at {at}: it comes from the reserve, and is laid like any "
        "other ({source}).",
        card=CARD["extra"],
        **b.usual,
    ),
    ruleset.CARD_RULE["under"]: lambda b: say(
        "The card “{card}” does not allow {who} the block at {at}: it goes under an own knight, and the castle "
        "stays as high as its fields allow ({source}).",
        card=CARD["under"],
        **b.usual,
    ),
    ruleset.CARD_RULE["leap"]: lambda b: say(
        "The card “{card}” does not take {who}’s knight to {at}: it goes onto a free field next to its own, exactly "
        "two levels up ({source}).",
        card=CARD["leap"],
        **b.usual,
    ),
    ruleset.CARD_RULE["relocate"]: lambda b: say(
        "The card “{card}” does not take {who}’s knight to {at}: it is placed next to another own knight, not "
        "higher than that one ({source}).",
        card=CARD["relocate"],
        **b.usual,
    ),
    ruleset.CARD_RULE["jump"]: lambda b: say(
        "The card “{card}” does not take {who}’s knight to {at}: it jumps straight over a knight next to it, one "
        "level up at most ({source}).",
        card=CARD["jump"],
        **b.usual,
    ),
    ruleset.KING_STILL: lambda b: say(
        "The king was moved at {at}: he moves only after a scoring, so put him back ({source}).",
        at=b.usual["at"],
        source=b.usual["source"],
    ),
    ruleset.BLOCKS_FIXED: lambda b: say(
        "Blocks were taken away at {at}: a block that is laid stays where it is, so put them back ({source}).",
        at=b.usual["at"],
        source=b.usual["source"],
    ),
    ruleset.TURN_ORDER: lambda b: say(
        "It was {to_move}’s turn, but {who} acted at {at} ({source}).", to_move=b.to_move, **b.usual
    ),
    ruleset.KNIGHT_OWN: lambda b: say(
        "A knight that is not {who}’s was moved, put or taken away at {at}: a turn moves one’s own knights only "
        "({source}).",
        **b.usual,
    ),
    ruleset.SETUP_CASTLES: _setup_castles,
    ruleset.SETUP_KNIGHT: _setup_knight,
    ruleset.SETUP_KING: _setup_king,
    ruleset.KING_MOVE: lambda b: say(
        "{who} may put the king on a free stack of any castle, or leave him, and nothing else: look at {at} "
        "({source}).",
        **b.usual,
    ),
}

FINISHED = say("The game is over: there is no turn to judge.")
SCORE = say("Score")
KNIGHTS_IN_HAND = say("Knights in hand")
CARDS_HELD = say("Cards in hand")


def seat_words(stacks: tuple[int, ...], hand: Hand) -> Words:
    """Return in few words what a player has: supply stacks, and cards played so far."""
    blocks: Value = stacks or say("none")
    if not hand.played:
        return say("Supply stacks: {blocks}", blocks=blocks)
    return say("Supply stacks: {blocks}. Played: {cards}", blocks=blocks, cards=tuple(CARD[k] for k in hand.played))
