"""A paint that no page can draw is refused with what to write."""

from __future__ import annotations

import pytest

from referee.values.paints import Paint


@pytest.mark.parametrize(
    ("light", "outline", "says"),
    [("crimson", "circle", "'crimson' is no colour of a paint"), ("#dc143c", "heart", "no outline 'heart'")],
)
def test_what_no_page_can_draw_is_refused(light: str, outline: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Paint(light, "#dc143c", "#ffffff", outline)
