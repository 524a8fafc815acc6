// Much of the board is different: knocked over or swept. It is put back from the picture of before, or play goes on from here.

import { act } from "./actions.js";
import { taskList } from "./breach.js";
import { button, byId, html, redraw, show } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { pictureOf } from "./kinds.js";
import { evidence } from "./pictures.js";
import { face, side } from "./prefs.js";
import { action, known, mayAct } from "./store.js";

// The way back once the board is restored, by the phase it was swept in.
const BACK = ["put_back", "not_ended"];

export function drawSwept(state) {
  const node = byId("breach");
  const { swept } = state;
  show(node, true);
  redraw(node, [swept, state.seats, state.kit, state.actions, mayAct(), known.sending, face(), side(), known.language], () => [
    board(swept, state), ways(swept), tasks(swept), evidence(swept.pictures),
  ]);
}

function board({ before, tasks: items }, state) {
  const from = (face() + side()) % 4;
  return html("div", { class: "pair pair-one" }, html("figure", {}, html("figcaption", {}, translate("So it stood before the turn")),
    pictureOf(before, { seats: state.seats, kit: state.kit, side: from, tasks: items }, { id: "before-board" })));
}

function ways({ tasks: items }) {
  if (!mayAct()) return null;
  const back = BACK.find((id) => action(id));
  return html("div", { class: "broken ways" },
    back ? html("div", {}, html("p", {}, items.length
      ? translate("Put everything back as in the picture. What the cameras see in its place is ticked off.") : translate("Put everything back as in the picture.")),
      button(translate("It stands as before again"), () => act(back), { class: "main", "data-key": "restored" })) : null,
    action("accept") ? html("div", {}, html("p", {}, translate("Or leave the board as it is: you say how it stands, and all agree.")),
      button(translate("Go on from here by agreement"), () => act("accept"), { "data-key": "go-on" })) : null);
}

function tasks({ tasks: items }) {
  if (!items.length) return null; // not every kind names places to tick off
  const left = items.filter(({ done }) => !done).length;
  return html("section", { class: "tasks", "aria-label": translate("To put back") },
    html("h2", {}, translate("To put back"), html("span", { class: "tasks-left" }, left
      ? translateN("{n} field left", "{n} fields left", left) : translate("all done"))),
    taskList(items));
}
