// The hall: what needs somebody, the worst first, and a tile for every table.

import { html, redraw } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { needName, tableName } from "./labels.js";

export const tableAt = (state, id) => state[`t:${id}`] ?? null;

/**
 * @param {Element} node
 * @param {any} state
 */
export function drawHall(node, state) {
  redraw(node, [{ ...state, version: 0 }, document.documentElement.lang], () => [
    html("section", { class: "queue", "aria-labelledby": "queue-title" },
      html("h1", { id: "queue-title" }, state.needs.length
        ? translateN("{n} thing needs somebody", "{n} things need somebody", state.needs.length)
        : translate("Nobody is needed")),
      html("ol", { class: "needs" }, ...state.needs.map((need) => needRow(need, tableAt(state, need.table))))),
    state.tournament ? html("p", {}, html("a", { class: "button", href: "#/tournament", "data-key": "tournament" }, translate("Results and standings"))) : null,
    html("section", { "aria-labelledby": "tables-title" },
      html("h2", { id: "tables-title" }, translateN("{n} table", "{n} tables", state.order.length)),
      state.order.length ? null : html("p", { class: "quiet" }, translate("No table has been heard yet. Each needs the broker’s address in its settings.")),
      html("ul", { class: "tiles" }, ...state.order.map((id) => tile(tableAt(state, id))))),
  ]);
}

function needRow(need, table) {
  return html("li", {}, html("a", { class: "need", "data-what": need.what, href: need.turn ? `#/t/${need.table}/${need.turn}` : `#/t/${need.table}`, "data-key": `need-${need.table}-${need.what}-${need.dispute}` },
    html("b", {}, needName(need.what)), html("span", { class: "need-table" }, tableName(table)),
    html("span", { class: "need-words" }, needWords(need)),
    html("time", { class: "need-since", "data-since": need.since }, "")));
}

// A dispute is told by who disputes and why, everything else in the table's words.
export function needWords({ turn, words, by, said }) {
  const told = by ? (said ? `${by}: “${said}”` : by) : words;
  return turn ? `${translate("Turn {n}", { n: turn })} · ${told}` : told;
}

function tile(table) {
  return html("li", {}, html("a", { class: "tile", href: `#/t/${table.id}`, "data-key": `tile-${table.id}`, "data-table": table.id,
    "data-tone": table.tone ?? "busy", "data-worst": table.needs[0] ?? null, "data-online": String(table.online) },
  html("span", { class: "tile-head" }, html("b", {}, tableName(table)), html("span", { class: "quiet" }, table.title ?? ""), ...badges(table)),
  table.game ? html("span", { class: "tile-words" }, table.result || table.headline) : html("span", { class: "quiet" }, translate("Nothing is known of it yet.")),
  table.waits ? html("span", { class: "tile-waits" }, table.waits) : null,
  html("span", { class: "tile-players" }, ...(table.players ?? []).map((player) => html("span", {
    class: player.colour === table.to_move && !table.result ? "tile-player tile-active" : "tile-player" },
  player.name, table.clock && !table.clock.aside ? html("time", { "data-tile-clock": `${table.id} ${player.colour}` }, "") : null))),
  html("span", { class: "tile-foot quiet" }, table.game && !table.result ? translate("Turn {n}", { n: table.turn }) : "",
    ...table.cameras.map(({ name, ok }) => html("span", { class: ok ? "" : "tile-lost" }, ok ? `✓ ${name}` : `✕ ${name}`)))));
}

const badge = (need, times) => html("span", { class: "badge", "data-what": need }, times > 1 ? `${times} × ${needName(need)}` : needName(need));

// What a table has besides its game.
export function badges(table) {
  return [
    ...[...new Set(table.needs)].map((need) => badge(need, table.needs.filter((one) => one === need).length)),
    table.online || table.needs.includes("offline") ? null : html("span", { class: "badge" }, translate("not connected")),
    table.alike ? html("span", { class: "badge" }, translate("Another table has this name, too")) : null,
    table.floods ? html("span", { class: "badge", "data-what": "torn" }, translate("Sends too much")) : null,
    table.missing ? html("span", { class: "badge" }, translateN("{n} event is missing", "{n} events are missing", table.missing)) : null,
    table.recorded ? html("span", { class: "badge" }, translate("Recorded")) : null,
  ].filter(Boolean);
}
