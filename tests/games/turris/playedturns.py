"""Give turns of a tower that were played."""

from __future__ import annotations

# Standing bars, column by column and two levels at a time: 36 fill eight levels.
COLUMNS = ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3", "b2"]


STACK = [f"{COLUMNS[i % 9]}.{1 + 2 * (i // 9)}^" for i in range(40)]


PLAYED = ", ".join(f"{'LD'[i % 2]} {name}" for i, name in enumerate(STACK[:39]))
