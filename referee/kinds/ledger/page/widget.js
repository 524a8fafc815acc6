// A ledger on the page: what a banker keeps, which is told and chosen, not drawn.

import { numeral, translate } from "/static/i18n.js";
import { drawAccounts, drawLedger } from "./board.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "html",
  draw: drawLedger,
  asks: true,
  accounts: drawAccounts,
  told: ({ accounts, gauge, facts = [] }) => [
    ...facts, ...(gauge ? [translate("{name}: {value} of {of}", { name: gauge.name, value: gauge.value ?? "?", of: gauge.of })] : []),
    ...accounts.map(({ name, amount, parts }) => `${name}: ${parts ? parts.map((part) => `${part.name} ${numeral(part.value)}`).join(", ") : amount === null ? "?" : numeral(amount)}`)],
  banked: ({ accounts }) => (accounts.some(({ parts }) => parts) ? accounts : null),
  tableWays: ({ cameras }) => (cameras.length ? [{ href: "/mat", key: "mat", words: translate("Show the mat") }] : []),
  settingsWays: () => [{ href: "#/copies", key: "copies", words: translate("Your copy of the game") }],
};
