"""Play seats for the game itself: find ladders to climb, cubes to build them from, walks up them."""
