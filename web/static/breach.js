// An illegal turn takes the screen: what was broken and where it is written, before and after, what to put back.

import { byId, html, redraw, show } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { isDrawn, pictureOf, widgetOf } from "./kinds.js";
import { evidence } from "./pictures.js";
import { face, side } from "./prefs.js";
import { known } from "./store.js";
import { reportButton } from "./takeaway.js";

export function drawBreach(state) {
  const node = byId("breach");
  const found = state.violation;
  show(node, Boolean(found));
  if (!found) return;
  node.classList.toggle("breach-told", !isDrawn(found.before));
  redraw(node, [found, state.seats, face(), side(), known.language, state.banner.advice], () => [
    rules(found, state), boards(found, state), tasks(found), evidence(found.pictures),
    html("div", { class: "row" }, reportButton(state.turn)),
  ]);
}

export function rules(found, state) {
  return html("section", { class: "broken", "aria-label": translate("Broken rules") }, ...found.rules.map((rule) =>
    html("article", { "data-rule": rule.rule },
      html("p", { class: "broken-words" }, rule.words),
      html("p", { class: "broken-where" }, whereWritten(rule)))),
  ...(found.sightless ?? []).map((words) => html("p", { class: "broken-where" }, words)),
  state.banner.advice ? html("p", { class: "broken-advice" }, state.banner.advice) : null);
}

// Where a rule is written; a paragraph that its sentence names already is not named again.
export function whereWritten({ words, paragraph, sheet }) {
  return [paragraph && !words.includes(paragraph) ? paragraph : null, sheet].filter(Boolean).join(", ");
}

export function boards(found, state) {
  if (!isDrawn(found.before)) return null; // what differs is said in words
  const fields = found.rules.flatMap((rule) => rule.fields);
  const from = (face() + side()) % 4;
  const seen = { seats: state.seats, kit: state.kit, side: from };
  const before = pictureOf(found.before, seen);
  const after = pictureOf(found.after, { ...seen, acts: found.acts, actsBy: found.player, marks: { fields, tone: "illegal" } }, { id: "after-board" });
  return html("div", { class: "pair" },
    html("figure", {}, html("figcaption", {}, translate("Before the turn")), before),
    html("figure", {}, html("figcaption", {}, translate("As it stands now")), after));
}

// What has to change on the board, ticked off as the cameras see it done.
function tasks({ put_back: items }) {
  if (!items.length) return null;
  const left = items.filter((task) => !task.done).length;
  return html("section", { class: "tasks", "aria-label": translate("To put back") },
    html("h2", {}, translate("To put back"), html("span", { class: "tasks-left" }, left
      ? translateN("{n} field left", "{n} fields left", left) : translate("all done"))),
    taskList(items));
}

export const howFar = ({ done, unseen }) => (done ? translate("done") : unseen ? translate("out of the cameras’ sight") : translate("still to do"));

export function taskList(items) {
  return html("ul", { class: "task-list" }, ...items.map((task) =>
    html("li", { class: task.done ? "task task-done" : "task", "data-field": task.field },
      html("span", { class: "tick", "aria-hidden": "true" }, task.done ? "✓" : ""),
      html("b", {}, task.field),
      html("span", { class: "task-words" }, ...widgetOf(known.state.board).task(task),
        html("span", { class: task.unseen ? "" : "for-reader" }, howFar(task))))));
}
