// Correct on the board: touch a field, set its height and piece; what is sent is one event with the device's name.

import { boardOf, differing, isPiece, textOf } from "./boardtext.js";
import { button, byId, html, redraw, show } from "./dom.js";
import { translate, translateN } from "./i18n.js";
import { colourName, sign } from "./pieces.js";
import { changed, known, tell, toast } from "./store.js";

const HIGHEST = 35;
const TITLES = {
  correct: () => translate("Correct the position"),
  rule_board: () => translate("How does the board stand?"),
  accept: () => translate("How does the board stand?"),
};

// what: the command the board is for: correct (the position), rule_board or accept (the board after the turn).
export function editBoard(what) {
  const { state } = known;
  const start = what === "correct" ? boardOf(state.position.board, state.board) : settled(state);
  known.editing = { what, start, board: structuredClone(start), chosen: null, steps: [], counters: {}, toMove: null };
  location.hash = "#/play";
  changed();
}

// Fields that can't be told are as they stood before the turn, until somebody says otherwise.
function settled({ board, position }) {
  const before = boardOf(position.board, board);
  const fields = board.fields.map((field, index) => {
    const stood = before.fields[index];
    if (field.height !== null && field.flag !== "?") return { ...field };
    return { ...field, height: field.height ?? stood.height, flag: field.flag === "?" ? stood.flag : field.flag };
  });
  return { ...board, fields };
}

export function editedFields() {
  const { start, board } = known.editing;
  return differing(board, start);
}

export function touchField(name) {
  known.editing.chosen = name;
  changed();
}

function set(field, change) {
  const { editing } = known;
  const before = { name: field.name, height: field.height, flag: field.flag };
  editing.steps.push(before);
  Object.assign(field, change);
  changed();
}

function stepBack() {
  const before = known.editing.steps.pop();
  const field = known.editing.board.fields.find(({ name }) => name === before.name);
  Object.assign(field, before);
  known.editing.chosen = before.name;
  changed();
}

export function leaveEditor() {
  known.editing = null;
  changed();
}

async function save() {
  const { what, board, start, counters, toMove } = known.editing;
  const text = textOf(board);
  let args = { board: text };
  if (what === "correct") {
    const changes = { ...counters };
    if (text !== textOf(start)) changes.board = text;
    if (toMove) changes.to_move = toMove;
    if (!Object.keys(changes).length) {
      toast(translate("Nothing was changed."));
      return;
    }
    args = { changes };
  }
  if (await tell(what, args)) leaveEditor();
}

export function drawEditor(state) {
  const node = byId("editor");
  const { editing } = known;
  show(node, Boolean(editing));
  if (!editing) return;
  redraw(node, [editing, state.seats, known.language], () => [
    html("h2", {}, TITLES[editing.what]()),
    editing.chosen ? fieldPanel(editing, state) : html("p", { class: "editor-hint" }, translate("Touch a field to change it.")),
    html("p", { class: "editor-sum", role: "status" }, summed(editing)),
    editing.what === "correct" ? counted(editing, state) : null,
    html("div", { class: "row editor-done" },
      button(translate("Cancel"), leaveEditor, { "data-key": "cancel" }),
      button(translate("One step back"), stepBack, { "data-key": "step-back", disabled: editing.steps.length === 0 }),
      button(editing.what === "correct" ? translate("Save the correction") : translate("So it stands"), save, { class: "main", "data-key": "save" })),
  ]);
}

function summed({ board, start }) {
  const stones = ({ fields }) => fields.reduce((sum, { height }) => sum + (height ?? 0), 0);
  const [now, before] = [stones(board), stones(start)];
  const fields = differing(board, start).length;
  const told = translateN("{n} field changed", "{n} fields changed", fields);
  const all = now === before ? translate("{n} stones on the board.", { n: now })
    : translate("{n} stones on the board, {before} before.", { n: now, before });
  return `${told}. ${all}`;
}

function fieldPanel({ board, chosen }, { seats }) {
  const field = board.fields.find(({ name }) => name === chosen);
  const height = field.height ?? 0;
  const colours = seats.map(({ colour }) => colour);
  return html("div", { class: "field-panel", role: "group", "aria-label": translate("Field {name}", { name: chosen }) },
    html("b", { class: "field-name" }, chosen),
    html("div", { class: "stepper", role: "group", "aria-label": translate("Height") },
      html("button", { type: "button", "data-key": "lower", "aria-label": translate("one lower"), disabled: height === 0,
        click: () => set(field, { height: height - 1 }) }, "−"),
      html("output", { class: "stepper-value" }, String(height)),
      html("button", { type: "button", "data-key": "higher", "aria-label": translate("one higher"), disabled: height === HIGHEST,
        click: () => set(field, { height: height + 1 }) }, "+")),
    html("div", { class: "flags", role: "group", "aria-label": translate("Piece") },
      ...[null, ...colours].map((colour) => html("button", {
        type: "button", class: "flag-choice", "data-key": `flag-${colour ?? "none"}`,
        "aria-pressed": String((isPiece(field.flag) ? field.flag : null) === colour),
        "aria-label": colour ? colourName(colour) : translate("no piece"),
        click: () => set(field, { flag: colour }),
      }, colour ? sign(colour) : html("span", { "aria-hidden": "true" }, "–")))));
}

// What a position counts besides the board, for whoever must put that right as well.
function counted(editing, { seats, to_move: toMove }) {
  return html("details", { class: "counted", open: Boolean(editing.toMove || Object.keys(editing.counters).length) },
    html("summary", { "data-key": "counted" }, translate("Whose turn, and what is counted")),
    html("div", { class: "chips", role: "group", "aria-label": translate("Whose turn it is") }, ...seats.map(({ colour, name }) =>
      html("button", { type: "button", class: "chip", "data-key": `turn-${colour}`, "aria-pressed": String((editing.toMove ?? toMove) === colour),
        click: () => {
          editing.toMove = colour;
          changed();
        } }, sign(colour), html("span", {}, name)))),
    ...seats.flatMap((seat) => seat.counters.filter(({ fixed }) => !fixed).map((counter) => countRow(editing, seat, counter))));
}

function countRow(editing, { colour, name }, counter) {
  const value = editing.counters[counter.id]?.[colour] ?? counter.value;
  const put = (next) => {
    editing.counters[counter.id] = { ...whole(counter.id), ...editing.counters[counter.id], [colour]: next };
    changed();
  };
  const words = `${name}, ${counter.name}`;
  return html("div", { class: "count-row" }, html("span", {}, sign(colour), ` ${counter.name}`),
    html("div", { class: "stepper", role: "group", "aria-label": words },
      html("button", { type: "button", "data-key": `${counter.id}-${colour}-less`, "aria-label": translate("one less"), disabled: value === 0, click: () => put(value - 1) }, "−"),
      html("output", { class: "stepper-value" }, String(value)),
      html("button", { type: "button", "data-key": `${counter.id}-${colour}-more`, "aria-label": translate("one more"), disabled: counter.of > 0 && value >= counter.of, click: () => put(value + 1) }, "+")));
}

function whole(id) {
  return Object.fromEntries(known.state.seats.map(({ colour, counters }) =>
    [colour, counters.find((counter) => counter.id === id)?.value ?? 0]));
}
