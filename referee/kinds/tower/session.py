"""Referees a tower on a board that players turn: every still picture since the turn ended adds to what is known.

Pictures from before that are looked at, and never ruled on: a bar may have been laid since on a side they don't show.
The referee asks to see the sides that no picture has shown. A camera in a hand goes around the tower instead: its
pictures come together, those of the look so far among them (``walking.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.games.contract import Progress, RequestError
from referee.games.guarding import shown
from referee.kinds.tower.judge import OLDER, TowerCase, TowerWord, rule_turned
from referee.kinds.tower.observation import (
    SIDES,
    TowerEvidence,
    agreed,
    as_before,
    cells_told,
    has_fallen,
    outer,
    squares_told,
    tone,
)
from referee.kinds.tower.seen import TowerEyes, TowerSeen, seen_in, views_of
from referee.kinds.tower.walking import (
    MOST_DOUBTS,
    MOST_OF_A_SIDE,
    by_hand,
    one_by_one,
    show_side,
    uncovered,
    without,
)
from referee.match.events import (
    AnyGame,
    ReadingMade,
    SetupChecked,
    TurnRuled,
    Unsure,
    WhyUnsure,
)
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import TableState
from referee.session.adapter import Compared, LookSeen, ObservationAdapter, Sightings, Ways, camera_notes
from referee.session.capture import Pictures
from referee.values.board import Field
from referee.values.words import Words, say
from vision.tower.reader import TowerLook
from vision.tower.text import told_of

MOST_VIEWS = 8
"""Pictures of one tower that are read together; the oldest go first."""
MOST_REFUTED = 2
"""A view that the others refute is left out; the second one in a row is believed against them."""
_ENDED = frozenset({Phase.READING, Phase.RULING, Phase.UNSURE, Phase.BLIND})
"""Phases in which the turn is over and the tower stands as it will be ruled on."""
_TURNS: Mapping[int, Words] = {
    1: say("Turn the tower a quarter to the left, as the camera sees it."),
    2: say("Turn the tower halfway round."),
    3: say("Turn the tower a quarter to the right, as the camera sees it."),
}
WHEN_LAID = say(
    "Was it laid in this turn? Then declare the turn’s bars. Did it stand there before? Then correct the position."
)
"""How players go on where a bar may have been laid a turn before, whatever else is shown."""


@dataclass(frozen=True, slots=True)
class TowerSightings(Sightings):
    """What looks showed of a tower.

    views: of the tower as it stands since the turn ended, each with the side it shows. refuted: so many views in a
    row were refuted by the others. facing: the side shown last.
    """

    views: tuple[tuple[str, Pictures], ...] = ()
    refuted: int = 0
    facing: str = ""


class TowerAdapter(ObservationAdapter):
    """Rules on one game on a tower."""

    def __init__(self, game: AnyGame, eyes: TowerEyes) -> None:
        super().__init__(game)
        self._eyes = eyes

    def ways(self, state: TableState) -> Ways:
        """Gather the sides of a tower that players turn."""
        return Ways(gathers=True, believes=True)

    def read(self, state: TableState, sightings: TowerSightings, views: Sequence[Pictures]) -> LookSeen:
        """Read the views of a look together with those since the turn ended; before that alone.

        What only a picture tells that no bar explains, as a hand does, is left open until another picture tells it;
        a tower that must have fallen over is told at once, since nobody is accused of that.
        """
        if not views:
            return LookSeen(_NOTHING, sightings, lost=True)
        ended = state.phase in _ENDED
        known = state.position.observed.text
        walked, views = by_hand(views), one_by_one(views)
        earlier = without(sightings.views, views) if ended else ()
        look = self._eyes.read([*(one for _, one in earlier), *views], known)
        if walked and (few := _few_covered(look)):
            earlier, views = uncovered(earlier, views, few)
            look = self._eyes.read([*(one for _, one in earlier), *views], known)
        if not walked and len(earlier) in views_of(look, look.reading.spoilt if look.reading is not None else ()):
            sightings = replace(sightings, refuted=sightings.refuted + 1)
            if sightings.refuted >= MOST_REFUTED:  # the other views are wrong, not this one
                earlier, look = (), self._eyes.read(views, known)
        seen = seen_in(look, state.turn.end.known, len(views) if walked else 1)
        strange = look.reading is not None and look.reading.strange and not has_fallen(known, seen.told.plain)
        if seen.clear and ended and not earlier and len(views) == 1 and strange:
            seen = replace(seen, told=as_before(seen.told, known))
        if seen.clear and ended:
            seen = replace(seen, told=self._without_each(state, [*(one for _, one in earlier), *views], seen))
        if seen.clear:
            sightings = replace(sightings, facing=look.facing, refuted=0)
            if ended and not walked:
                sightings = replace(sightings, views=_kept(look, earlier, views))
        return LookSeen(_reading(seen), sightings, seen.cameras, seen.lost, found=seen)

    def _without_each(self, state: TableState, views: Sequence[Pictures], seen: TowerSeen) -> TowerEvidence:
        """Return what is still told whichever picture is left out, so that no single picture accuses anybody.

        Nothing is left out any more once nobody is accused.
        """
        told = seen.told
        if len(views) < 2 or seen.look.reading is None or self._rule(state, told).kind != "illegal":
            return told
        for rest in self._eyes.without_each(views, state.position.observed.text):
            fewer = agreed(told, told_of(rest.belief, rest.sides))
            if fewer != told and self._rule(state, fewer).kind != "illegal":
                return fewer
            told = fewer
        return told

    def _rule(self, state: TableState, told: TowerEvidence) -> TowerWord:
        case = TowerCase(state.turn.declared, state.turn.end.confirmed, _told_before(state))
        try:
            return rule_turned(self._game, state.position, told, case)
        except RequestError:
            return TowerWord("unsure", None)

    def compare(self, state: TableState, sightings: TowerSightings, seen: LookSeen, asking: bool = True) -> Compared:
        """Compare what surely stands with the position agreed on, or what changed with the tower before the turn.

        What the turn, or undone turns, changed may be seen to be back. More is told where another side was shown, or
        the pictures now tell something else.
        """
        told: TowerEvidence = seen.found.told
        differs = bool(told.surest) and _more(state, told) != 0
        sightings = replace(sightings, text=told.plain, differs=differs)
        if state.phase is Phase.SET_UP:
            checked = self._set_up(state, told)
            return Compared(replace(sightings, checked=checked), not checked.differences)
        if state.phase is Phase.PLAYING:
            return Compared(replace(sightings, progress=self._progress(state, told) if differs else ()))
        more = told.text != (None if state.reading is None else state.reading.belief)
        back = not (state.phase is Phase.RESTORING and differs) and _is_back(state, told)
        return Compared(sightings, back, more)

    def _set_up(self, state: TableState, told: TowerEvidence) -> SetupChecked:
        stands, seen = cells_told(state.position.observed.text), cells_told(told.surest)
        wrong = [cell for cell, sign in seen.items() if sign != "?" and tone(sign) != tone(stands.get(cell, "."))]
        if not wrong and (seen or not stands):
            return SetupChecked(())
        observed = self._game.observation(squares_told(told.surest))
        return SetupChecked(tuple(self._game.setup_differences(state.position, observed)))

    def _progress(self, state: TableState, told: TowerEvidence) -> tuple[Progress, ...]:
        try:
            return tuple(shown(self._game).progress(state.position, [self._game.observation(told.plain)]))
        except RequestError:
            return ()

    def moved_on(self, state: TableState, sightings: TowerSightings) -> TowerSightings:
        """Drop all pictures when another turn begins, or when a turn turns out not to be over."""
        moment = _moment(state)
        return sightings if moment == sightings.of else TowerSightings(moment, facing=sightings.facing)

    def remember(self, state: TableState, kept: Callable[[ReadingMade], Pictures]) -> TowerSightings:
        """Keep the pictures of the looks at the turn under way, to be read with the next ones."""
        last = state.last_counting
        this_turn = (entry.reading for entry in state.history[0 if last is None else last.id :])  # all were unsure
        looks = (kept(reading) for reading in this_turn if reading is not None and reading.belief)
        turned = [pictures for pictures in looks if pictures and not by_hand([pictures])]
        return TowerSightings(_moment(state), views=tuple(("", pictures) for pictures in turned)[-MOST_VIEWS:])

    def _ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
        """Return the ruling on what was told."""
        told = TowerEvidence.parse(reading.belief)
        word = self._rule(state, told)
        if word.ruling is not None:
            after = word.ruling.next
            return TurnRuled.by_rules(told.plain if after is None else after.observed.text, word.ruling)
        show = None if word.swept else show_side(told, reading.cameras)
        if word.unchanged:
            return TurnRuled(state.position.observed.text, Unsure(WhyUnsure.UNCHANGED), show=show)
        doubts = tuple(Field.from_name(name) for name in word.doubts[:MOST_DOUBTS])
        why = WhyUnsure.REFUSED if word.refused else WhyUnsure.SWEPT if word.swept else WhyUnsure.OPEN
        return TurnRuled(told.plain, Unsure(why, word.words, doubts), show=show)

    def _swept(self, state: TableState, text: str) -> bool:
        """Return whether the tower fell over."""
        return has_fallen(state.position.observed.text, text)

    def live(self, state: TableState, sightings: TowerSightings) -> Live:
        """Return the tower as seen last, how far the turn is, and which side to show the cameras next."""
        seen = sightings.text
        if state.phase is Phase.SET_UP:
            return Live(setup=sightings.checked.differences if sightings.checked else None, seen=seen)
        if state.phase is Phase.PLAYING:
            return Live(progress=sightings.progress, seen=seen)
        if state.phase is Phase.UNSURE and state.reading is not None and state.reading.belief:
            told = TowerEvidence.parse(state.reading.belief)
            walk = show_side(told, state.reading.cameras)
            older = state.unsure is not None and state.unsure.words == OLDER
            return Live(
                seen=seen,
                show=_to_show(told, sightings) if walk is None else walk.words,
                tell=WHEN_LAID if older else None,
            )
        return Live(seen=seen)


def _reading(seen: TowerSeen) -> ReadingMade:
    """Return the event of a look; a ruling needs its two texts and the sides that were shown."""
    confidence = seen.look.reading.confidence if seen.look.reading is not None else {}
    chances = [round(float(chance), 3) for chance in confidence.values()]
    levels = tuple(tuple(chances[at : at + 9]) for at in range(0, len(chances), 9))
    return ReadingMade(
        text=seen.told.plain,
        confidence=levels,
        clear=seen.clear,
        cameras=camera_notes(seen.cameras, seen.look.places_mm),
        duration_ms=round(seen.look.duration_ms, 1),
        belief=seen.told.text if seen.clear else "",
    )


_NOTHING = ReadingMade("", clear=False)
"""A look in which nothing is told."""


def _more(state: TableState, told: TowerEvidence) -> int:
    """Return how many cells more are told than before the turn; negative where cells are told to be empty now."""
    before, now = cells_told(state.position.observed.text), cells_told(told.surest)
    return len([cell for cell, sign in now.items() if cell not in before and sign != "?"]) or -len(
        [cell for cell in before if cell not in now]
    )


def _is_back(state: TableState, told: TowerEvidence) -> bool:
    """Return whether all that was changed is seen to be as before; cells count only from a side that was shown."""
    before, after = cells_told(state.position.observed.text), cells_told(state.stood)
    now = cells_told(told.plain)
    changed = [cell for cell in {*before, *after} if tone(before.get(cell, ".")) != tone(after.get(cell, "."))]
    return bool(changed) and all(
        any(outer(cell, side) for side in told.sides) and tone(now.get(cell, ".")) == tone(before.get(cell, "."))
        for cell in changed
    )


def _to_show(told: TowerEvidence, sightings: TowerSightings) -> Words | None:
    """Return how to turn the tower so that the cameras see a side not seen yet, or one that is doubtful."""
    facing = sightings.facing
    if not facing:
        return None
    ways = {(SIDES.index(side) - SIDES.index(facing)) % 4 for side in told.hidden or _doubtful(told, sightings)}
    return next((words for way, words in _TURNS.items() if way in ways), None)


def _doubtful(told: TowerEvidence, sightings: TowerSightings) -> tuple[str, ...]:
    """Return the sides with outer cells that are not surely told, of which another picture may tell more."""
    cells = [cell for cell, sign in cells_told(told.surest).items() if sign == "?"]
    taken = [side for side, _ in sightings.views]
    return tuple(
        side for side in SIDES if taken.count(side) < MOST_OF_A_SIDE and any(outer(cell, side) for cell in cells)
    )


def _few_covered(look: TowerLook) -> set[int]:
    """Return the views over which something lies where those are few and the newest is none of them."""
    covered = set() if look.reading is None else views_of(look, look.reading.covered)
    count = len(look.cameras)
    return covered if 2 * len(covered) < count and count - 1 not in covered else set()


def _kept(
    look: TowerLook, earlier: Sequence[tuple[str, Pictures]], views: Sequence[Pictures]
) -> tuple[tuple[str, Pictures], ...]:
    """Return the views that are read again with the next one, without refuted ones and with few of each side."""
    assert look.reading is not None
    refuted = views_of(look, look.reading.spoilt)
    kept: list[tuple[str, Pictures]] = [(look.facing, views[-1])]
    older = [*earlier, *(("", one) for one in views[:-1])]
    for number, (side, one) in reversed(list(enumerate(older))):
        if number not in refuted and sum(other == side for other, _ in kept) < MOST_OF_A_SIDE:
            kept.append((side, one))
    return tuple(reversed(kept[:MOST_VIEWS]))


def _moment(state: TableState) -> tuple[object, ...]:
    """Return the values whose change means that earlier pictures show another tower."""
    phase = Phase.READING if state.phase in _ENDED else state.phase
    return phase, state.position.turn, sum(entry.counts for entry in state.history), state.position.observed.text


def _told_before(state: TableState) -> TowerEvidence | None:
    """Return what pictures told when the turn before was ruled on, ``None`` where no pictures decided on it."""
    last = state.last_counting
    if last is None or last.by or last.by_hand or last.reading is None or not last.reading.belief:
        return None
    return TowerEvidence.parse(last.reading.belief)


adapter = TowerAdapter
