// Accounts as a banker keeps them: what everybody has, how full the gauge is, and what can be chosen.

import { button, html } from "./dom.js";
import { translate } from "./i18n.js";
import { sign } from "./pieces.js";

const SHOWN = 4;

// options: choose(option), where something may be chosen now.
export function drawLedger(node, board, { choose = null }) {
  node.replaceChildren(...[
    board.gauge ? gauge(board.gauge) : null,
    html("div", { class: "accounts" }, ...board.accounts.map(account)),
    choose && board.options?.length ? html("div", { class: "bank-options" }, ...board.options.map((option) =>
      button(option.name, () => choose(option), { class: "bank-option", "data-key": `option-${option.id}` }, amounts(option.amounts)))) : null,
  ].filter(Boolean));
}

function account({ player, name, amount, history }) {
  return html("section", { class: "account", "data-account": name, "data-amount": amount ?? "?" },
    html("h2", {}, player ? sign(player) : null, html("span", {}, name)),
    html("p", { class: "account-amount" }, amount === null || amount === undefined ? "?" : money(amount)),
    history?.length ? html("ul", { class: "bookings" }, ...history.slice(-SHOWN).reverse().map((entry) =>
      html("li", {}, html("span", {}, entry.words), html("b", {}, signed(entry.amount))))) : html("p", { class: "quiet" }, translate("nothing booked yet")));
}

function money(amount) {
  return Number(amount).toLocaleString(document.documentElement.lang).replace("-", "−");
}

function signed(amount) {
  return `${amount > 0 ? "+" : amount < 0 ? "−" : "±"}${money(Math.abs(amount))}`;
}

function amounts(list) {
  return list?.length ? html("b", { class: "option-amounts" }, list.map((each) => (typeof each === "number" ? signed(each) : String(each))).join("  ")) : null;
}

// A thermometer: how full, in its parts from the bottom up.
function gauge({ name, value, of, parts = [] }) {
  const known = value !== null && value !== undefined;
  const told = known ? translate("{name}: {value} of {of}", { name, value, of }) : translate("{name}: not known", { name });
  const filled = parts.length ? parts.flatMap((part) => Array(Math.max(0, part.value ?? 0)).fill(part)) : Array(known ? value : 0).fill(null);
  return html("div", { class: "gauge", role: "img", "aria-label": [told, ...parts.map((part) => `${part.name} ${part.value ?? "?"}`)].join(", "), "data-value": value ?? "?" },
    html("p", { class: "gauge-name" }, name, html("b", {}, ` ${known ? value : "?"} / ${of}`)),
    html("div", { class: "tube" }, ...Array.from({ length: of }, (_, i) =>
      html("i", { class: filled[i] === undefined ? "drop" : "drop drop-on", "data-paint": filled[i]?.paint ?? filled[i]?.player ?? null }))),
    parts.length ? html("p", { class: "gauge-parts" }, ...parts.map((part) =>
      html("span", {}, html("i", { class: "drop drop-on", "data-paint": part.paint ?? part.player ?? null }), ` ${part.name} `, html("b", {}, String(part.value ?? "?"))))) : null);
}
