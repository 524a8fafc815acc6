"""Hold the tower: which bars it has, as two sets of places, and its text form, which is its identity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.games.contract import RequestError
from referee.games.turris import complaints
from referee.games.turris.bars import COLOURS, EAST, NORTH, STRIDE, UP, Bar, BarColour, BarPlace, place_at, place_of
from referee.games.turris.cells import LAYER, MOST_LEVELS, WIDTH, cell_at, cell_name, cells_in, level_of

EMPTY = "."
UNSEEN = "?"
HALVES = {BarColour.LIGHT: "X", BarColour.DARK: "x"}
"""A cell in a reading whose other half is unknown."""

FORTH = {EAST: "e", NORTH: "n", UP: "u"}
BACK = {EAST: "w", NORTH: "s", UP: "d"}
POINTING = {letter: (direction, 1) for direction, letter in FORTH.items()} | {
    letter: (direction, -1) for direction, letter in BACK.items()
}
"""A letter: the direction of its bar, and whether it is the bar's first cell (1) or its other (-1)."""

_LETTERS = frozenset("".join(POINTING))
_KNOWN = frozenset(EMPTY) | _LETTERS | {letter.upper() for letter in _LETTERS}
_READ = _KNOWN | {UNSEEN, *HALVES.values()}


class Tower(NamedTuple):
    """Bars standing still: the bits of the places of each colour, and the cells they fill."""

    light: int
    dark: int
    filled: int

    def of(self, colour: BarColour) -> int:
        """Return the places of a colour's bars."""
        return self.light if colour is BarColour.LIGHT else self.dark

    @property
    def bars(self) -> Iterator[Bar]:
        """Yield the bars, light ones first, each colour from below."""
        for colour in COLOURS:
            for cell in cells_in(self.of(colour)):  # a bit each
                yield Bar(colour, place_of(1 << cell))

    def count(self, colour: BarColour) -> int:
        """Return how many bars of a colour stand in the tower."""
        return self.of(colour).bit_count()

    @property
    def levels(self) -> int:
        """Return the highest started level, 0 for the empty tower."""
        return level_of(self.filled.bit_length() - 1) if self.filled else 0

    def has(self, bar: Bar) -> bool:
        """Return whether the tower holds a bar."""
        return bool(self.of(bar.colour) & bar.place.bit)

    def turned(self, bar: Bar) -> Tower:
        """Return the tower with a bar more, or without it if it was there."""
        colour, place = bar
        if colour is BarColour.LIGHT:
            return Tower(self.light ^ place.bit, self.dark, self.filled ^ place.mask)
        return Tower(self.light, self.dark ^ place.bit, self.filled ^ place.mask)

    @property
    def text(self) -> str:
        """Return the tower as formats write it."""
        letters: dict[int, str] = {}
        for colour, place in self.bars:
            first, second = FORTH[place.direction], BACK[place.direction]
            if colour is BarColour.LIGHT:
                first, second = first.upper(), second.upper()
            letters[place.cells[0]], letters[place.cells[1]] = first, second
        return text_of(letters)


NO_TOWER = Tower(0, 0, 0)


def tower_of(bars: Iterable[Bar]) -> Tower:
    """Return the tower of some bars, no two of which fill one cell."""
    tower = NO_TOWER
    for bar in bars:
        tower = tower.turned(bar)
    return tower


def text_of(letters: Mapping[int, str]) -> str:
    """Return the text of cells by their letters; cells left out are empty."""
    levels = max((level_of(cell) for cell in letters), default=0)
    return "/".join(
        "".join(letters.get(cell_at(x, y, z), EMPTY) for y in reversed(range(WIDTH)) for x in range(WIDTH))
        for z in range(1, levels + 1)
    )


def colour_of(letter: str) -> BarColour:
    """Return the colour of a filled cell by its letter."""
    return BarColour.LIGHT if letter.isupper() else BarColour.DARK


def parse_letters(text: object, key: str, known: bool) -> dict[int, str]:
    """Parse a tower text into the letters of its cells that are not empty.

    key: what to call the text in complaints. known: every cell must be known, as in a position; else ``x``, ``X`` and
    ``?`` are letters too. Raises RequestError with code ``tower``.
    """
    if not isinstance(text, str):
        raise RequestError("tower", complaints.no_text(key))
    letters: dict[int, str] = {}
    levels = text.split("/") if text else []
    if len(levels) > MOST_LEVELS:
        raise RequestError("tower", complaints.too_high(key, MOST_LEVELS))
    for z, level in enumerate(levels, 1):
        if len(level) != LAYER:
            raise RequestError("tower", complaints.level_length(key, z, len(level), LAYER))
        for i, letter in enumerate(level):
            if letter not in (_KNOWN if known else _READ):
                raise RequestError("tower", complaints.letter(key, z, letter, known and letter in _READ))
            if letter != EMPTY:
                letters[cell_at(i % WIDTH, WIDTH - 1 - i // WIDTH, z)] = letter
    if levels and set(levels[-1]) == {EMPTY}:
        raise RequestError("tower", complaints.empty_top(key, len(levels)))
    _check_halves(letters, key)
    return letters


def parse_tower(text: object, key: str = "tower") -> Tower:
    """Parse the tower of a position. Raises RequestError with code ``tower``, naming the level or cell."""
    return tower_in(parse_letters(text, key, known=True))


def tower_in(letters: Mapping[int, str]) -> Tower:
    """Return the tower whose cells have these letters, all of which are known and match."""
    bars = []
    for cell, letter in letters.items():
        direction, way = POINTING[letter.lower()]
        if way > 0:
            place = place_at(cell, direction)
            assert place is not None
            bars.append(Bar(colour_of(letter), place))
    return tower_of(bars)


def place_through(cell: int, letter: str) -> BarPlace | None:
    """Return the place of a bar by one of its cells and that cell's letter; ``None`` where it leaves the tower."""
    direction, way = POINTING[letter.lower()]
    first = cell if way > 0 else cell - STRIDE[direction]
    place = place_at(first, direction) if first >= 0 else None
    return place if place is not None and cell in place.cells else None


def _check_halves(letters: Mapping[int, str], key: str) -> None:
    """Raise RequestError where a half that points somewhere finds no other half there."""
    for cell, letter in letters.items():
        if letter.lower() not in _LETTERS:
            continue
        place = place_through(cell, letter)
        if place is not None:
            colour = colour_of(letter)
            other = place.cells[1] if cell == place.cells[0] else place.cells[0]
            if letters.get(other, EMPTY) in (half_letter(place, other, colour), HALVES[colour], UNSEEN):
                continue
        raise RequestError("tower", complaints.halves(key, cell_name(cell)))


def half_letter(place: BarPlace, cell: int, colour: BarColour) -> str:
    """Return the letter of one of a bar's two cells."""
    letter = (FORTH if cell == place.cells[0] else BACK)[place.direction]
    return letter.upper() if colour is BarColour.LIGHT else letter
