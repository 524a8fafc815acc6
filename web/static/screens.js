// Every screen but the one that is played on.

import { byId, forgetDrawn } from "./dom.js";
import { drawCopies } from "./copies.js";
import { drawDevices } from "./devices.js";
import { screenAsked } from "./frame.js";
import { drawGames } from "./games.js";
import { drawNewGame } from "./newgame.js";
import { drawPlayers } from "./players.js";
import { drawRecord } from "./record.js";
import { drawReplay } from "./replay.js";
import { drawRoom } from "./roomsettings.js";
import { drawSettings } from "./settings.js";
import { drawTable } from "./certificatescreen.js";

const SCREENS = { games: drawGames, record: drawRecord, table: drawTable, devices: drawDevices, settings: drawSettings, new: drawNewGame, copies: drawCopies, replay: drawReplay, room: drawRoom, players: drawPlayers };
let shown = null;

export function drawScreen() {
  const { screen, part } = screenAsked();
  const node = byId("screen");
  if (shown !== screen) {
    forgetDrawn(node);
    node.replaceChildren();
    node.dataset.name = screen;
    shown = screen;
  }
  SCREENS[screen](node, part);
}
