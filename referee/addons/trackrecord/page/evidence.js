// How often the rulings of this table were put right, and what that proves.

import { html, redraw } from "/static/dom.js";
import { translate, translateN } from "/static/i18n.js";
import { act } from "/static/session.js";
import { changed, known, toast } from "/static/store.js";

let told = null; // { records, unread } once they are known
let asked = "";

export function drawEvidence(node) {
  if (!node.childElementCount) asked = ""; // come to anew
  if (asked !== known.language) load(known.language);
  redraw(node, [told, known.language], () => [
    html("h1", {}, translate("How often it was wrong here")),
    html("p", { class: "lead" }, translate("Counted from the games that lie here: every ruling that players, an arbiter or a later look changed.")),
    told ? null : html("p", { class: "quiet" }, "…"),
    told && !told.records.length ? html("p", { class: "quiet" }, translate("No game has been refereed here yet.")) : null,
    ...(told?.records ?? []).map(({ title, meaning, lines }) => html("section", { class: "figures", "aria-label": title },
      html("h2", {}, title), ...lines.map((line) => html("p", {}, line)), html("p", { class: "hint" }, meaning))),
    told?.unread ? html("p", { class: "hint" }, translateN("{n} game can’t be read and is not counted.", "{n} games can’t be read and are not counted.", told.unread)) : null,
    html("p", { class: "hint" }, translate("The bounds are what so many rulings prove, whenever one looks: after few rulings they are wide, even where none was wrong. A wrong ruling that everybody let stand is not counted: nobody knows of it.")),
    html("p", { class: "row" }, html("a", { class: "button", href: "#/games", "data-key": "games" }, translate("Games played here"))),
  ]);
}

async function load(language) {
  asked = language;
  const answer = await act("GET", "/api/evidence");
  if (asked !== language) return;
  if (answer.ok) told = answer;
  else toast(answer.words || answer.detail || translate("No connection to the referee"), "trouble");
  changed();
}
