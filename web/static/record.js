// The game so far: every entry with its ruling, pictures and acts; disputes; what to take away.

import { undoFrom } from "./actions.js";
import { whereWritten } from "./breach.js";
import { button, html, redraw } from "./dom.js";
import { legend, notation } from "./acts.js";
import { signsOf } from "./explained.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { boardFrom, pictureOf } from "./kinds.js";
import { recordAround } from "./older.js";
import { evidence } from "./pictures.js";
import { sign } from "./pieces.js";
import { face, side } from "./prefs.js";
import { entryRow, openWords, orderedWords, retoldMark } from "./ruling.js";
import { closeSheet, openSheet } from "./sheet.js";
import { action, known, mayAct, playerName, tell } from "./store.js";
import { reportButton, takeAway } from "./takeaway.js";
import { accountOf } from "./telling.js";
import { wrongButton } from "./wrong.js";

export function drawRecord(node, part) {
  const { state } = known;
  const last = state.history.at(-1)?.entry ?? 0;
  const number = part === null ? last : Number(part);
  const entries = recordAround(number, state);
  const index = entries.findIndex(({ entry }) => entry === number);
  redraw(node, [entries, state.disputes, state.arbiter, state.result, state.seats, number, last, face(), side(), known.language, mayAct(), state.actions], () => [
    html("header", { class: "record-head" }, html("h1", {}, translate("The game so far")),
      html("a", { class: "button", href: "#/games", "data-key": "games" }, translate("Games played here"))),
    ordered(state),
    state.result ? html("p", { class: "result" }, html("b", {}, state.result.words)) : null,
    last ? html("div", { class: "record" }, detail(state, entries, index, last), turnList(entries, number, last)) : html("p", { class: "quiet" }, translate("No turn has been played yet.")),
    takeAway(),
  ]);
  inSight(node.querySelector(".turns"));
}

// What arbiters ordered, each with the turn that was played then.
function ordered({ arbiter }) {
  if (!arbiter.length) return null;
  return html("section", { class: "ordered", "aria-labelledby": "ordered-title" }, html("h2", { id: "ordered-title" }, translate("What the arbiter ordered")),
    html("ol", {}, ...arbiter.map((told) => html("li", {}, html("span", { class: "quiet" }, translate("Turn {n}", { n: told.turn })), " ", ...orderedWords(told)))));
}

// The chosen turn is in sight where the list scrolls by itself; the page stays where it is.
function inSight(list) {
  const row = list?.querySelector('[aria-current="true"]');
  if (!row || list.scrollHeight <= list.clientHeight) return;
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

function turnList(entries, number, last) {
  const rows = [...entries].reverse().map(entryRow);
  for (const row of rows) {
    const link = row.querySelector("a");
    if (link.hash === `#/record/${number}`) link.setAttribute("aria-current", "true");
  }
  const beyond = (entry, words) => (entry >= 1 && entry <= last ? html("a", { href: `#/record/${entry}`, "data-key": `beyond-${entry}` }, words) : null);
  return html("nav", { class: "turns", "aria-label": translate("Turns") },
    beyond(entries.at(-1)?.entry + 1, translate("Newer turns")), html("ol", { reversed: true }, ...rows), beyond(entries[0]?.entry - 1, translate("Older turns")));
}

function detail(state, entries, index, last) {
  const entry = entries[index];
  if (!entry) return html("p", { class: "quiet" }, translate("There is no such turn."));
  const from = (face() + side()) % 4;
  const fields = entry.violations.flatMap((rule) => rule.fields);
  const seen = { seats: state.seats, kit: state.kit, side: from };
  const led = entries.slice(0, index).findLast(({ counts, what }) => counts && !["passed", "resigned"].includes(what));
  const before = pictureOf(boardFrom(entry.before, state, led?.open), seen);
  const after = pictureOf(boardFrom(entry.after, state, entry.open), {
    ...seen, acts: entry.acts, actsBy: entry.player, marks: fields.length ? { fields, tone: "illegal" } : null,
  });
  return html("section", { class: "entry", "aria-label": translate("Turn {n}", { n: entry.turn }), "data-entry": entry.entry },
    steps(entry.entry, last), told(entry),
    before && after ? html("div", { class: "pair" },
      html("figure", {}, html("figcaption", {}, translate("Before")), before),
      html("figure", {}, html("figcaption", {}, translate("After")), after)) : null,
    html("p", { class: "legend" }, ...legend(entry.acts, state.legend)), openWords(entry),
    entry.account ? html("div", { class: "tally" }, ...accountOf(state, entry.account)) : null,
    evidence(entry.pictures), disputes(state, entry), choices(entry));
}

function told(entry) {
  const by = entry.by ? translate("by {name}", { name: entry.by }) : null;
  return html("header", { class: "entry-head", "data-verdict": entry.verdict },
    html("h2", {}, sign(entry.player), html("span", {}, playerName(entry.player), ", ", translate("turn {n}", { n: entry.turn }))),
    html("p", { class: "entry-words" }, html("b", {}, entry.words), retoldMark(entry), ...[entry.fate_words, by, entry.by_hand ? translate("board given by hand") : null]
      .filter(Boolean).map((words) => html("span", {}, words))),
    ...entry.violations.map((rule) => html("p", { class: "broken-words" }, rule.words, " ",
      html("span", { class: "broken-where" }, whereWritten(rule)))),
    ...(entry.sightless ?? []).map((words) => html("p", { class: "broken-where" }, words)),
    entry.text ? html("p", { class: "log-text" }, ...notation(entry.text)) : null, entry.text ? signsOf(known.state) : null);
}

function steps(number, last) {
  const to = (entry, sign_, words) => {
    const off = entry < 1 || entry > last || entry === number;
    return html("a", {
      class: "button icon-button", "data-key": sign_, "aria-label": words, title: words, role: off ? "link" : null,
      href: off ? null : `#/record/${entry}`, "aria-disabled": off ? "true" : null,
    }, icon(sign_));
  };
  return html("div", { class: "steps-row", role: "group", "aria-label": translate("Step through the game") },
    to(1, "first", translate("First turn")), to(number - 1, "back", translate("Turn before")),
    html("span", { class: "quiet" }, `${number} / ${last}`),
    to(number + 1, "next", translate("Next turn")), to(last, "last", translate("Last turn")));
}

function disputes(state, entry) {
  const found = state.disputes.filter((dispute) => dispute.entry === entry.entry);
  if (!found.length) return null;
  return html("section", { class: "disputes", "aria-label": translate("Disputes") }, ...found.map((dispute) =>
    html("article", { "data-dispute": dispute.dispute },
      html("p", {}, html("b", {}, translate("Disputed by {name}", { name: dispute.by })), dispute.words ? translate("{name}: {value}", { name: "", value: dispute.words }) : ""),
      dispute.open ? (mayAct() ? button(translate("Settle"), () => settle(dispute), { "data-key": `settle-${dispute.dispute}` }) : null)
        : html("p", { class: "quiet" }, `${dispute.outcome_words} (${dispute.settled_by})${dispute.settled_words ? translate("{name}: {value}", { name: "", value: dispute.settled_words }) : ""}`))));
}

function choices(entry) {
  const report = entry.verdict ? reportButton(entry.turn) : null;
  if (!mayAct()) return report ? html("div", { class: "row" }, report) : null;
  return html("div", { class: "row" }, report, wrongButton(entry),
    action("dispute") ? button(translate("Dispute this turn"), () => dispute(entry), { "data-key": "dispute" }) : null,
    action("undo") && entry.counts ? button(translate("Undo from here"), () => undoFrom(entry), { "data-key": "undo", class: "danger" }) : null);
}

function dispute(entry) {
  const words = html("textarea", { id: "dispute-words", rows: 3, maxlength: 500 });
  openSheet(translate("Dispute this turn"), [html("form", { class: "form", submit: async (event) => {
    event.preventDefault();
    if (await tell("dispute", { entry: entry.entry, words: words.value.trim() })) closeSheet();
  } }, html("label", { for: "dispute-words" }, translate("What is wrong? (optional)")), words,
  html("p", { class: "hint" }, translate("The turn and its pictures are kept; play goes on meanwhile.")),
  html("button", { type: "submit", class: "main" }, translate("Open the dispute")))]);
  words.focus();
}

function settle({ dispute: number }) {
  const words = html("textarea", { id: "settle-words", rows: 2, maxlength: 500 });
  const send = (outcome) => async () => {
    if (await tell("resolve", { dispute: number, outcome, words: words.value.trim() })) closeSheet();
  };
  openSheet(translate("Settle the dispute"), [
    html("div", { class: "form" }, html("label", { for: "settle-words" }, translate("How was it settled? (optional)")), words),
    html("div", { class: "choices" },
      button(translate("The ruling stands"), send("stands")),
      button(translate("The turn was changed"), send("changed")),
      button(translate("The dispute is withdrawn"), send("withdrawn"))),
  ]);
}
