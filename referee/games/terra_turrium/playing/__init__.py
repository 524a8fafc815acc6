"""Seats that the game plays itself: ladders to climb, cubes to build them from, walks up them."""
