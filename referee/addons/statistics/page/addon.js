// The players' statistics: a screen of their own, to which the games played here lead.

import { html } from "/static/dom.js";
import { translate } from "/static/i18n.js";

export const addon = {
  screens: { players: { of: "record", draw: async () => (await import("./players.js")).drawPlayers } },
  parts: { games: { draw: () => [html("a", { class: "button", href: "#/players", "data-key": "players" }, translate("Players and their statistics"))] } },
};
