"""Define what players declare of a turn, for no camera sees it: cards, points, and what is chosen of the supply."""

from __future__ import annotations

from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import KINDS, PHASES, STACK_LIMIT
from referee.games.torres.text.names import CARD, CARD_EXPLAINED
from referee.values.declaring import Answer, Form, FormField
from referee.values.words import player_name, say, verbatim


def form(position: TorresPosition) -> Form | None:
    """Return the questions for the turn about to end; ``None`` in the stages outside turns."""
    if position.stage != "play":
        return None
    rules, stacks = position.rules, position.stacks[position.to_move]
    kinds = [kind for kind in KINDS if not position.played_out(position.to_move, kind)]
    cards = tuple(Answer(kind, CARD[kind], CARD_EXPLAINED[kind]) for kind in kinds)
    fields = [FormField("card", "choice", say("Card played"), cards)]
    if rules.most_bought:
        fields.append(FormField("bought", "count", say("Cards bought"), most=rules.most_bought))
    if rules.spare_ap == "lost":
        fields.append(FormField("points", "count", say("Action points spent on the score track"), most=7))
    if len(set(stacks)) > 1:
        sizes = tuple(Answer(str(size), verbatim(str(size))) for size in sorted(set(stacks), reverse=True))
        fields.append(FormField("stack", "choice", say("Blocks in the supply stack used"), sizes))
    if len(stacks) > 1:
        most = sum(stacks) if rules.stack_limit is None else max(STACK_LIMIT, *stacks)
        fields.append(FormField("leftover", "counts", say("Supply stacks left: the blocks in each"), most=most))
    if rules.phase_start == "chosen" and not rules.master and position.phase < PHASES and _ends_phase(position):
        starts = tuple(Answer(player.word, player_name(player)) for player in position.players)
        fields.append(FormField("start", "choice", say("Who starts the next phase"), starts))
    return Form(tuple(fields))


def _ends_phase(position: TorresPosition) -> bool:
    last = position.following(position.to_move) == position.first
    return last and position.round == position.rules.rounds[position.phase - 1]
