"""Examine what a computer needs to referee a table, one thing after the other."""
