// A game for who does not know it: how it is played, on a sheet, and the signs in which its turns are written.

import { button, html, redraw } from "./dom.js";
import { translate } from "./i18n.js";
import { openSheet } from "./sheet.js";

/** @typedef {{ explained?: { how: string[], signs: { sign: string, words: string }[] } }} Table */

/** @param {Table} state */
export function drawExplained(node, state) {
  const { how = [], signs = [] } = state.explained ?? {};
  const open = () => openSheet(translate("How it is played"), [html("ol", { class: "how" }, ...how.map((line) => html("li", {}, line))),
    html("h3", {}, translate("How turns are written")), signsOf(state)]);
  redraw(node, [how, signs], () => (how.length ? [button(translate("How it is played"), open, { "data-key": "how", "aria-haspopup": "dialog" })] : []));
}

/**
 * The signs of turn notation, beside where turns stand in it.
 * @param {Table} state
 */
export function signsOf(state) {
  const { signs = [] } = state.explained ?? {};
  if (!signs.length) return null;
  return html("dl", { class: "signs", "aria-label": translate("How turns are written") }, ...signs.map(({ sign, words }) =>
    html("div", {}, html("dt", {}, sign), html("dd", {}, words))));
}
