"""Seats that the game plays itself: what a board is worth, the acts there are, the turn that a beam of them finds."""
