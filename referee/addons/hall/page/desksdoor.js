// The arbiters' desks of a hall that this table trusts, and the code that lets one more in.

import { button, html } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { act } from "/static/session.js";
import { confirmed, openSheet } from "/static/sheet.js";
import { changed, toast } from "/static/store.js";

const AGAIN_MS = 5000;

let door = null;
let asked = "";

// What the part is drawn from; it is fetched anew when a desk begins or ceases to ask.
export function doorNow(notices) {
  const asks = notices.some(({ id }) => id === "desk-asks") ? "asks" : "none";
  if (asks !== asked) {
    asked = asks;
    load();
  }
  return door;
}

async function load() {
  const answer = await act("GET", "/api/desks");
  if (answer.ok) door = answer;
  else setTimeout(fetchAgain, AGAIN_MS);
  changed();
}

// Whoever draws the part next fetches it: nobody asks on for a page that is gone.
function fetchAgain() {
  asked = "";
  changed();
}

// Null at a table that is in no hall.
export function doorPart() {
  if (!door?.joined) return null;
  return html("section", { class: "stack", "aria-labelledby": "desks-title" }, html("h2", { id: "desks-title" }, translate("Arbiters’ desks")),
    html("p", {}, translate("An arbiter’s desk that this table trusts may settle disputes, take turns back, change the position and take time.")),
    door.asks ? html("p", { class: "notice", "data-tone": "warning" }, translate("The arbiter’s desk “{name}” ({id}) asks to be trusted by this table.", { name: door.asks, id: door.asks_id })) : null,
    html("div", { class: "row" }, button(translate("Show a code for a desk"), showCode, { class: door.asks ? "main" : "", "data-key": "desk-code" }),
      door.asks ? button(translate("Let it not in"), decline, { "data-key": "decline-desk" }) : null),
    html("ul", { class: "devices" }, ...door.desks.map((desk) => html("li", { "data-desk": desk.id },
      html("span", { class: "device-name" }, desk.name), html("span", { class: "quiet" }, translate("trusted since {when}", { when: when(desk.since) })),
      html("span", { class: "row" }, button(translate("Trust it no longer"), () => forgotten(desk), { class: "danger", "data-key": `forget-desk-${desk.id}` }))))));
}

const when = (seconds) => new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

async function showCode() {
  const answer = await act("POST", "/api/desks/code");
  if (!done(answer)) return;
  const { code, seconds, name, id } = answer.result;
  openSheet(translate("Show a code for a desk"), [
    html("p", { class: "sheet-words" }, id ? translate("Read this code out to the arbiter at “{name}” ({id}), who may then rule at this table. It lets no other desk in.", { name, id })
      : translate("Read this code out to the arbiter. Whoever types it at a desk may rule at this table.")),
    html("p", { class: "big-code", "data-key": "shown-code" }, code),
    html("p", { class: "hint" }, translateN("Open for {n} minute, for one desk.", "Open for {n} minutes, for one desk.", Math.round(seconds / 60))),
  ], load);
}

async function decline() {
  if (done(await act("POST", "/api/desks/decline"))) load();
}

async function forgotten(desk) {
  const words = translate("“{name}” may only watch from now on.", { name: desk.name });
  if (!(await confirmed(translate("Trust it no longer"), words, translate("Trust it no longer"), "danger"))) return;
  if (done(await act("DELETE", `/api/desks/trusted/${encodeURIComponent(desk.id)}`))) load();
}

function done(answer) {
  if (!answer.ok) toast(answer.words || translate("No answer from the referee: nothing was done."), "trouble");
  return answer.ok;
}
