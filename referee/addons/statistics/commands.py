"""Name the command of ratings."""

COMMANDS = {"ratings": "referee.addons.statistics.ratingscommand"}
"""Command and module."""
