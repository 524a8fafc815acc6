"""What everybody at the table must know of the referee itself: cameras, journal, pictures that are not kept."""

from __future__ import annotations

from collections.abc import Sequence

from referee.match.live import CameraState, Notice
from referee.storage.evidence import Keeping
from referee.values.words import say

JOURNAL_TROUBLE = Notice(
    "journal", "trouble", say("The referee can’t write its journal, so nothing new counts. Is the disk full?")
)
_KEEPING = {
    Keeping.FULL: Notice(
        "evidence-full", "warning", say("The disk is nearly full: play goes on, but no more pictures are kept.")
    ),
    Keeping.FAILED: Notice(
        "evidence-failed", "warning", say("Pictures can’t be written: play goes on, but none are kept.")
    ),
}


def notices(written: bool, cameras: Sequence[CameraState], keeping: Keeping) -> tuple[Notice, ...]:
    """Return the notices as things stand. written: whether the journal can be written."""
    found: tuple[Notice, ...] = () if written else (JOURNAL_TROUBLE,)
    troubled = (camera for camera in cameras if not camera.ok and not camera.opening)
    found += tuple(Notice(f"camera-{camera.name}", "warning", camera.words) for camera in troubled)
    return (*found, _KEEPING[keeping]) if keeping in _KEEPING else found
