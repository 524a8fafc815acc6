"""Live view between turns: what the referee sees, compared with what it knows (restoring, set-up, progress).

Nothing here is in the journal: every look at a still board computes it anew, and a restart loses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.games.contract import Progress, Violation
from referee.match.decision import ShowFrom
from referee.values.board import Field
from referee.values.words import Words


@dataclass(frozen=True, slots=True)
class CameraState:
    """One camera now.

    ok: whether its pictures are used. words: what the matter is, or that all is well. held: whether it is in a hand.
    opening: whether it has only just been started, so that no picture can be there.
    """

    name: str
    ok: bool
    words: Words
    held: bool = False
    opening: bool = False


@dataclass(frozen=True, slots=True)
class RestoreTask:
    """A field on which something must change, and what stands there now.

    stands: what shall stand there, as formats write it. seen: what does, ``None`` where it can't be told. done:
    whether it is seen to be right.
    """

    field: Field
    stands: str
    seen: str | None = None
    done: bool = False

    @property
    def unseen(self) -> bool:
        """Return whether the cameras can't tell what stands there now."""
        return not self.done and self.seen is None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something everybody at the table must know. id: a stable word; tone: ``info``, ``warning`` or ``trouble``."""

    id: str
    tone: str
    words: Words


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why the referee waits. id: a stable word, such as ``still``, ``hand``, ``view``."""

    id: str
    words: Words


@dataclass(frozen=True, slots=True)
class Framing:
    """How the newest picture by a camera in a hand shows the board.

    advice: what keeps it from being a view, ``None`` where nothing does. rim: the playing fields' corners as shares
    of its width and height, empty where the frame is not found.
    """

    advice: Waiting | None = None
    rim: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class ViewsWanted:
    """A request for views to somebody with a camera in a hand. views: taken in so far; most: so many at most.

    fields: that are still open. framing: how the newest picture shows the board. sides: azimuth and elevation of each
    view that counts, degrees, the newest last. show: the side from which another view would decide most, if any.
    legal: the turn is legal already, and another side would settle what it leaves open.
    """

    views: int
    most: int
    fields: tuple[Field, ...] = ()
    framing: Framing = Framing()
    sides: tuple[tuple[int, int], ...] = ()
    show: ShowFrom | None = None
    legal: bool = False


@dataclass(frozen=True, slots=True)
class Live:
    """The knowledge beside the record.

    event: number of the newest event in the journal. cameras: all the table has. waiting: what a ruling waits for.
    tasks: what must change on the board, while it shall be put back, those done included. setup: what differs from
    the set-up as seen last, ``None`` while that is not known. unseen: fields of the set-up that can't be told.
    progress: how far the turn under way has come. seen: text of the board as it was last seen standing still, empty
    before. show: what players can do so that more is seen, ``None`` where nothing helps. certificate: the table's, as
    its file has it. clock_since_ms: since when the game clock runs that the record tells of, Unix time; 0 while it
    stands. showing: what is asked of a camera in a hand, ``None`` where there is none or nothing is. tell: what
    players can say where pictures tell no more, ``None`` where the usual ways are meant.
    """

    event: int = 0
    cameras: tuple[CameraState, ...] = ()
    waiting: Waiting | None = None
    tasks: tuple[RestoreTask, ...] = ()
    setup: tuple[Violation, ...] | None = None
    unseen: tuple[Field, ...] = ()
    progress: tuple[Progress, ...] = ()
    seen: str = ""
    show: Words | None = None
    notices: tuple[Notice, ...] = ()
    certificate: Mapping[str, object] | None = field(default=None, hash=False)
    clock_since_ms: int = 0
    showing: ViewsWanted | None = None
    tell: Words | None = None
