"""The findings of an attack."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """Lines of what was tried. failed: those that did not hold."""

    name: str
    lines: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def note(self, words: str) -> None:
        """Note something measured that nobody promised."""
        self.lines.append(f"  {words}")

    def holds(self, true: bool, words: str) -> None:
        """Note something promised, and whether it held."""
        self.lines.append(f"{'  holds:' if true else '  DOES NOT HOLD:'} {words}")
        if not true:
            self.failed.append(words)

    def __str__(self) -> str:
        return "\n".join((self.name, *self.lines))
