// An account looked back on: every change with what it was for, turn by turn, the newest first.

import { html } from "/static/dom.js";
import { numeral, signed, translate } from "/static/i18n.js";
import { openSheet } from "/static/sheet.js";
import { wholeRecord } from "/static/older.js";
import { known, playerName } from "/static/store.js";

// The changes of a player's accounts over a record, newest first: [{turn, words, changes: [{id, name, change, balance}]}]. A balance is left
// out before a correction by hand.
export function changesOf(player, state, record) {
  const balance = Object.fromEntries((state.board.accounts.find((one) => one.player === player)?.parts ?? []).map(({ id, value }) => [id, value]));
  let sure = true;
  const found = [];
  const take = (turn, bookings) => {
    for (const booking of [...bookings].reverse()) {
      if (booking.player !== player) continue;
      found.push({ turn, words: booking.words, changes: booking.changes.map((each) => ({ ...each, balance: sure ? balance[each.id] : null })) });
      for (const { id, change } of booking.changes) balance[id] -= change;
    }
  };
  take(state.turn, state.board.booked ?? []);
  for (const entry of [...record].reverse()) {
    if (!entry.counts) continue;
    if (entry.what === "turn") take(entry.turn, entry.bookings ?? []);
    else if (entry.what === "correction") sure = false;
    if (entry.fate === "accepted") sure = false;
  }
  return found;
}

export async function showHistory(account) {
  const { state } = known;
  const rows = changesOf(account.player, state, await wholeRecord(state));
  openSheet(translate("History of {who}", { who: playerName(account.player) }), [rows.length
    ? html("div", { class: "account-history", tabindex: 0, role: "region", "aria-label": translate("History") }, html("table", {}, html("thead", {}, html("tr", {}, ...[translate("Turn"), translate("What for"), translate("Change"), translate("Balance")].map((name) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, ...rows.flatMap(({ turn, words, changes }) => changes.map(({ name, change, balance }, index) => html("tr", {},
        html("td", {}, index ? "" : String(turn)), html("td", {}, index ? "" : words), html("td", { class: "account-number" }, `${signed(change)} ${name}`),
        html("td", { class: "account-number" }, balance === null || balance === undefined ? "" : numeral(balance))))))))
    : html("p", { class: "quiet" }, translate("nothing booked yet"))]);
}
