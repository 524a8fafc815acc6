// What the ruling hangs on is asked in one tap; what it takes for granted is said in a quiet line.

import { button, byId, html, redraw, show } from "./dom.js";
import { translate } from "./i18n.js";
import { action, known, mayAct, tell } from "./store.js";

export function drawQuestion(state) {
  const node = byId("question");
  const { ask, assumed } = state;
  show(node, Boolean(ask) || assumed.length > 0);
  node.setAttribute("aria-label", translate("Question"));
  redraw(node, [ask, assumed, mayAct(), state.actions, known.sending, known.language], () => [
    ...(ask ? asked(ask) : []),
    ...assumed.map((words) => html("p", { class: "quiet assumed" }, words)),
  ]);
}

function asked({ field, why, answers }) {
  const may = mayAct() && action("tell");
  return [
    html("p", { class: "asked" }, why),
    may ? html("div", { class: "answers", role: "group", "aria-label": field }, ...answers.map(({ stands, words }) =>
      button(words, () => tell("tell", { field, stands }), { "data-key": `tell-${stands}` }))) : null,
  ].filter(Boolean);
}
