// The help topic of what the page says: one for each notice, and for what a ruling leaves people with.

import { html } from "./dom.js";
import { translate } from "./i18n.js";
import { known, mayAct, ownPlayer } from "./store.js";

const NOTICES = { camera: "camera", cameras: "camera", lens: "lens", journal: "disk", evidence: "disk", buttons: "buttons", changed: "changed", rehearsal: "rehearsal", game: "game", table: "table", messages: "messages" };
const PHASES = { "set-up": "setup", unsure: "unsure", violation: "breach", restoring: "restoring", blind: "blind" };
const WAITS = { hand: "hand", still: "still", view: "view", show: "showing", done: "showing", changed: "showing" };

// "" where there is nothing to help with.
export function topicOf(state) {
  if (state.swept) return "swept";
  if (state.clock?.fallen && state.phase.id === "playing") return "clock";
  const waiting = state.live.waiting?.id;
  const settled = state.phase.id === "set-up" && state.banner.tone !== "unsure"; // it looks, or is ready to begin
  return (settled ? "" : PHASES[state.phase.id]) || WAITS[waiting] || "";
}

export function noticeTopic(id) {
  return NOTICES[id.split("-", 1)[0]] ?? "";
}

// Where a notice is dealt with on this page, by who may; null where it is not.
export function noticeWay(id) {
  if (id === "desk-asks" && mayAct() && !ownPlayer()) return html("a", { href: "#/devices", class: "help-link", "data-key": "let-desk-in" }, translate("Decide"));
  if (id === "rehearsal" && mayAct() && !ownPlayer()) return html("a", { href: "/setup#rehearsal", class: "help-link", "data-key": "renew-rehearsal" }, translate("Rehearsal"));
  return id === "data-invented" && mayAct() && !ownPlayer()
    ? html("a", { href: "#/copies", class: "help-link", "data-key": "enter-copy" }, translate("Use your own")) : null;
}

export function helpLink(topic) {
  return topic ? html("a", { href: `/help?lang=${known.language}#${topic}`, class: "help-link" }, translate("What to do about it")) : null;
}
