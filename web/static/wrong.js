// That was wrong: what truly stood there, as pictures to touch, or said on the board.

import { truthsOf } from "./addons.js";
import { button, html } from "./dom.js";
import { editBoard } from "./editor.js";
import { translate } from "./i18n.js";
import { boardFrom, pictureOf, widgetOf } from "./kinds.js";
import { face, side } from "./prefs.js";
import { closeSheet, openSheet } from "./sheet.js";
import { action, known, mayAct, ownPlayer, shown, tell, toast } from "./store.js";

const RULED = ["legal", "illegal"];

// Beside a ruling that may be put right.
export function wrongButton(entry) {
  if (!mayAct() || ownPlayer() || !(isWithdrawn(entry) || (action("put_right") && entry.counts && entry.verdict))) return null;
  return button(translate("That was wrong"), () => ask(entry), { "data-key": "wrong", class: "wrong" });
}

// The newest ruling is withdrawn and given anew; of an earlier turn the record is put right, and the later ones are judged again.
function isWithdrawn(entry) {
  const newest = known.state.history.findLast(({ verdict }) => verdict);
  return newest?.entry === entry.entry && RULED.includes(entry.verdict) && Boolean(action("reading_wrong"));
}

async function ask(entry) {
  const { event } = known.state;
  const told = await truthsOf(entry);
  if (known.state.event !== event) return toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
  const newest = isWithdrawn(entry);
  const likely = told.flatMap(({ boards }) => boards).filter(({ board }) => newest || board !== entry.after);
  const boards = likely.map((one) => picture(one, entry, newest)).filter(Boolean);
  const asked = newest ? translate("What truly stands there?") : translate("How did the board stand after turn {n}?", { n: entry.turn });
  const follows = newest ? translate("One touch puts the ruling right.") : translate("One touch puts the turn right; the later ones are judged again.");
  openSheet(translate("That was wrong"), [
    html("p", { class: "sheet-words" }, boards.length ? `${asked} ${follows}` : asked),
    boards.length ? html("div", { class: "candidates", role: "group", "aria-label": asked }, ...boards) : null,
    html("div", { class: "choices" }, button(boards.length ? translate("Something else stands there") : translate("Say how the board stands"), () => say(entry, newest), { "data-key": "wrong-other" })),
    ...told.map(({ words }) => html("p", { class: "hint" }, words)),
  ]);
}

// A board that may have stood there, drawn where it differs from the one that was ruled on.
function picture({ board, changes, differs: fields }, entry, newest) {
  const { state } = known;
  const drawn = boardFrom(board, state);
  const node = pictureOf(drawn, { seats: state.seats, kit: state.kit, side: (face() + side()) % 4, marks: { tone: "unsure", fields }, near: fields }, { "aria-hidden": "true" });
  return node && html("button", { type: "button", class: "candidate", "data-key": `wrong-${fields.join("-")}`, click: () => choose(changes, entry, newest) },
    node, html("span", {}, widgetOf(state.board).some(drawn, fields).join("; ")));
}

async function choose(fields, { entry }, newest) {
  closeSheet();
  if (!newest) await tell("put_right", { entry, fields });
  else if (await withdrawn()) await tell("rule_board", { fields });
}

async function say(entry, newest) {
  closeSheet();
  if (!newest) editBoard("put_right", null, entry);
  else if (await withdrawn()) editBoard("rule_board");
}

// A legal turn is withdrawn first; of a breach the board can be given at once.
async function withdrawn() {
  return Boolean(action("rule_board")) || ((await tell("reading_wrong")) && shown(() => Boolean(action("rule_board"))));
}
