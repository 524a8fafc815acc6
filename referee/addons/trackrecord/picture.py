"""Draw track records as one SVG: for each origin how often rulings were wrong, and how often they may be at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import log10

from referee.addons.trackrecord.bounds import one_in
from referee.addons.trackrecord.counting import SURE, TITLES, TrackRecord
from referee.addons.trackrecord.fates import WRONG, Fate
from referee.values.words import Words, say

RAREST = 10_000
"""The axis ends at one in so many; rarer rates stand at its end."""
WIDTH, LEFT, RIGHT = 800, 250, 24
HEAD, ROW, FOOT = 74, 34, 50
KINDS: tuple[tuple[Words, tuple[Fate, ...]], ...] = (
    (say("Wrong in any way"), WRONG),
    (say("Legal turn called illegal"), (Fate.ACCUSED,)),
    (say("Breach not seen"), (Fate.MISSED,)),
    (say("Board or rule told wrongly"), (Fate.MISREAD,)),
)
TITLE = say("How often rulings were wrong")
_AXIS = say(
    "Dot: as counted. Bar: with {sure} % certainty the rate lies no further to the right, whenever one looks.",
    sure=SURE,
)
_STYLE = (
    "text{font:15px system-ui,sans-serif;fill:#2b231a}.t{font-weight:700;font-size:17px}"
    ".q{font-size:13px;fill:#6a5b48}"
    ".bar{fill:#d9b98a}.dot{fill:#8c2a12}.grid{stroke:#b9a98f;stroke-width:1}.back{fill:#fffdf8}"
    "@media(prefers-color-scheme:dark){text{fill:#f0e6d8}.q{fill:#c9b79d}.bar{fill:#7b5c3e}.dot{fill:#f0a58c}"
    ".grid{stroke:#5c4d3c}.back{fill:#1f1a15}}"
)


def drawn(records: Sequence[TrackRecord], language: str) -> str:
    """Return the picture of records, each with as many bars as there are kinds of errors."""
    told = [one for one in records if one.rulings]
    part = HEAD + ROW * len(KINDS) + FOOT
    height = part * len(told) + 44
    body = "".join(line for at, one in enumerate(told) for line in _record(one, at * part, language))
    title = escape(TITLE.text(language))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" lang="{language}" '
        f'aria-label="{title}"><title>{title}</title><style>{_STYLE}</style>'
        f'<rect class="back" width="{WIDTH}" height="{height}"/>{body}'
        f"{_text(20, height - 16, _AXIS.text(language), 'q')}</svg>\n"
    )


def _record(record: TrackRecord, top: int, language: str) -> Iterator[str]:
    counted = say(
        "Rulings: {rulings}. Games: {games}. Tables: {tables}.",
        rulings=record.rulings, games=record.games, tables=record.tables,
    )  # fmt: skip
    yield _text(20, top + 30, TITLES[record.origin].text(language), "t")
    yield _text(20, top + 52, counted.text(language), "q")
    end = top + HEAD + ROW * len(KINDS)
    for power in range(5):
        x = _x(10**-power)
        yield f'<line class="grid" x1="{x:.1f}" y1="{top + HEAD - 6}" x2="{x:.1f}" y2="{end}"/>'
        yield _text(x, end + 18, _one_in(10**power, language), "q", "end" if power == 0 else "middle")
    for row, (words, fates) in enumerate(KINDS):
        y = top + HEAD + ROW * row
        wrong, highest = sum(record.found[fate] for fate in fates), record.highest(*fates)
        yield _text(LEFT - 12, y + 19, words.text(language), "", "end")
        yield f'<rect class="bar" x="{LEFT}" y="{y + 5}" width="{_x(highest) - LEFT:.1f}" height="18" rx="3"/>'
        if wrong:
            yield f'<circle class="dot" cx="{_x(wrong / record.rulings):.1f}" cy="{y + 14}" r="6"/>'
        yield _text(LEFT + 8, y + 19, f"{wrong}; < {_one_in(one_in(highest), language)}")


def _x(rate: float) -> float:
    """Return where a rate stands: one at the right, one in ``RAREST`` and rarer ones at the left."""
    share = 1 + log10(max(rate, 1 / RAREST)) / log10(RAREST)
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _one_in(number: int, language: str) -> str:
    return say("1 in {n}", n=number).text(language)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
