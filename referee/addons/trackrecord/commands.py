"""Name the command of track records."""

COMMANDS = {"evidence": "referee.addons.trackrecord.command"}
