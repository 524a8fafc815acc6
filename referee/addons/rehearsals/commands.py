"""Name the commands of rehearsals."""

COMMANDS = {"rehearse": "referee.addons.rehearsals.command"}
