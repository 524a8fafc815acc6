// A ledger on the page: what a banker keeps, which is told and chosen, not drawn.

import { translate } from "/static/i18n.js";
import { drawAccounts, drawLedger } from "./board.js";

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "html",
  draw: drawLedger,
  asks: true,
  accounts: drawAccounts,
  banked: ({ accounts }) => (accounts.some(({ parts }) => parts) ? accounts : null),
  tableWays: ({ cameras }) => (cameras.length ? [{ href: "/mat", key: "mat", words: translate("Show the mat to the cameras") }] : []),
  settingsWays: () => [{ href: "#/copies", key: "copies", words: translate("Your copy of the game") }],
};
