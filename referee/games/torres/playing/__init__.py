"""Play seats for the game itself: value boards, list acts, and find the turn with a beam."""
