"""Looks by a camera in a hand: each picture is a view from another place, and the look is open until it is certain.

While nobody shows anything the camera is off, so every view that comes is meant: of the turn that has ended, of a
table that left a ruling unsure, of the set-up, or of what was put back.
"""

from __future__ import annotations

from dataclasses import replace

from referee.match.events import LookTaken, TurnRuled, Verdict, WhyUnsure
from referee.match.live import ViewsWanted, Waiting
from referee.match.phases import Phase
from referee.match.transitions import step
from referee.session.adapter import UNCLEAR, LookSeen
from referee.session.capture import Capture, Pictures
from referee.session.openlook import MOST_VIEWS, OpenLook, is_another_side, newest_views
from referee.session.refereeing import Refereeing
from referee.session.said import LookRead, Work
from referee.values.words import Words, say
from referee.view.board import is_swept
from vision.geometry.view import PHOTOGRAPHS, camera_of

FEWEST = 2
"""Sides needed for anything to be certain: what a single one hides is taken to be as it was."""
ENOUGH = 4
"""Sides after which another is unlikely to change a question, or what a legal ruling assumes (chosen by hand)."""
HAND = Waiting("hand", say("Something is in the way: please clear the view"))
VIEW = Waiting("view", say("Looking for the frame around the board"))
_UNASKED = frozenset({Phase.SET_UP, Phase.VIOLATION, Phase.RESTORING, Phase.UNSURE, Phase.BLIND})
_RULED_ON = frozenset({Phase.READING, Phase.RULING, Phase.BLIND, Phase.UNSURE})


class Viewing(Refereeing):
    """A refereed game that takes views one by one."""

    @property
    def _view_after_s(self) -> float | None:
        """Return since when a view by a camera in a hand is welcome; ``None`` while none is."""
        if self._can_rule:
            return None
        if self._look_asked:
            return self._looking.asked_s
        return 0.0 if self.state.phase in _UNASKED else None

    @property
    def _showing(self) -> ViewsWanted | None:
        """Return how far the look has come that views are welcome for; ``None`` while none are."""
        if self._view_after_s is None:
            return None
        look = self._open
        if look is None:
            turn = self.state.open_turn if self.state.phase is Phase.UNSURE else None
            show = turn.ruled.show if turn is not None and turn.ruled is not None else None
            return ViewsWanted(0, MOST_VIEWS, show=show)
        if look.ruled is None:
            return ViewsWanted(len(look.views), MOST_VIEWS, sides=look.sides)
        views, ruled = len(look.views), look.ruled
        return ViewsWanted(views, MOST_VIEWS, ruled.doubts, sides=look.sides, show=ruled.show, legal=_is_legal(look))

    @property
    def _look_asked(self) -> bool:
        """Return whether somebody asked for a look that has no outcome yet."""
        return self.state.awaiting and self.state.phase in (Phase.READING, Phase.RULING, Phase.SET_UP)

    @property
    def _looking_at(self) -> tuple[int, Phase]:
        return self.state.look, self.state.phase

    @property
    def _open(self) -> OpenLook | None:
        """Return the look that is open now; ``None`` for one of another moment, too."""
        look = self._looking.open
        return look if look is not None and look.of == self._looking_at else None

    def _view(self, capture: Capture, now_s: float) -> Work:
        """Take in a view: it adds to the look that is open, until that is certain or no other view is waited for."""
        if self._view_after_s is None:
            return
        look = self._looked_so_far(now_s)
        together = look.together(capture)
        seen = self._read(together)
        if self._is_changed(look, together, seen):
            look = look.spoilt()
            together = look.together(capture)
            seen = self._read(together)
        if isinstance(seen, Words):
            if self._look_asked:
                yield from self._blind(tuple(capture.newest), seen)
            return
        yield LookRead(together, seen)
        if seen.lost:
            waiting: Waiting | None = VIEW
        elif not seen.clear:
            why = seen.unclear
            if PHOTOGRAPHS not in capture.newest:  # a photograph that shows a hand is left out, and nothing else
                look = look.spoilt()
            waiting = HAND if why == UNCLEAR else Waiting("changed", why)
        else:
            look, waiting = look.taken(together, seen), None
            if self.state.phase in _RULED_ON and not is_swept(self.state):
                look = self._ruled_now(look)
        self._looking = replace(self._looking, open=look, waiting=waiting)
        if look.views:
            yield from self._decided(look, look.is_over(now_s))

    def _is_changed(self, look: OpenLook, together: Capture, seen: LookSeen | Words) -> bool:
        """Return whether people changed what they photograph, as is their right while no turn is to be ruled on."""
        if isinstance(seen, Words) or seen.clear or seen.lost or self._look_asked:
            return False
        photographed = any(camera_of(name) == PHOTOGRAPHS for name in together.newest)
        return photographed and bool(look.views or look.before) and seen.unclear != UNCLEAR

    def _looked_so_far(self, now_s: float) -> OpenLook:
        """Return the open look, or one that begins now: at a table left unsure it goes on from the look before."""
        look, newest = self._open, self._looking.newest
        if look is not None and not self._given_up(look, now_s):
            return look
        before: Pictures = {}
        if self.state.phase is Phase.UNSURE and newest is not None and newest[0] == self.state.look:
            before = newest_views(newest[1].newest)
        return OpenLook(self._looking_at, before=before)

    def _given_up(self, look: OpenLook, now_s: float) -> bool:
        return not self._look_asked and look.is_given_up(now_s, asked=False)

    def _decided(self, look: OpenLook, over: bool) -> Work:
        """Take the look where it is certain, or where no other view is waited for."""
        phase, seen = self.state.phase, look.seen
        assert seen is not None, "a look with views was read"
        if look.ruled is not None:
            sides = _count(look)
            alone = look.ruled.verdict is Verdict.ILLEGAL and sides < FEWEST
            if self._is_certain(look.ruled, sides) or (over and not alone):
                yield from self._close(look, seen)
        elif phase is Phase.SET_UP:
            if self._compared(seen).settled or (over and self._ways.needs_pictures):
                yield from self._close(look, seen)
        elif phase in (Phase.VIOLATION, Phase.RESTORING, Phase.UNSURE):
            yield from self._settled(self._compared(seen))
        if over and not self._look_asked:
            self._looking = replace(self._looking, open=None)

    def _close(self, look: OpenLook, seen: LookSeen) -> Work:
        self._looking = replace(self._looking, open=None)
        if self._look_asked:
            yield from self._taken(look.capture, seen, look.ruled)
        else:
            yield from self._look_now(look.capture, seen, look.ruled)
            if self.state.phase is Phase.SET_UP and self.state.turn.other is not None:  # what was seen counts on
                begun = OpenLook(self._looking_at, before=newest_views(look.capture.newest))
                self._looking = replace(self._looking, open=begun)

    @property
    def _shown(self) -> Capture | None:
        """Return the newest pictures of the set-up: those of the open look, or of the last one."""
        look, newest = self._open, self._looking.newest
        if look is not None and look.views:
            return look.capture
        return None if newest is None else newest[1]

    def _view_overdue(self, now_s: float, coming: bool) -> Work:
        """End an open look whose time is over, although no view came that ends it. coming: one is on its way."""
        look = None if self._open is None else self._open.idle(now_s, coming)
        self._looking = replace(self._looking, open=look)
        if look is None:
            return
        if self._given_up(look, now_s):
            self._looking = replace(self._looking, open=None, waiting=None)
        elif self._look_asked and look.views and (look.is_over(now_s) or self._left_as_legal(look, now_s)):
            if look.ruled is not None and look.declared != self.state.turn.declared:
                look = self._ruled_now(look)
                self._looking = replace(self._looking, open=look)
            yield from self._decided(look, over=True)

    def _left_as_legal(self, look: OpenLook, now_s: float) -> bool:
        """Return whether nobody shows another side of a turn that is legal already: what it leaves open stays so."""
        return _is_legal(look) and look.is_given_up(now_s, asked=True)

    def _is_certain(self, ruled: TurnRuled, sides: int) -> bool:
        """Return whether another view can't be expected to change a ruling.

        sides: from how many the table was shown.
        """
        if self._ways.flat:
            return ruled.verdict is not Verdict.ILLEGAL or sides >= FEWEST
        if sides < FEWEST:
            return False
        if ruled.verdict is Verdict.LEGAL:
            return not (ruled.assumed or ruled.open) or ruled.show is None or sides >= ENOUGH
        asked = ruled.why not in (None, WhyUnsure.OPEN)
        return ruled.verdict is Verdict.ILLEGAL or (asked and sides >= ENOUGH)

    def _ruled_now(self, look: OpenLook) -> OpenLook:
        """Return the look with the ruling as if it ended now. Nothing happens by it."""
        assert look.seen is not None, "a look with views was read"
        state = self.state if self._look_asked else step(self.state, LookTaken(self.state.look + 1))
        ruled = self._ruling(step(state, look.seen.reading))
        return replace(look, ruled=ruled, declared=self.state.turn.declared)


def _is_legal(look: OpenLook) -> bool:
    """Return whether a look shows a legal turn from so many sides that it may end."""
    return look.ruled is not None and look.ruled.verdict is Verdict.LEGAL and _count(look) >= FEWEST


def _count(look: OpenLook) -> int:
    """Return from how many sides a look shows the table."""
    if not look.sides:
        return len(look.before) + len(look.views)
    found: list[tuple[int, int]] = []
    for side in look.sides:
        if all(is_another_side(side, other) for other in found):
            found.append(side)
    return len(found)
