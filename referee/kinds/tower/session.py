"""Referees a tower on a board that players turn: every still picture since the turn ended adds to what is known.

Pictures from before that are looked at, and never ruled on: a bar may have been laid since on a side they don't show.
The referee asks to see the sides that no picture has shown. A camera in a hand goes around the tower instead: its
pictures come together, those of the look so far among them (``walking.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from referee.games.contract import Progress, RequestError
from referee.games.guarding import shown
from referee.kinds.tower.judge import OLDER, TowerCase, TowerWord, rule_turned
from referee.kinds.tower.observation import SIDES, TowerEvidence, agreed, as_before, cells_told, has_fallen, outer
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
    CameraNote,
    Event,
    ReadingMade,
    SetupChecked,
    TurnRuled,
    Unsure,
    WhyUnsure,
)
from referee.match.live import Live
from referee.match.phases import Phase
from referee.match.state import Entry, EntryStatus, TableState
from referee.session.adapter import PlainAdapter
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


class TowerAdapter(PlainAdapter):
    """Rules on one game on a tower."""

    gathers = True

    def __init__(self, game: AnyGame, eyes: TowerEyes, state: TableState) -> None:
        self._game, self._eyes = game, eyes
        self._views: tuple[tuple[str, Pictures], ...] = ()
        self._refuted = 0
        self._of, self._stood = _moment(state), cells_told(state.position.observed.text)
        self._facing = ""
        self._seen: TowerSeen | None = None
        self._checked: SetupChecked | None = None

    @property
    def differs(self) -> bool:
        """Return whether the tower seen last surely has a bar more or less than the position's."""
        return self._seen is not None and bool(self._seen.told.surest) and self._more(self._seen) != 0

    def _more(self, seen: TowerSeen) -> int:
        """Return how many cells more are told than before the turn; negative where cells are told to be empty now."""
        before, now = self._stood, cells_told(seen.told.surest)
        return len([cell for cell, sign in now.items() if cell not in before and sign != "?"]) or -len(
            [cell for cell in before if cell not in now]
        )

    def read(self, state: TableState, views: Sequence[Pictures]) -> TowerSeen:
        """Read the views of a look together with those since the turn ended; before that alone.

        What only a picture tells that no bar explains, as a hand does, is left open until another picture tells it;
        a tower that must have fallen over is told at once, since nobody is accused of that.
        """
        ended = state.phase in _ENDED
        known = state.position.observed.text
        walked, views = by_hand(views), one_by_one(views)
        earlier = without(self._views, views) if ended else ()
        look = self._eyes.read([*(one for _, one in earlier), *views], known)
        if walked and (few := _few_covered(look)):
            earlier, views = uncovered(earlier, views, few)
            look = self._eyes.read([*(one for _, one in earlier), *views], known)
        if not walked and len(earlier) in views_of(look, look.reading.spoilt if look.reading is not None else ()):
            self._refuted += 1
            if self._refuted >= MOST_REFUTED:  # the other views are wrong, not this one
                earlier, look = (), self._eyes.read(views, known)
        seen = seen_in(look, state.turn.end.known, len(views) if walked else 1)
        strange = look.reading is not None and look.reading.strange and not has_fallen(known, seen.told.plain)
        if seen.clear and ended and not earlier and len(views) == 1 and strange:
            seen = replace(seen, told=as_before(seen.told, known))
        if seen.clear and ended:
            seen = replace(seen, told=self._without_each(state, [*(one for _, one in earlier), *views], seen))
        if seen.clear:
            self._facing, self._refuted = look.facing, 0
            if ended and not walked:
                self._views = _kept(look, earlier, views)
        return seen

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

    def reading(
        self, seen: TowerSeen, kept: Mapping[str, str], untouched: NDArray[np.bool_] | None = None
    ) -> ReadingMade:
        """Return the reading; a ruling needs its two texts and the sides that were shown."""
        confidence = seen.look.reading.confidence if seen.look.reading is not None else {}
        chances = [round(float(chance), 3) for chance in confidence.values()]
        levels = tuple(tuple(chances[at : at + 9]) for at in range(0, len(chances), 9))
        return ReadingMade(
            text=seen.text,
            confidence=levels,
            stones=(),
            clear=seen.clear,
            blocked=(),
            cameras=tuple(
                CameraNote(
                    name,
                    view.markers,
                    view.reprojection_px,
                    view.problem,
                    seen.look.places_mm.get(name, ()),
                    outline=view.outline,
                )
                for name, view in seen.cameras.items()
            ),
            duration_ms=round(seen.look.duration_ms, 1),
            pictures=tuple(kept.items()),
            belief=seen.told.text if seen.clear else "",
        )

    def blind(self, state: TableState, cameras: Sequence[str], problem: Words) -> ReadingMade:
        """Return a reading in which nothing is told."""
        notes = tuple(CameraNote(name, 0, None, problem) for name in cameras)
        return ReadingMade("", (), (), False, (), notes, 0.0)

    def setup(self, state: TableState, seen: TowerSeen, asking: bool = True) -> SetupChecked:
        """Compare what surely stands with the position agreed on, and where it differs with the game's set-up."""
        stands, told = cells_told(state.position.observed.text), cells_told(seen.told.surest)
        wrong = [cell for cell, sign in told.items() if sign != "?" and _colour(sign) != _colour(stands.get(cell))]
        if not wrong and (told or not stands):
            return SetupChecked(())
        observed = self._game.observation(_squares(seen.told.surest))
        return SetupChecked(tuple(self._game.setup_differences(state.position, observed)))

    def setup_seen(self, state: TableState, seen: TowerSeen) -> bool:
        """Take in a look at the set-up nobody asked for; whether it is right."""
        self._seen, self._checked = seen, self.setup(state, seen)
        return not self._checked.differences

    def turn_seen(self, state: TableState, seen: TowerSeen) -> bool:
        """Take in a still tower; whether what the turn, or undone turns, changed is seen to be back as before."""
        self._seen = seen
        if state.phase is Phase.PLAYING or (state.phase is Phase.RESTORING and self.differs):
            return False
        before, after = cells_told(state.position.observed.text), cells_told(_stood(state))
        now = cells_told(seen.told.plain)
        changed = [cell for cell in {*before, *after} if _colour(before.get(cell)) != _colour(after.get(cell))]
        # What no picture shows is read as before: a cell counts only from a side that was shown.
        return bool(changed) and all(
            any(outer(cell, side) for side in seen.told.sides) and _colour(now.get(cell)) == _colour(before.get(cell))
            for cell in changed
        )

    def tells_more(self, state: TableState, seen: TowerSeen) -> bool:
        """Return whether another side was shown, or the pictures now tell something else."""
        self._seen = seen
        known = None if state.reading is None else state.reading.belief
        return seen.told.text != known

    def moved_on(self, state: TableState, event: Event) -> None:
        """Drop all pictures when another turn begins, or when a turn turns out not to be over."""
        moment = _moment(state)
        if moment != self._of:
            self._of, self._stood = moment, cells_told(state.position.observed.text)
            self._views, self._refuted, self._seen, self._checked = (), 0, None, None

    def can_rule(self, reading: ReadingMade) -> bool:
        """Return whether the record holds what was told."""
        return bool(reading.belief)

    def ruled(self, state: TableState, reading: ReadingMade) -> TurnRuled:
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

    def swept(self, state: TableState, text: str) -> bool:
        """Return whether the tower fell over."""
        return has_fallen(state.position.observed.text, text)

    def to_remember(self, state: TableState) -> tuple[ReadingMade, ...]:
        """Return the looks at the turn under way."""
        looks = [entry.reading for entry in _this_turn(state) if entry.reading is not None]
        return tuple(reading for reading in looks if reading.belief)

    def remember(self, state: TableState, looks: Sequence[Pictures]) -> None:
        """Keep the pictures of this turn's looks, to be read with the next ones."""
        turned = [pictures for pictures in looks if pictures and not by_hand([pictures])]
        self._views = tuple(("", pictures) for pictures in turned)[-MOST_VIEWS:]

    def live(self, state: TableState) -> Live:
        """Return the tower as seen last, how far the turn is, and which side to show the cameras next."""
        seen = self._seen.text if self._seen is not None else ""
        if state.phase is Phase.SET_UP:
            return Live(setup=self._checked.differences if self._checked else None, seen=seen)
        if state.phase is Phase.PLAYING:
            return Live(progress=self._progress(state), seen=seen)
        if state.phase is Phase.UNSURE and state.reading is not None and state.reading.belief:
            told = TowerEvidence.parse(state.reading.belief)
            walk = show_side(told, state.reading.cameras)
            older = state.unsure is not None and state.unsure.words == OLDER
            return Live(
                seen=seen,
                show=self._to_show(told) if walk is None else walk.words,
                tell=WHEN_LAID if older else None,
            )
        return Live(seen=seen)

    def _progress(self, state: TableState) -> tuple[Progress, ...]:
        if self._seen is None or not self.differs:
            return ()
        try:
            return tuple(shown(self._game).progress(state.position, [self._game.observation(self._seen.told.plain)]))
        except RequestError:
            return ()

    def _to_show(self, told: TowerEvidence) -> Words | None:
        """Return how to turn the tower so that the cameras see a side not seen yet, or one that is doubtful."""
        sides = told.hidden or self._doubtful(told)
        if not self._facing:
            return None
        ways = {(SIDES.index(side) - SIDES.index(self._facing)) % 4 for side in sides}
        return next((words for way, words in _TURNS.items() if way in ways), None)

    def _doubtful(self, told: TowerEvidence) -> tuple[str, ...]:
        """Return the sides with outer cells that are not surely told, of which another picture may tell more."""
        cells = [cell for cell, sign in cells_told(told.surest).items() if sign == "?"]
        taken = [side for side, _ in self._views]
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


def _squares(text: str) -> str:
    """Return a tower's text as told, by colour alone, without levels that are empty then."""
    levels = "".join(sign if sign in "./" else _SQUARES[_colour(sign)] for sign in text).split("/")
    while levels and not levels[-1].strip("."):
        levels.pop()
    return "/".join(levels)


_SQUARES = {"light": "X", "dark": "x", "?": "."}


def _colour(sign: str | None) -> str:
    """Return the colour of a cell: ``light``, ``dark``, empty where nothing stands, ``?`` where it is not told."""
    if sign is None:
        return ""
    return sign if sign == "?" else "light" if sign.isupper() else "dark"


def _moment(state: TableState) -> tuple[object, ...]:
    """Return the values whose change means that earlier pictures show another tower."""
    phase = Phase.READING if state.phase in _ENDED else state.phase
    return phase, state.position.turn, len(_decided(state)), state.position.observed.text


def _decided(state: TableState) -> tuple[Entry, ...]:
    return tuple(entry for entry in state.history if entry.counts)


def _this_turn(state: TableState) -> tuple[Entry, ...]:
    """Return the looks at the turn under way, all of which were unsure."""
    last = state.last_counting
    return state.history[last.id :] if last is not None else state.history


def _stood(state: TableState) -> str:
    """Return the text of the tower that stood there last, by the record: after the open turn, or those undone."""
    undone = [entry for entry in state.history if entry.fate is EntryStatus.UNDONE]
    turn = state.open_turn or (undone[-1] if undone else None)
    stood: str = state.position.observed.text
    if turn is not None and turn.after is not None:
        stood = turn.after.observed.text
    elif turn is not None and turn.ruled is not None:
        stood = turn.ruled.observed
    return stood


def _told_before(state: TableState) -> TowerEvidence | None:
    """Return what pictures told when the turn before was ruled on, ``None`` where no pictures decided on it."""
    last = state.last_counting
    if last is None or last.by or last.by_hand or last.reading is None or not last.reading.belief:
        return None
    return TowerEvidence.parse(last.reading.belief)


def adapter(game: AnyGame, reader: TowerEyes, state: TableState) -> TowerAdapter:
    """Return the adapter of a game on a tower. reader: reads pictures of its table."""
    return TowerAdapter(game, reader, state)
