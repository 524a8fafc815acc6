// That was wrong: what truly stands there, as pictures to touch, or said on the board.

import { button, html } from "/static/dom.js";
import { editBoard } from "/static/editor.js";
import { translate } from "/static/i18n.js";
import { boardFrom, pictureOf, widgetOf } from "/static/kinds.js";
import { face, side } from "/static/prefs.js";
import { act } from "/static/session.js";
import { closeSheet, openSheet } from "/static/sheet.js";
import { action, known, mayAct, ownPlayer, shown, tell, toast } from "/static/store.js";

const RULED = ["legal", "illegal"];

// Beside the newest ruling, as long as it can be put right.
export function wrongButton(entry) {
  const newest = known.state.history.at(-1)?.entry === entry.entry;
  if (!newest || !RULED.includes(entry.verdict) || !mayAct() || ownPlayer() || !action("reading_wrong")) return [];
  return [button(translate("That was wrong"), () => ask(entry), { "data-key": "wrong", class: "wrong" })];
}

async function ask(entry) {
  const { event } = known.state;
  const answer = await act("GET", `/api/rulings/${entry.entry}/boards`);
  if (known.state.event !== event) return toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
  const boards = (answer.boards ?? []).map(picture).filter(Boolean);
  openSheet(translate("That was wrong"), [
    html("p", { class: "sheet-words" }, boards.length ? translate("What truly stands there? One touch puts the ruling right.") : translate("Say on the board what truly stands there.")),
    boards.length ? html("div", { class: "candidates", role: "group", "aria-label": translate("What truly stands there?") }, ...boards) : null,
    html("div", { class: "choices" }, button(boards.length ? translate("Something else stands there") : translate("Say how the board stands"), say, { "data-key": "wrong-other" })),
    html("p", { class: "hint" }, translate("The pictures of the board behind this ruling stay with the game, as an example of what was read wrongly. Nothing is sent.")),
  ]);
}

// A board that may stand there, drawn where it differs from the one that was ruled on.
function picture({ board, changes, differs: fields }) {
  const { state } = known;
  const shown = boardFrom(board, state);
  const node = pictureOf(shown, { seats: state.seats, kit: state.kit, side: (face() + side()) % 4, marks: { tone: "unsure", fields }, near: fields }, { "aria-hidden": "true" });
  return node && html("button", { type: "button", class: "candidate", "data-key": `wrong-${fields.join("-")}`, "aria-label": widgetOf(state.board).some(shown, fields).join("; "),
    click: () => choose(changes) }, node);
}

async function choose(fields) {
  closeSheet();
  if (await withdrawn()) await tell("rule_board", { fields });
}

async function say() {
  closeSheet();
  if (await withdrawn()) editBoard("rule_board");
}

// A legal turn is withdrawn first; of a breach the board can be given at once.
async function withdrawn() {
  return Boolean(action("rule_board")) || ((await tell("reading_wrong")) && shown(() => Boolean(action("rule_board"))));
}
