"""A turn as a page to be shown to others: what happened, in whose colour, and the board.

It has no names, nothing anybody typed and no times. Its pictures are cut to the board, and taken while nothing was in
the way.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.masked import Outline, only_inside
from calibration.picturefile import PictureError, decode_picture
from referee.match.state import Entry
from referee.report.blocks import Block, Figure, Figures, Heading, Para, Part, Report, Run
from referee.report.dispute import DisputedTurn, places_read
from referee.report.disputepage import boards_of, broken_rules, counted
from referee.report.disputewords import PICTURES, VERDICTS, WHATS, fate_words
from referee.report.framing import style
from referee.report.gamefile import PictureOf
from referee.values.words import Words, player_name, say

_QUALITY = 84
_SENT_PX = 1024
"""A picture that goes somewhere else by itself is at most so wide and high."""


def shared_turn(told: DisputedTurn, picture: PictureOf) -> Report:
    """Return the page of a turn, as it was ruled last. picture: by content id."""
    turn, entry = replace(told, players={}), last_ruled(told)
    title = say("Turn {turn} of a game of {game}", turn=turn.turn, game=turn.game.title)
    tone = entry.ruled.verdict.value if entry.ruled is not None else "unsure"
    blocks = (Heading(1, (title,)), Part(tuple(_part(turn, entry, picture)), tone))
    return Report(title, blocks, style(turn.game.kit))


def last_ruled(told: DisputedTurn) -> Entry:
    """Return the newest ruling on a turn, or what else became of it."""
    return next((one for one in reversed(told.looks) if one.ruled is not None), told.looks[-1])


def headline(entry: Entry) -> Words:
    """Return whose turn it was, by colour, and what was ruled."""
    told = VERDICTS[entry.ruled.verdict] if entry.ruled is not None else WHATS[entry.what]
    return say("The turn of {who}: {told}", who=player_name(entry.player), told=told)


def _part(turn: DisputedTurn, entry: Entry, picture: PictureOf) -> Iterator[Block]:
    yield Heading(2, (headline(entry),))
    yield Para((fate_words(entry),), "fate")
    ruled = entry.ruled
    if ruled is None:
        return
    if ruled.ruling is not None and ruled.ruling.violations:
        yield from broken_rules(turn, entry, ruled.ruling.violations)
    yield from boards_of(turn, entry, ruled, places_read(entry.before, ruled, entry.reading, turn.game.kit))
    yield from counted(turn, entry)
    shown = tuple(Figure((), picture=("image/jpeg", one)) for one in pictures_of_board(entry, picture))
    if shown:
        yield Heading(3, (PICTURES,))
        yield Figures(shown)
    acts = " ".join(act.text for act in ruled.ruling.acts) if ruled.ruling is not None else ""
    if acts:
        yield Heading(3, (say("In the game’s notation"),))
        yield Para((Run(acts, "code"),))
    texts = ((say("Before"), entry.before.observed.text), (say("After"), ruled.observed))
    yield Figures(tuple(Figure((words,), text=text) for words, text in texts), folded=say("The boards as text"))


def newest_picture(record: Sequence[Entry], picture: PictureOf) -> bytes:
    """Return the board as the newest look of a record showed it, a JPEG; empty where no picture of it is kept."""
    looked = next((entry for entry in reversed(record) if entry.reading is not None), None)
    return next(pictures_of_board(looked, picture, _SENT_PX), b"") if looked is not None else b""


def pictures_of_board(entry: Entry, picture: PictureOf, most_px: int = 0) -> Iterator[bytes]:
    """Yield a look's pictures, cut to the board; none of a camera whose picture does not tell where that is.

    most_px: how wide and high they may be, 0 for as they are.
    """
    reading = entry.reading
    if reading is None or not reading.clear:
        return
    outlines = {note.name: note.outline for note in reading.cameras if note.outline}
    for camera, content in reading.pictures:
        kept = picture(content) if camera in outlines else None
        if kept is not None:
            with contextlib.suppress(PictureError):
                yield _cut(kept, outlines[camera], most_px)


def _cut(content: bytes, outline: Outline, most_px: int) -> bytes:
    """Return a picture's part within an outline as a JPEG. Raises PictureError."""
    shown = only_inside(decode_picture(content), outline)
    x, y, wide, high = cv2.boundingRect(np.array([corner for part in outline for corner in part], np.int32))
    scale = min(1.0, most_px / max(wide, high)) if most_px else 1.0
    board = cv2.resize(shown[y : y + high, x : x + wide], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", board, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
