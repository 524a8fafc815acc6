"""Name the commands of archives."""

COMMANDS = {"archive": "referee.addons.archives.command"}
