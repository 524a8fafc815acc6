"""The words on the printed sheets, in three languages."""

from __future__ import annotations

from calibration.layout import Piece, board_within, frame_outline, pieces
from calibration.printing.texts import SheetTexts, needs_target
from calibration.table import TableSetup
from referee.values.words import Words, say


def sheet_texts(table: TableSetup, paper: str, language: str) -> SheetTexts:
    """Return the texts for one table's sheets. Raises CalibrationError for a frame that cannot be cut into strips."""
    parts = pieces(table)
    wide, deep = (f"{size:.0f}" for size in frame_outline(parts))
    drawing = say("The frame from above, {wide} x {deep} mm: piece 1 begins at the top left", wide=wide, deep=deep)
    ruler = say("This ruler must be 100 mm long. If it is not, print again at 100 % (“actual size”).")
    target = say("Calibration target: do not cut, glue the sheet onto a flat board")
    steps = [
        *_frame_steps(len(parts), paper, board_size(parts), wide, deep),
        *(_TARGET_STEPS if needs_target(table) else _PHONE_STEPS),
    ]
    return SheetTexts(
        title=say("From paper to a frame around the board").text(language),
        steps=tuple((head.text(language), body.text(language)) for head, body in steps),
        ruler=ruler.text(language),
        frame_head=say("Frame: cut along the outlines").text(language),
        target_head=target.text(language),
        tab=say("glue under").text(language),
        corner=say("corner of the board").text(language),
        drawing=drawing.text(language),
        board=say("board").text(language),
        target_note=say("Must measure exactly:").text(language) + " {width} x {height} mm",
    )


def board_size(parts: tuple[Piece, ...]) -> str:
    """Return the size of the board that a frame fits, as "284 x 284"."""
    return " x ".join(f"{size:.0f}" for size in board_within(parts))


def _frame_steps(count: int, paper: str, board: str, wide: str, deep: str) -> list[tuple[Words, Words]]:
    return [
        (
            say("Print on matt {paper} paper at 100 %", paper=paper.upper() if paper == "a4" else paper.title()),
            say(
                "The frame fits a board of {board} mm, from edge to edge: lay a ruler on yours before you print. "
                "In the print dialogue choose “actual size”, not “fit to page”. Then measure the ruler on every "
                "page: if it is not 100 mm long, the pages can't be used. Thick paper (120 g or more) lies flatter. "
                "Do not laminate: a reflection hides a marker.",
                board=board,
            ),
        ),
        (
            say("Cut out the {n} pieces", n=count),
            say("Use a knife and a ruler: straight edges matter. The tabs belong to the pieces."),
        ),
        (
            say("Glue them together in the order of their numbers"),
            say(
                "The tab of each piece goes under the beginning of the next one, up to the dashed line. At a corner "
                "the next piece lies across. The whole frame measures {wide} x {deep} mm.",
                wide=wide,
                deep=deep,
            ),
        ),
        (
            say("Lay the frame around the board"),
            say(
                "Its inner edges touch the board's edges on all four sides; the short line on a piece shows where a "
                "corner of the board comes. Piece 1 begins at the top left, seen from the player at the bottom. Fix "
                "the frame to the table with tape on its outer edge. A millimetre off does no harm: it is measured."
            ),
        ),
    ]


_TARGET_STEPS = [
    (
        say("Glue the calibration target onto something flat and stiff"),
        say(
            "A tile, a sheet of glass or a shelf board. Take a dozen pictures of it with each camera, then run: "
            "referee calibrate lenses"
        ),
    ),
    (
        say("Measure the frame as it lies"),
        say(
            "Take three or four pictures of the empty board with each camera, then run: referee calibrate frame. "
            "Do it again whenever the frame was moved on the table."
        ),
    ),
]
_PHONE_STEPS = [
    (
        say("Show the board with the phone"),
        say(
            "Start the referee with: referee run, and scan the code that it shows. Then photograph the board with "
            "its frame from two or three sides, or walk around it once: that measures the phone's lens and the frame."
        ),
    ),
]
