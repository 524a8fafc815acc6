"""What the tablet says as the game’s banker."""
