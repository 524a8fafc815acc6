"""The event of a ruling: legal, illegal or unsure, each with what belongs to it, behind the journal's one object."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self

from referee.games.contract import AnyGame, Position, Ruling
from referee.match.decision import Ask, Assumption, Candidate, LateDiscovery, ShowFrom
from referee.match.events import told
from referee.match.events.base import Data, EventError, JsonObject, Trigger, Verdict, fields, given, names
from referee.match.events.rulings import ruling_json, ruling_of
from referee.match.hypotheses import Links, Suspicion
from referee.values.board import Field
from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What is not known for certain of where a turn begins.

    track: the positions that may stand and how far each is behind the likeliest, in nats; the one on record is the
    first, and there is none where only that may. suspicions: what would stand had an earlier turn broken a rule that
    nobody saw. lost: fields on which something else than in any position of the track may stand. links: for each
    position of the track (or the one on record), by number the positions of the track before from which the turn may
    have led to it, each with its share; empty where there was one position before. dropped: as one of the links, of
    the positions that are not in the track for want of room, with shares of all that was believed.
    """

    track: tuple[tuple[Position, float], ...] = ()
    suspicions: tuple[Suspicion, ...] = ()
    lost: frozenset[Field] = frozenset()
    links: tuple[Links, ...] = ()
    dropped: Links = ()


CERTAIN = LeftOpen()


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal turn. ruling: with the position after it. assumed: what it takes for granted.

    open: fields on which something else may stand than on the board ruled on, or of which the turn may have gone
    otherwise.
    """

    ruling: Ruling
    assumed: tuple[Assumption, ...] = ()
    open: frozenset[Field] = frozenset()

    def __post_init__(self) -> None:
        if not self.ruling.legal or self.ruling.next is None:
            raise EventError("a legal turn comes with the position after it")


@dataclass(frozen=True, slots=True)
class Illegal:
    """A turn that broke a rule. open: fields on which something else may stand than on the board ruled on."""

    ruling: Ruling
    open: frozenset[Field] = frozenset()

    def __post_init__(self) -> None:
        if self.ruling.legal or not self.ruling.violations:
            raise EventError("an illegal turn names the rule it broke")


class WhyUnsure(StrEnum):
    """Why nothing can be ruled.

    ``UNCHANGED``: nothing has changed on the board, so it is asked whether the turn is over; or what was declared and
    what is seen differ, so it is asked whether that is so. ``REFUSED``: what was declared can't be. ``SWEPT``: so
    much stands otherwise that no turn can have done it: things fell or were swept, and nobody is accused.
    """

    OPEN = "open"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    SWEPT = "swept"


@dataclass(frozen=True, slots=True)
class Unsure:
    """A turn that can't be ruled on.

    words: the reason, where it can be said. doubts: the fields that kept it from ruling. ask: the field whose sight
    would decide most. candidates: the likeliest boards, to choose from, each by the fields in which it differs from
    the others. ruling: asks something of what was declared.
    """

    why: WhyUnsure = WhyUnsure.OPEN
    words: Words | None = None
    doubts: tuple[Field, ...] = ()
    ask: Ask | None = None
    candidates: tuple[Candidate, ...] = ()
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TurnRuled:
    """The referee ruled on a turn.

    observed: the board text ruled on. left_open: what may stand now, before or after the turn. late: what came out of
    an earlier turn. show: the side from which a camera in a hand would decide most of what is in doubt or open;
    ``None`` where there is no such camera or side.
    """

    kind: ClassVar[str] = "ruling"
    observed: str
    found: Legal | Illegal | Unsure
    left_open: LeftOpen = CERTAIN
    late: LateDiscovery | None = None
    show: ShowFrom | None = None

    @classmethod
    def by_rules(cls, observed: str, ruling: Ruling) -> Self:
        """Return the event of a ruling by the game's rules alone."""
        return cls(observed, Legal(ruling) if ruling.legal else Illegal(ruling))

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""
        return _VERDICTS[type(self.found)]

    @property
    def ruling(self) -> Ruling | None:
        """Return the ruling of the game's rules, where there is one."""
        return self.found.ruling

    @property
    def unsure(self) -> Unsure | None:
        """Return why nothing can be ruled; ``None`` for a verdict."""
        return self.found if isinstance(self.found, Unsure) else None

    @property
    def why(self) -> WhyUnsure | None:
        """Return which of its reasons that is."""
        return self.found.why if isinstance(self.found, Unsure) else None

    @property
    def after(self) -> Position | None:
        """Return the position after a legal turn."""
        return self.found.ruling.next if isinstance(self.found, Legal) else None

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """Return what a legal ruling takes for granted."""
        return self.found.assumed if isinstance(self.found, Legal) else ()

    @property
    def open(self) -> frozenset[Field]:
        """Return the fields that a verdict leaves open."""
        return frozenset() if isinstance(self.found, Unsure) else self.found.open

    @property
    def doubts(self) -> tuple[Field, ...]:
        """Return the fields that kept from a verdict."""
        return self.found.doubts if isinstance(self.found, Unsure) else ()

    @property
    def trigger(self) -> Trigger:
        """Return the trigger; it tells the verdict, and whether it ends the game."""
        if isinstance(self.found, Legal):
            return Trigger.WON if self.found.ruling.finished else Trigger.LEGAL
        return Trigger.ILLEGAL if isinstance(self.found, Illegal) else Trigger.UNSURE

    def to_json(self) -> JsonObject:
        """Return the event's data, as the journal keeps it: the answer of ``referee audit`` and the acts to draw."""
        unsure, left = self.unsure or Unsure(), self.left_open
        words = unsure.words.to_json() if unsure.words else None
        declared = unsure.why in (WhyUnsure.REFUSED, WhyUnsure.SWEPT)
        answer: JsonObject = {"ruling": self.verdict.value, "observed": self.observed, "doubts": names(self.doubts)}
        answer |= given(
            track=[[position.to_json(), score] for position, score in left.track],
            unchanged=unsure.why is WhyUnsure.UNCHANGED,
            ask=told.ask_json(unsure.ask) if unsure.ask else None,
            assumed=told.assumed_json(self.assumed),
            late=told.late_json(self.late) if self.late else None,
            suspicions=told.suspicions_json(left.suspicions),
            why=words if declared else None,
            open=names(sorted(self.open)),
            reason=None if declared else words,
            swept=unsure.why is WhyUnsure.SWEPT,
            show=told.show_json(self.show) if self.show else None,
            candidates=told.candidates_json(unsure.candidates),
            links=[[list(link) for link in links] for links in left.links],
            lost=names(sorted(left.lost)),
            dropped=[list(link) for link in left.dropped],
        )
        return answer if self.ruling is None else answer | ruling_json(self.ruling)

    @classmethod
    def from_json(cls, data: Data, game: AnyGame) -> Self:
        """Read what ``to_json`` wrote."""
        left = LeftOpen(
            tuple((game.position(position), score) for position, score in data.get("track", ())),
            told.suspicions_of(data.get("suspicions", ()), game),
            frozenset(fields(data.get("lost", ()))),
            tuple(tuple((int(start), float(share)) for start, share in links) for links in data.get("links", ())),
            tuple((int(start), float(share)) for start, share in data.get("dropped", ())),
        )
        late = told.late_of(data["late"], game) if "late" in data else None
        show = told.show_of(data["show"]) if "show" in data else None
        return cls(data["observed"], _found(data, game), left, late, show)


_VERDICTS = {Legal: Verdict.LEGAL, Illegal: Verdict.ILLEGAL, Unsure: Verdict.UNSURE}


def _found(data: Data, game: AnyGame) -> Legal | Illegal | Unsure:
    """Return what the referee found of a turn. Raises EventError where its ruling is not one of that verdict."""
    verdict, open_ = Verdict(data["ruling"]), frozenset(fields(data.get("open", ())))
    ruling = ruling_of(data["answer"], data["acts"], game) if "answer" in data else None
    if verdict is Verdict.UNSURE:
        words = data.get("why") or data.get("reason")
        doubts = fields(data["doubts"])
        ask = told.ask_of(data["ask"]) if "ask" in data else None
        candidates = told.candidates_of(data.get("candidates", ()))
        return Unsure(_why(data), Words.from_json(words) if words else None, doubts, ask, candidates, ruling)
    if ruling is None:
        raise EventError("a turn that is ruled on comes with the ruling")
    if verdict is Verdict.ILLEGAL:
        return Illegal(ruling, open_)
    return Legal(ruling, told.assumed_of(data.get("assumed", ())), open_)


def _why(data: Data) -> WhyUnsure:
    for key, why in (("swept", WhyUnsure.SWEPT), ("unchanged", WhyUnsure.UNCHANGED), ("why", WhyUnsure.REFUSED)):
        if data.get(key):
            return why
    return WhyUnsure.OPEN
