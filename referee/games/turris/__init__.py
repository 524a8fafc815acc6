"""Turris: a tower of light and dark bars on a board that players turn. The rules, and what is played with."""

from __future__ import annotations

from pathlib import Path

from referee.values.words import add_catalogue

add_catalogue("turris", Path(__file__).with_name("locale"))
