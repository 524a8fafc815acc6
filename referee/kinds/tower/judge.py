"""Rules on a tower from what pictures told and from the rules.

Pictures never show a whole tower at once. The engine tries every tower that agrees with what was told, so the rules
may settle what pictures leave open; but nobody is accused where a hidden side could refute it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from referee.games.contract import Act, AnyGame, Position, RequestError, RuleId, Ruling, TurnsOn
from referee.kinds.tower.observation import TowerEvidence, cells_told, has_fallen
from referee.values.words import Words, say

OPEN = ("unseen", "changes", "observed")
"""Refusals that say no more than that the pictures leave too much open."""


OLDER = say("what stands there may be older than this turn")
"""Why nobody is accused of a bar that may have been laid a turn before."""


@dataclass(frozen=True, slots=True)
class TowerWord:
    """The decision on a tower.

    doubts: cells of which more must be known. show: whether a side that was not shown must be. words: why it is
    unsure. refused: what was declared keeps from a ruling. unchanged: nothing has changed as far as is known, so the
    turn may not be over. swept: it fell over.
    """

    kind: Literal["legal", "illegal", "unsure"]
    ruling: Ruling | None
    doubts: tuple[str, ...] = ()
    words: Words | None = None
    show: bool = False
    refused: bool = False
    unchanged: bool = False
    swept: bool = False


def rule_on(
    game: AnyGame, position: Position, told: TowerEvidence, declared: Mapping[str, object] | None = None
) -> TowerWord:
    """Rule on what was told: illegal only where what is surest of it is illegal too, by the rules common to both.

    Raises RequestError for an invalid reading of this game's towers, or a declaration that does not fit.
    """
    said = declared or {}
    try:
        ruling = game.check(position, game.observation(told.plain), (), said)
        again = ruling if ruling.legal else game.check(position, game.observation(told.surest), (), said)
    except RequestError as refused:
        if refused.code not in OPEN:
            raise
        return TowerWord("unsure", None, untold(told.surest), refused.words)
    if ruling.legal:
        return TowerWord("legal", ruling)
    common = frozenset[RuleId]() if again.legal else _surely_broken(ruling) & _surely_broken(again)
    if not common:
        doubts = _doubts(told) or tuple(place.name for v in ruling.violations for place in v.fields)
        words = say("the pictures allow several towers that differ in the ruling")
        return TowerWord("unsure", None, doubts, words)
    return TowerWord("illegal", ruling.naming(common))


@dataclass(frozen=True, slots=True)
class TowerCase:
    """The case of a turn on a tower, besides the pictures.

    declared: what players said of it. confirmed: they say that it is over although nothing changed. before: what
    pictures told when the turn before was ruled on, ``None`` where no pictures decided on it.
    """

    declared: Mapping[str, object]
    confirmed: bool = False
    before: TowerEvidence | None = None


def rule_turned(game: AnyGame, position: Position, told: TowerEvidence, case: TowerCase) -> TowerWord:
    """Rule on a tower that players turn before the cameras, from what was shown of it so far.

    A legal turn stands as soon as it is seen, unless more may have been done where nobody saw it. Whatever else is
    only said once all four sides were shown, and never of bars that may have stood there before the turn. Of a tower
    that fell over nobody is accused.
    """
    word = _turned(game, position, told, case)
    if word.kind != "legal" and has_fallen(position.observed.text, told.plain):
        return TowerWord("unsure", None, swept=True)
    return word


def _turned(game: AnyGame, position: Position, told: TowerEvidence, case: TowerCase) -> TowerWord:
    if case.declared:
        return _declared(game, position, told, case.declared)
    word = rule_on(game, position, told)
    if not _changed(position, told):
        return _unchanged(word, told, case.confirmed)
    if word.kind == "legal" and word.ruling is not None:
        more = isinstance(game, TurnsOn) and game.turns_on(position, word.ruling)
        return TowerWord("unsure", None, show=True) if told.hidden and (more or _room(position, told)) else word
    if told.hidden:
        return TowerWord("unsure", None, word.doubts, word.words, show=True)
    if word.kind == "illegal" and word.ruling is not None:
        older = _maybe_older(word.ruling, case.before)
        if older:
            return TowerWord("unsure", None, older, OLDER)
    return word


def _declared(game: AnyGame, position: Position, told: TowerEvidence, declared: Mapping[str, object]) -> TowerWord:
    try:
        return rule_on(game, position, told, declared)
    except RequestError as refused:
        return TowerWord("unsure", None, untold(told.surest), refused.words, bool(told.hidden), refused=True)


def _unchanged(word: TowerWord, told: TowerEvidence, confirmed: bool) -> TowerWord:
    """Return a ruling that finds nothing changed, unless players confirm the turn and no side is hidden.

    Either the button was pressed too early, or a bar was laid on a side not shown yet.
    """
    if confirmed and not told.hidden:
        return word
    return TowerWord("unsure", None, show=bool(told.hidden), unchanged=not confirmed)


def _changed(position: Position, told: TowerEvidence) -> bool:
    """Return whether a cell that was told has another colour than before."""
    before, now = cells_told(position.observed.text), cells_told(told.plain)
    return any(
        now.get(cell, ".") != "?" and _colour(now.get(cell)) != _colour(before.get(cell)) for cell in {*before, *now}
    )


def _room(position: Position, told: TowerEvidence) -> bool:
    """Return whether a bar may have been laid in a cell that was empty before and is not seen now."""
    before = cells_told(position.observed.text)
    return any(sign == "?" and cell not in before for cell, sign in cells_told(told.surest).items())


def _colour(sign: str | None) -> bool | None:
    return None if sign is None else sign.isupper()


def _maybe_older(ruling: Ruling, before: TowerEvidence | None) -> tuple[str, ...]:
    """Return the cells of the turn's bars of which none was surely told, empty or not, when the turn began.

    Without laid bars these are the cells that the violations name.
    """
    if before is None or not before.hidden:
        return ()
    open_then = {cell for cell, sign in cells_told(before.surest).items() if sign == "?"}
    parts: Sequence[Sequence[Any]] = [act.fields for act in ruling.acts if _lays(act)] or [
        violation.fields for violation in ruling.violations
    ]
    older = [place.name for fields in parts if all(place.name in open_then for place in fields) for place in fields]
    return tuple(dict.fromkeys(older))


def _lays(act: Act) -> bool:
    return act.kind == "build"


def untold(text: str) -> tuple[str, ...]:
    """Return the names of the cells that are not told."""
    return tuple(cell for cell, sign in cells_told(text).items() if sign in "?xX")


def _doubts(told: TowerEvidence) -> tuple[str, ...]:
    """Return the names of the cells that are told only when less certainty is asked for."""
    plain = cells_told(told.plain)
    return tuple(cell for cell, sign in cells_told(told.surest).items() if sign == "?" and plain.get(cell) != "?")


def _surely_broken(ruling: Ruling) -> frozenset[RuleId]:
    """Return the rules that every tower breaks that agrees with what was told."""
    return frozenset(violation.rule for violation in ruling.violations) - ruling.doubtful
