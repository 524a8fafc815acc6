"""Ledgers on the page: an observation says itself how it is drawn."""

from __future__ import annotations

from referee.view.kindview import KindView

VIEW = KindView()
