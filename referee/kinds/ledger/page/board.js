// Accounts as a banker keeps them: what everybody has, how full the gauge is, and what can be chosen.

import { button, html, rebuild } from "/static/dom.js";
import { numeral, signed, translate } from "/static/i18n.js";
import { sign } from "/static/pieces.js";
import { showHistory } from "./accounts.js";
import { drawOptions, said } from "./bank.js";
import { chooseOption, dropDraft } from "./choosing.js";

const SHOWN = 4;

/** @type {import("/static/kinds.js").Widget["draw"]} */
export function drawLedger(node, board, { acting = false, drafts = [], own = "", apart = false, told = false }) {
  rebuild(node, () => [
    board.facts?.length ? html("p", { class: "facts" }, ...board.facts.map((fact) => html("span", {}, fact))) : null,
    ...(acting ? drawOptions(board, chooseOption, own, drafts, dropDraft) : [told ? said(board) : null]),
    html("div", { class: "bank-beside" },
      board.gauge ? gauge(board.gauge) : null,
      board.reminders?.length ? html("ul", { class: "reminders" }, ...board.reminders.map((words) => html("li", {}, words))) : null),
    apart ? null : drawAccounts(board),
  ]);
}

/** @param {{ called?: ((player: string) => string | null) | null, looks?: boolean }} how */
export function drawAccounts(board, how = {}) {
  const { called = null, looks = false } = how;
  return html("div", { class: "accounts" }, ...board.accounts.map((one) => account(one, looks, called)));
}

function account(one, looks, called) {
  const { player, name: colour, amount, history, parts, badges } = one;
  const name = called?.(player) ?? colour;
  return html("div", { role: "group", class: one.active ? "account account-active" : "account", "data-account": player ?? name, "data-amount": amount ?? "?", "aria-label": name },
    html("h2", {}, player ? sign(player) : null, html("span", {}, name),
      looks ? button(translate("History"), () => showHistory(one), { class: "account-look", "data-key": `history-${player}`,
        "aria-label": translate("History of {who}", { who: name }) }) : null),
    badges?.length ? html("p", { class: "badges" }, ...badges.map((words) => html("span", {}, words))) : null,
    parts ? html("dl", { class: "account-parts" }, ...parts.map(part)) : html("p", { class: "account-amount" }, amount === null || amount === undefined ? "?" : numeral(amount)),
    one.goal ? html("p", { class: "goal" }, one.goal) : null,
    one.cards?.length ? html("details", { class: "account-cards" }, html("summary", { "data-key": `cards-${player}` }, one.cards_words),
      html("p", {}, one.cards.join(", "))) : null,
    parts ? null : history?.length ? html("ul", { class: "bookings" }, ...history.slice(-SHOWN).reverse().map((entry) =>
      html("li", {}, html("span", {}, entry.words), html("b", {}, signed(entry.amount))))) : html("p", { class: "quiet" }, translate("nothing booked yet")));
}

function part({ id, name, value, change, paint }) {
  return html("div", {}, html("dt", {}, paint ? html("i", { class: "drop drop-on", "data-paint": paint }) : null, name),
    html("dd", { "data-part": id, "data-value": value }, html("b", {}, numeral(value)),
      change ? html("span", { class: change > 0 ? "change change-up" : "change" }, signed(change)) : null));
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
