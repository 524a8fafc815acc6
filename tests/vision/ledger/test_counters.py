"""What a count is told from: the chances of every place in the Zone."""

import numpy as np
import pytest

from vision.ledger.counters import counted

EMPTY, GREEN, YELLOW, COVERED = np.eye(4)


def mostly(what: np.ndarray, sure: float, beside: np.ndarray = EMPTY) -> np.ndarray:
    return np.asarray(sure * what + (1 - sure) * beside)


@pytest.mark.parametrize(
    ("places", "green", "yellow"),
    [
        ([EMPTY, GREEN, YELLOW, YELLOW], 1, 2),
        ([mostly(GREEN, 0.97)] * 4 + [YELLOW], 4, 1),  # each of four hardly doubtful: 0.89 together
        ([mostly(GREEN, 0.97)] * 8 + [YELLOW], None, 1),  # 0.78 together; yellow is not in doubt
        ([GREEN, mostly(YELLOW, 0.6), YELLOW], 1, None),
        ([GREEN, mostly(YELLOW, 0.6, GREEN), YELLOW], None, None),
        ([GREEN, mostly(EMPTY, 0.95, COVERED), YELLOW], 1, 1),
        ([GREEN, mostly(EMPTY, 0.88, COVERED), YELLOW], None, None),  # something may lie over any colour
        ([mostly(EMPTY, 0.99)] * 10, 0, 0),
    ],
)
def test_a_count_is_told_where_no_place_leaves_it_open(
    places: list[np.ndarray], green: int | None, yellow: int | None
) -> None:
    assert counted(np.array(places), ("green", "yellow")) == {"green": green, "yellow": yellow}
