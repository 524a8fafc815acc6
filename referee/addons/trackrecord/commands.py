"""Name the commands of track records."""

COMMANDS = {
    "evidence": "referee.addons.trackrecord.command",
    "evening": "referee.addons.trackrecord.eveningcommand",
}
