"""Name the commands for authors."""

COMMANDS = {
    "check-game": "referee.addons.authoring.checkgame",
    "new-game": "referee.addons.authoring.newgame",
}
