// One table as the arbiter sees it: board, ruling, disputes, and what can be ordered there.

import { boards, rules } from "/static/breach.js";
import { button, forgetDrawn, html, redraw, svg } from "/static/dom.js";
import { drawEditor, editedFields, touchField } from "/static/editor.js";
import { translate, translateN } from "/static/i18n.js";
import { widgetOf } from "/static/kinds.js";
import { learnPaints, nameOf } from "/static/paints.js";
import { sign } from "/static/pieces.js";
import { known } from "/static/store.js";
import { disputePart, orderPart, trustPart } from "./acting.js";
import { fateName, needName, tableName, verdictName } from "./labels.js";
import { badges, needWords } from "./tiles.js";

let reported = { table: "", turn: 0, came: 0 };

/**
 * @param {HTMLElement} node
 * @param {any} table
 * @param {number} came the turn that is to be looked at; its report is fetched
 */
export function drawTable(node, table, came) {
  if (reported.table !== table.id || reported.came !== came) reported = { table: table.id, turn: came, came };
  if (!reported.turn) reported = { ...reported, turn: (table.disputes ?? []).find(({ outcome }) => !outcome)?.turn ?? 0 };
  if (table.shown) learnPaints(table.shown);
  if (!node.querySelector(".one-table")) {
    forgetDrawn(node); // the hall that stood there is drawn anew on the way back, changed or not
    node.replaceChildren(frame());
  }
  part(node, "top", [table.name, table.needs, table.online, table.floods, table.missing, table.page], () => top(table));
  part(node, "trust", [table.trusts, table.id], () => (table.trusts ? null : trustPart(table)));
  part(node, "said", [table.shown?.banner, table.ruling, table.result], () => said(table));
  drawBoard(node, table);
  if (table.shown) drawEditor(table.shown);
  part(node, "broken", [table.shown?.violation, table.shown?.seats], () => broken(table));
  part(node, "players", [table.shown?.seats, table.clock], () => players(table));
  part(node, "disputes", [table.disputes, table.event, table.trusts], () => (table.disputes ?? []).map((one) => disputePart(table, one)));
  part(node, "orders", [table.trusts, table.event, table.game, table.disputes, table.ruling], () => (table.trusts && table.game ? orderPart(table) : null));
  const turns = [...new Set([table.ruling?.turn, ...(table.disputes ?? []).map(({ turn }) => turn)].filter(Boolean))].slice(-8);
  part(node, "reports", [reported, turns, table.trusts, table.game], () => reports(table, turns));
  const settled = (table.disputes ?? []).filter(({ turn }) => turn === reported.turn);
  part(node, "report", [reported, table.trusts, table.online, settled], () => report(table));
  part(node, "line", [table.line], () => line(table));
  part(node, "health", [table.health], () => health(table));
}

function part(node, name, from, build) {
  const place = node.querySelector(`[data-part="${name}"]`);
  redraw(place, [from, document.documentElement.lang, known.session?.paired], () => [build()].flat().filter(Boolean));
}

function frame() {
  const place = (name, attributes = {}) => html("div", { "data-part": name, ...attributes });
  return html("div", { class: "one-table" }, place("top"), place("trust"),
    html("div", { class: "one-left" }, place("said"),
      html("section", { class: "board", id: "board-place" }, svg("svg", { id: "board", role: "img", preserveAspectRatio: "xMidYMid meet" }),
        html("div", { id: "board-words", class: "board-words" })),
      html("section", { class: "editor", id: "editor", hidden: true }), place("broken"), place("players")),
    html("div", { class: "one-right" }, place("disputes"), place("orders"), place("reports"), place("report"), place("line"), place("health")));
}

function top(table) {
  return [html("div", { class: "row" }, html("a", { class: "button", href: "#/", "data-key": "back" }, translate("All tables")),
    html("h1", {}, tableName(table), " ", html("span", { class: "quiet" }, table.title ?? "")), ...badges({ ...table, needs: [] }),
    table.page ? html("a", { class: "own-page", href: table.page, target: "_blank", rel: "noreferrer noopener" }, translate("The table’s own page")) : null),
  table.needs.length === 0 ? null : html("ul", { class: "needs" }, ...table.needs.map((need) => html("li", { class: "need", "data-what": need.what },
      html("b", {}, needName(need.what)), html("span", { class: "need-words" }, needWords(need)), html("time", { class: "need-since", "data-since": need.since }, ""))))];
}

function said({ shown, ruling, result }) {
  if (!shown) return html("p", { class: "quiet" }, translate("Nothing is known of it yet."));
  const { banner } = shown;
  return [html("section", { class: "ruling", "data-tone": banner.tone },
    html("div", {}, html("h2", { class: "desk-headline" }, result || banner.headline), html("p", { class: shown.violation ? "for-reader" : "" }, banner.detail))),
  ruling ? html("p", { class: "ruled" }, `${translate("Turn {n}", { n: ruling.turn })}: `, html("b", { "data-verdict": ruling.verdict }, verdictName(ruling.verdict)),
    ruling.words === verdictName(ruling.verdict) ? null : ` · ${ruling.words}`, ruling.text ? html("code", {}, ruling.text) : null) : null];
}

function drawBoard(node, { shown }) {
  if (!shown?.board) return;
  const widget = widgetOf(shown.board);
  const { editing } = known;
  const all = { seats: shown.seats, kit: shown.kit };
  const options = editing ? { ...all, edited: editedFields(), touch: touchField, chosen: editing.chosen }
    : { ...all, acts: shown.acts, actsBy: shown.acts_by, marks: shown.banner };
  const [drawn, words] = [node.querySelector("#board"), node.querySelector("#board-words")];
  drawn.toggleAttribute("hidden", widget.surface !== "svg");
  words.toggleAttribute("hidden", widget.surface !== "html");
  try {
    widget.draw(widget.surface === "svg" ? drawn : words, editing?.board ?? shown.board, options);
  } catch {
    words.removeAttribute("hidden");
    words.replaceChildren(html("p", { class: "quiet" }, translate("This table’s board can’t be drawn.")));
  }
}

function broken({ shown }) {
  if (!shown?.violation) return null;
  try {
    return [rules(shown.violation, shown), boards(shown.violation, shown)];
  } catch {
    return html("p", { class: "quiet" }, translate("This table’s board can’t be drawn."));
  }
}

function players({ id, shown, clock }) {
  if (!shown) return null;
  return html("ul", { class: "desk-seats" }, ...shown.seats.map((seat) => html("li", { class: seat.to_move ? "tile-active" : "" },
    sign(seat.colour), html("b", {}, seat.name), clock ? html("time", { "data-tile-clock": `${id} ${seat.colour}` }, "") : null,
    widgetOf(shown.board).accounts ? null : html("span", { class: "quiet" }, (seat.counters ?? []).map(({ name, value, of }) => `${name} ${of > 0 ? `${value}\u2009/\u2009${of}` : value}`).join(", ")))));
}

function reports(table, turns) {
  if (!table.game) return null;
  const open = (turn) => {
    reported = { ...reported, turn };
    drawTable(/** @type {HTMLElement} */ (document.getElementById("main")), table, reported.came);
  };
  return [html("h2", {}, translate("Report")),
    table.trusts ? html("div", { class: "row" }, ...turns.map((turn) => button(translate("Turn {n}", { n: turn }), () => open(turn), {
      "data-key": `report-${turn}`, "aria-pressed": String(turn === reported.turn) })))
      : html("p", { class: "quiet" }, translate("The table sends reports to a desk that it trusts."))];
}

// The report on a turn, fetched from the table into a frame that runs no script and reaches nothing.
function report({ id, trusts, online }) {
  const { turn } = reported;
  if (turn && trusts && !online) return html("p", { class: "quiet" }, translate("The table is cut off: its report comes once it is back."));
  return turn && trusts ? html("iframe", { class: "report", sandbox: "", title: translate("Report on turn {n}", { n: turn }), referrerpolicy: "no-referrer",
    src: `/api/tables/${id}/report?turn=${turn}&lang=${document.documentElement.lang}` }) : null;
}

function line({ line: rulings }) {
  if (!rulings?.length) return null;
  return [html("h2", {}, translate("What was ruled")),
    html("ol", { class: "desk-line" }, ...[...rulings].reverse().map((ruling) => html("li", { "data-verdict": ruling.verdict },
      html("span", { class: "quiet" }, translate("Turn {n}", { n: ruling.turn })), html("span", {}, nameOf(ruling.player)),
      html("b", { "data-verdict": ruling.verdict }, verdictName(ruling.verdict)), html("span", { class: "quiet" }, [ruling.text, fateName(ruling.fate)].filter(Boolean).join(" · ")))))];
}

function health({ health: how }) {
  if (!how) return null;
  return [html("h2", {}, translate("Cameras and disk")),
    html("ul", { class: "desk-health" }, ...how.cameras.map(({ name, ok, words, age_s: age, markers, sharpness }) => html("li", { class: ok ? "" : "tile-lost" },
      `${ok ? "✓" : "✕"} ${words.startsWith(name) ? words : `${name}: ${words}`}`, age >= 0 ? html("span", { class: "quiet" }, ` ${translate("newest picture {n} s old", { n: Math.round(age) })}`) : null,
      markers >= 0 ? html("span", { class: "quiet" }, " ",
        translateN("{n} marker of the frame, edges {px} px wide", "{n} markers of the frame, edges {px} px wide", markers, { px: sharpness.toFixed(1) })) : null)),
    ...how.notices.map((notice) => html("li", {}, notice)),
    ...how.reliability.map((line) => html("li", { class: "quiet" }, line)),
    html("li", { class: "quiet" }, translate("{n} GB free", { n: (how.disk_free_bytes / 1e9).toFixed(1) }), how.undelivered
      ? ` · ${translateN("{n} event waits for the broker", "{n} events wait for the broker", how.undelivered)}` : ""))];
}
