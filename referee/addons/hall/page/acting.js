// What an arbiter orders: each order is asked about once more, signed by the desk, and answered by the table.

import { button, html } from "/static/dom.js";
import { editBoard } from "/static/editor.js";
import { translate } from "/static/i18n.js";
import { widgetOf } from "/static/kinds.js";
import { act } from "/static/session.js";
import { confirmed, openSheet } from "/static/sheet.js";
import { toast } from "/static/store.js";
import { outcomeName } from "./labels.js";

// Have something done at a table as it is shown. Resolves to whether it was.
async function order(table, does) {
  const answer = await act("POST", `/api/tables/${table.id}/orders`, { game: table.game, event: table.event, head: table.head, does });
  if (answer.ok) toast(translate("Done: the table has written it down."));
  else if (answer.code === "moved-on" && table.actions.includes("pause")) toast(`${answer.words} ${translate("Pause the game first: then nobody is faster.")}`, "trouble");
  else toast(answer.words || translate("No answer from the desk: look at the table before you try again."), "trouble");
  return answer.ok;
}

/**
 * Ask for words, and once more whether it is wanted.
 * @param {string} title
 * @param {string} words
 * @param {string} yes
 * @param {(reason: string, values: any) => any} send resolves to whether it was done
 * @param {{ needed?: boolean, kind?: string, fields?: () => HTMLElement[], values?: () => any }} [how]
 */
function asked(title, words, yes, send, { needed = false, kind = "main", fields = () => [], values = () => ({}) } = {}) {
  const reason = html("textarea", { id: "reason", rows: 3, maxlength: 500, required: needed, "data-key": "reason" });
  const submit = html("button", { type: "submit", class: kind, "data-key": "send-order" }, yes);
  const close = openSheet(title, [html("form", { class: "form", submit: async (event) => {
    event.preventDefault();
    submit.setAttribute("disabled", "");
    if (await send(/** @type {HTMLTextAreaElement} */ (reason).value.trim().replace(/\s+/g, " "), values())) close();
    else submit.removeAttribute("disabled");
  } },
  html("p", { class: "sheet-words" }, words), ...fields(),
  html("label", { for: "reason" }, needed ? translate("Note") : translate("Why, for the players and the record")), reason,
  html("div", { class: "row row-end" }, submit))]);
}

export function disputePart(table, dispute) {
  const { dispute: number, entry, turn, outcome, counts } = dispute;
  const settled = outcome ? html("p", {}, html("b", {}, outcomeName(outcome)),
    ` · ${[dispute.settled_by, dispute.settled_words].filter(Boolean).join(": ")}`) : null;
  return html("article", { class: "dispute", "data-dispute": number, "data-open": String(!outcome) },
    html("h2", {}, translate("Dispute over turn {n}", { n: turn })),
    html("p", {}, html("b", {}, dispute.by), dispute.words ? ` “${dispute.words}”` : ""), settled,
    outcome || !table.trusts ? null : html("div", { class: "row" },
      button(translate("Uphold the ruling"), () => uphold(table, number, turn), { class: "main", "data-key": `uphold-${number}` }),
      counts ? button(translate("Set the turn aside"), () => setAside(table, entry, number, turn), { class: "danger", "data-key": `aside-${number}` }) : null,
      canEdit(table) ? button(translate("Change the position"), () => change(table, number), { "data-key": `change-${number}` }) : null));
}

function uphold(table, dispute, turn) {
  asked(translate("Uphold the ruling"), translate("The ruling on turn {n} stands, and the dispute is settled.", { n: turn }), translate("Uphold the ruling"),
    (words) => order(table, { act: "uphold", dispute, words }));
}

function setAside(table, entry, dispute, turn) {
  asked(translate("Set the turn aside"), translate("Turn {n} and everything after it is taken back; the players put the board back.", { n: turn }), translate("Set the turn aside"),
    (words) => order(table, { act: "set_aside", entry, dispute, words }), { kind: "danger" });
}

const canEdit = (table) => Boolean(table.shown?.board && widgetOf(table.shown.board).editor);

function change(table, dispute) {
  editBoard("correct", async (_what, { changes }) => (await confirmed(translate("Change the position"),
    translate("The table goes on from the position as you have set it."), translate("Change the position")))
    && order(table, { act: "change_position", changes, dispute, words: "" }));
  document.getElementById("board-place").scrollIntoView({ block: "start" });
}

function sayBoard(table) {
  editBoard("rule_board", async (_what, { board }) => (await confirmed(translate("Say how the board stands"),
    translate("The turn is ruled on as if the cameras had seen this board."), translate("So it stands")))
    && order(table, { act: "say_board", board, dispute: 0, words: "" }));
  document.getElementById("board-place").scrollIntoView({ block: "start" });
}

export function orderPart(table) {
  const { ruling } = table;
  const can = (name) => table.actions.includes(name);
  return html("section", { class: "orders", "aria-labelledby": "orders-title" }, html("h2", { id: "orders-title" }, translate("Order at this table")),
    html("div", { class: "row" },
      ruling?.counts ? button(translate("Set turn {n} aside", { n: ruling.turn }), () => setAside(table, ruling.entry, 0, ruling.turn), { "data-key": "set-aside" }) : null,
      canEdit(table) && (can("rule_board") || can("resume")) ? button(translate("Say how the board stands"), () => sayBoard(table), { "data-key": "say-board" }) : null,
      canEdit(table) && (can("correct") || can("resume")) ? button(translate("Change the position"), () => change(table, 0), { "data-key": "change" }) : null,
      can("pause") ? button(translate("Pause the game"), () => pause(table), { "data-key": "pause" }) : null,
      can("resume") ? button(translate("Let the game go on"), () => goOn(table), { class: "main", "data-key": "resume" }) : null,
      table.clock ? button(translate("Time penalty"), () => penalty(table), { "data-key": "penalty" }) : null,
      button(translate("Note in the record"), () => note(table), { "data-key": "note" })));
}

function pause(table) {
  asked(translate("Pause the game"), translate("Play and the clock rest until you rule, or let the game go on."), translate("Pause the game"),
    (words) => order(table, { act: "pause", words }));
}

async function goOn(table) {
  if (await confirmed(translate("Let the game go on"), translate("Play goes on from where it rests."), translate("Let the game go on"))) order(table, { act: "resume", words: "" });
}

function penalty(table) {
  const who = html("select", { id: "penalised", "data-key": "penalised" }, ...table.players.map(({ colour, name }) => html("option", { value: colour }, name)));
  const seconds = html("input", { id: "seconds", type: "number", min: 1, max: 86400, step: 1, value: 60, required: true, "data-key": "seconds" });
  asked(translate("Time penalty"), translate("The time is taken from the player’s clock."), translate("Take the time"),
    (words, { player, taken }) => order(table, { act: "time_penalty", player, seconds: taken, words }), {
      kind: "danger",
      fields: () => [html("label", { for: "penalised" }, translate("Player")), who, html("label", { for: "seconds" }, translate("Seconds")), seconds],
      values: () => ({ player: /** @type {HTMLSelectElement} */ (who).value, taken: Number(/** @type {HTMLInputElement} */ (seconds).value) }),
    });
}

function note(table) {
  asked(translate("Note in the record"), translate("It stands in the game’s journal with your name."), translate("Write it down"),
    (words) => order(table, { act: "note", words, entry: 0 }), { needed: true });
}

// A table takes orders of a desk once its code was typed there.
export function trustPart(table) {
  const code = html("input", { id: "table-code", maxlength: 40, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true, "data-key": "table-code" });
  const trouble = html("p", { class: "trouble", role: "alert" }, "");
  const submit = html("button", { type: "submit", class: "main", "data-key": "send-code" }, translate("Be trusted"));
  return html("form", { class: "form trust", submit: async (event) => {
    event.preventDefault();
    submit.setAttribute("disabled", "");
    const answer = await act("POST", `/api/tables/${table.id}/trust`, { code: /** @type {HTMLInputElement} */ (code).value });
    submit.removeAttribute("disabled");
    if (answer.ok) toast(translate("The table trusts this desk."));
    else trouble.textContent = answer.words || translate("No answer from the desk: look at the table before you try again.");
  } },
  html("h2", {}, translate("This table does not trust this desk yet")),
  html("p", {}, translate("Only watching is possible. To order something, ask the table for its code: its own page then offers to show it, and who is there reads it out. At the table’s computer, 'referee hall code' shows one, too.")),
  html("p", {}, translate("The table’s page shows this desk’s id beside its name: {id}", { id: table.desk })),
  html("div", { class: "row" }, button(translate("Ask the table for its code"), () => askCode(table), { "data-key": "ask-code" })),
  html("label", { for: "table-code" }, translate("Code of the table")), code, trouble, html("div", { class: "row" }, submit));
}

async function askCode(table) {
  const answer = await act("POST", `/api/tables/${table.id}/code`);
  if (answer.ok) toast(translate("The table’s page asks its players for the code."));
  else toast(answer.words || translate("No answer from the desk: nothing was done."), "trouble");
}
