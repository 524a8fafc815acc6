// What stands on a field that the cameras can't tell: said with one touch, for a turn or for the set-up.

import { button, html } from "./dom.js";
import { editBoard } from "./editor.js";
import { translate } from "./i18n.js";
import { pictureOf, widgetOf } from "./kinds.js";
import { nameOf } from "./paints.js";
import { sign } from "./pieces.js";
import { known, tell } from "./store.js";

/** @typedef {{ field: string, why: string, answers: { stands: string, height: number, piece: string | null }[], told?: string | null }} Ask */

// One question at a time: a field is not asked about beside boards that tell each of its answers.
/**
 * @param {Ask | null} ask
 * @param {{ told: Record<string, string> }[]} offered boards that may stand there
 */
export function question(ask, offered = []) {
  if (!ask || (offered.length > 1 && ask.answers.every(({ stands }) => offered.some(({ told }) => told[ask.field] === stands)))) return null;
  const asked = translate("What stands on {field}?", { field: ask.field });
  return html("div", { class: "ask", role: "group", "aria-label": asked }, html("p", {}, html("b", {}, asked), ` ${ask.why}`), answers(ask));
}

/** @param {Ask} ask */
function answers(ask) {
  return html("div", { class: "row" }, ...ask.answers.map(({ stands, height, piece }) => {
      const words = translate("height {height}", { height });
      return html("button", { type: "button", "data-key": `${ask.field}-stands-${stands}`, "aria-label": piece ? `${words}, ${nameOf(piece)}` : words,
        "aria-pressed": ask.told === undefined ? null : String(ask.told === stands),
        disabled: Boolean(known.sending), click: () => tell("tell", { field: ask.field, stands }) },
      html("b", {}, String(height)), piece ? sign(piece) : null);
    }));
}

const MARKED = { tone: "unsure" };

// The boards that may stand there, the likeliest first, as pictures that differ in the fields in doubt: one touch chooses one, and
// tells what stands on these fields and no other.
export function boardsToChoose({ candidates, board, seats, kit }, from) {
  if (candidates.length < 2) return null;
  const asked = translate("Which of these boards stands there?");
  return html("div", { class: "ask", role: "group", "aria-label": asked }, html("p", {}, html("b", {}, asked)),
    html("div", { class: "candidates" }, ...candidates.map(({ told, board: shown }, index) => {
      const fields = Object.keys(told);
      const [[field, stands], ...others] = Object.entries(told);
      return html("button", { type: "button", class: "candidate", "data-key": `candidate-${index}`, disabled: Boolean(known.sending),
        "aria-label": widgetOf(board).some(shown, fields).join("; "),
        click: () => tell("tell", { field, stands, ...(others.length ? { others: Object.fromEntries(others) } : {}) }) },
      pictureOf(shown, { seats, kit, side: from, marks: { ...MARKED, fields }, near: fields }, { "aria-hidden": "true" }));
    })));
}

// The fields of the set-up nobody could see, and a way to say that it stands otherwise.
export function setupQuestions(setup) {
  if (!setup) return [];
  return [...setup.asks.map((ask) => html("div", { class: "ask ask-short", role: "group", "data-asked": ask.field,
    "aria-label": translate("What stands on {field}?", { field: ask.field }) }, html("b", {}, ask.field), answers(ask))),
    setup.by_hand ? button(translate("Something else stands there"), () => editBoard("begin"), { "data-key": "otherwise", disabled: Boolean(known.sending) }) : null];
}
