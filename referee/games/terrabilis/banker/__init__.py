"""Let the tablet be the game’s banker."""
