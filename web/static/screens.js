// Every screen but the one that is played on. What is seldom opened is asked for when it is.

import { addedScreen } from "./addons.js";
import { byId, forgetDrawn, html } from "./dom.js";
import { screenAsked } from "./frame.js";
import { translate } from "./i18n.js";
import { changed } from "./store.js";

const SCREENS = {};
const LATER = {
  copies: async () => (await import("./copies.js")).drawCopies,
  devices: async () => (await import("./devices.js")).drawDevices,
  games: async () => (await import("./games.js")).drawGames,
  new: async () => (await import("./newgame.js")).drawNewGame,
  record: async () => (await import("./record.js")).drawRecord,
  replay: async () => (await import("./replay.js")).drawReplay,
  room: async () => (await import("./roomsettings.js")).drawRoom,
  settings: async () => (await import("./settings.js")).drawSettings,
  table: async () => (await import("./certificatescreen.js")).drawTable,
};
let shown = null;

export function drawScreen() {
  const { screen, part } = screenAsked();
  const node = byId("screen");
  if (shown !== screen) {
    forgetDrawn(node);
    node.replaceChildren();
    node.dataset.name = screen;
    shown = screen;
    if (!SCREENS[screen]) fetchScreen(screen, node);
  }
  SCREENS[screen]?.(node, part);
}

// Back at the game: whoever comes to a screen again comes to it anew.
export function leaveScreen() {
  shown = null;
}

async function fetchScreen(screen, node) {
  try {
    SCREENS[screen] = await (LATER[screen] ?? addedScreen(screen).draw)();
    changed();
  } catch {
    if (shown !== screen) return;
    shown = null; // whoever comes back to it asks once more
    node.replaceChildren(html("p", { class: "quiet" }, translate("No answer from the referee: load the page again.")));
  }
}
