"""What goes wrong at a demo hall's table after it cut its own power."""

from __future__ import annotations

from referee.addons.hall.mishaps import disputed_in
from referee.addons.hall.showntable import fate
from referee.values.words import LANGUAGES


def test_a_table_that_was_begun_again_does_not_end_the_same_way() -> None:
    chance, first = fate(4, 1)
    again, then = fate(4, 18)
    assert (chance.random(), first) != (again.random(), then)
    assert len({fate(4, last)[1] % 5 for last in range(1, 6)}) == 5, "so its power is cut first one time in five"
    assert fate(4, 1)[0].random() == fate(4, 1)[0].random(), "a table shows the same once more"


def test_players_dispute_in_the_language_of_the_desk() -> None:
    said = [words for language in LANGUAGES for words in disputed_in(language, seen=True)]
    assert len(set(said)) == len(said) == 3 * len(LANGUAGES)


def test_nobody_speaks_of_cameras_or_stones_where_nothing_is_seen() -> None:
    assert disputed_in("en", seen=False) == ("We had agreed on another move.",)
