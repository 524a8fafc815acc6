"""Write sentences for people, and turns in words."""
