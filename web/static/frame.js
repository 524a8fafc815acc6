// Around the screens: where one is, how to go elsewhere, and how the page lies on the table.

import { addedScreen } from "./addons.js";
import { byId, html, redraw, show } from "./dom.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { face, keep } from "./prefs.js";
import { known } from "./store.js";

// The screen the address asks for, and what of it.
export function screenAsked() {
  const [screen, text = null] = location.hash.slice(2).split("/");
  const part = text && new URLSearchParams(`_=${text}`).get("_");
  return ["record", "games", "table", "devices", "settings", "new", "copies", "replay", "room"].includes(screen) || addedScreen(screen) ? { screen, part } : { screen: "play", part: null };
}

export function drawFrame() {
  const { screen, part } = screenAsked();
  const main = byId("main");
  const at = `${screen}/${part ?? ""}`;
  if (main.dataset.at !== at) { // another turn of the record begins at its head, too
    Object.assign(main.dataset, { screen, at });
    main.scrollTop = 0;
  }
  show(byId("play"), screen === "play");
  show(byId("screen"), screen !== "play");
  byId("nav").setAttribute("aria-label", translate("Screens"));
  redraw(byId("nav"), [screen, known.language], () => [
    tab("play", "#/play", translate("Play"), screen),
    tab("record", "#/record", translate("Game so far"), screen),
    tab("table", "#/table", translate("Table"), screen),
    tab("settings", "#/settings", translate("Settings"), screen),
  ]);
  const faces = byId("faces");
  redraw(faces, [known.language, face()], () => [
    turn(1, "left", translate("Turn the page to the left-hand side")),
    turn(2, "across", translate("Turn the page to the opposite side")),
    turn(3, "right", translate("Turn the page to the right-hand side")),
  ]);
  faces.setAttribute("role", "group");
  faces.setAttribute("aria-label", translate("Turn the page"));
}

const OF = { devices: "settings", new: "table", copies: "settings", room: "settings", replay: "record", games: "record" };

function tab(name, address, words, screen) {
  return html("a", { href: address, class: "tab", "data-key": name, "aria-current": (OF[screen] ?? addedScreen(screen)?.of ?? screen) === name ? "page" : null },
    icon(name), html("span", {}, words));
}

function turn(by, sign, words) {
  return html("button", { type: "button", class: "icon-button", "data-key": sign, "aria-label": words, title: words,
    click: () => keep("face", String((face() + by) % 4)) }, icon(sign));
}
