// What a game tells beside rulings: a question before it accuses, and points with the reason for each.

import { button, byId, html, redraw, show } from "./dom.js";
import { translate } from "./i18n.js";
import { sign } from "./pieces.js";
import { action, changed, known, mayAct, playerName, tell } from "./store.js";

let counted = { of: "", key: "", fields: [] };

// The fields of the line of an account that was touched; null where none is.
export function countedFields(state) {
  return state.account && counted.of === momentOf(state) && counted.fields.length ? counted.fields : null;
}

function momentOf({ account, turn }) {
  return JSON.stringify([turn, account.title]);
}

export function drawTelling(state) {
  show(byId("telling"), Boolean(state.asked || state.account) && !known.editing);
  const asked = byId("asked");
  show(asked, Boolean(state.asked) && !known.editing);
  redraw(asked, [state.asked, known.sending, mayAct(), known.language], () => question(state.asked));
  const account = byId("account");
  show(account, Boolean(state.account) && !known.editing);
  redraw(account, [state.account, state.players, counted, known.language], () => (state.account ? accountOf(state, state.account, true) : []));
}

// Every reply would make the turn legal: nobody is accused before one of them, or none, is touched.
function question(asked) {
  if (!asked) return [];
  if (!mayAct()) return [html("p", { class: "quiet" }, translate("A paired device can answer."))];
  const replies = asked.replies.map(({ id, name, explains, declared }) =>
    html("button", { type: "button", class: "reply", "data-key": `reply-${id}`, "data-spoken": asked.replies.length > 1 ? null : "yes", disabled: Boolean(known.sending), click: () => tell("declare", { declared }) },
      html("b", {}, asked.replies.length > 1 ? name : translate("Yes: {name}", { name })), explains ? html("span", {}, explains) : null));
  const no = action("deny") ? button(asked.no, () => tell("deny"), { "data-key": "deny", "data-spoken": "no", disabled: Boolean(known.sending) }) : null;
  return [html("div", { class: "replies", role: "group", "aria-label": asked.words }, ...replies, no)];
}

// live: a touched line marks its fields on the board beside it.
export function accountOf(state, account, live = false) {
  return [html("h2", {}, account.title), html("ol", { class: "shares" }, ...account.shares.map((share) => shareOf(state, share, live))),
    ...account.notes.map((note) => html("p", { class: "account-note" }, note))];
}

function shareOf(state, { player, place, before, after, lines }, live) {
  return html("li", { class: "share", "data-player": player, "data-after": after },
    html("p", { class: "share-head" }, html("span", { class: "share-place" }, `${place}.`), sign(player), html("b", {}, playerName(player)),
      html("span", { class: "share-score" }, html("span", { "aria-hidden": "true" }, `${before} → `), html("span", { class: "for-reader" }, translate("from {before} to", { before })), html("b", {}, String(after)))),
    lines.length ? html("ul", {}, ...lines.map((line, index) => html("li", {}, lineOf(state, line, `${player}-${index}`, live))))
      : html("p", { class: "quiet" }, translate("No points.")));
}

function lineOf(state, { words, points, fields }, key, live) {
  const parts = [html("span", {}, words), html("b", {}, `+${points}`)];
  if (!live || !fields.length) return html("p", { class: "line" }, ...parts);
  const on = counted.of === momentOf(state) && counted.key === key;
  return html("button", { type: "button", class: "line", "data-key": `line-${key}`, "aria-pressed": String(on), title: fields.join(" "), click: () => {
    counted = on ? { of: "", key: "", fields: [] } : { of: momentOf(state), key, fields };
    changed();
  } }, ...parts);
}
