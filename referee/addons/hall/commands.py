"""Name the commands of a hall."""

COMMANDS = {"hall": "referee.addons.hall.command"}
