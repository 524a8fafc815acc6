// Correct on the board: touch what is wrong and set it; what is sent is one event with the device's name.

import { button, byId, html, redraw, show } from "./dom.js";
import { translate } from "./i18n.js";
import { boardFrom, widgetOf } from "./kinds.js";
import { sign } from "./pieces.js";
import { countStepper } from "./stepper.js";
import { changed, known, tell, toast } from "./store.js";

const AFTER_TURN = ["rule_board", "put_right"]; // of the board after a turn the places are sent that differ from before
const MOST_PLACES = 100; // that a command may name (referee/match/arguments.py)

/** @type {Record<string, (editing: any) => string>} */
const TITLES = {
  correct: () => translate("Correct the position"),
  rule_board: () => translate("How does the board stand?"),
  accept: () => translate("How does the board stand?"),
  begin: () => translate("How does the board stand?"),
  put_right: ({ of: { turn } }) => translate("How did the board stand after turn {n}?", { n: turn }),
};

// Where nothing is put right on the board, what is counted still is.
/** @type {import("./kinds.js").Editor} */
const UNTOUCHED = {
  start: () => null, panel: () => null, summed: () => null, wrong: () => null, differing: () => [], text: () => "",
};

function editor() {
  return widgetOf(known.state.board).editor ?? UNTOUCHED;
}

// what: the command the board is for: correct (the position), begin (the set-up), rule_board or accept (the board after the turn),
// put_right (the board after an earlier turn). send: takes the command instead of the table; resolves to whether it was done.
// of: the entry of the record that is put right.
export function editBoard(what, send = null, of = null) {
  const { state } = known;
  const start = editor().start(at(state, of), what);
  known.editing = { under: under(state), of, what, start, board: structuredClone(start), chosen: null, steps: [], counters: {}, toMove: null, send };
  if (!send) location.hash = "#/play";
  changed();
}

// The position that is being put right: another one is not overwritten with it.
function under({ game, turn, history }) {
  return JSON.stringify([game, turn, history.at(-1)?.entry ?? 0]);
}

// The state as it was when the turn of an entry ended.
function at(state, entry) {
  return entry ? { ...state, board: boardFrom(entry.after, state, entry.open), position: { ...state.position, board: entry.before } } : state;
}

export function editedFields() {
  return editor().differing(known.editing);
}

export function touchField(name) {
  known.editing.chosen = name;
  changed();
}

function stepBack() {
  const { editing } = known;
  const before = editing.steps.pop();
  Object.assign(editing, before);
  changed();
}

export function leaveEditor() {
  known.editing = null;
  changed();
}

async function save() {
  const { of, what, board, start, counters, toMove, send } = known.editing;
  if (!send && known.editing.under !== under(known.state)) {
    toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
    return leaveEditor();
  }
  const text = editor().text(board, known.state);
  /** @type {Record<string, unknown>} */
  let args = of ? { entry: of.entry, board: text } : { board: text };
  if (what === "correct") {
    const changes = { ...counters };
    if (text !== editor().text(start, known.state)) changes[board.key ?? "board"] = text;
    if (toMove) changes.to_move = toMove;
    if (!Object.keys(changes).length) {
      toast(translate("Nothing was changed."));
      return;
    }
    args = { changes };
  }
  if (await (send ? send(what, args) : tell(what, shortened(what, args)))) leaveEditor();
}

function shortened(what, args) {
  const { editing, state } = known;
  const places = AFTER_TURN.includes(what) ? editor().places?.(editing.board, at(state, editing.of)) : null;
  if (!places || Object.keys(places).length > MOST_PLACES) return args;
  const { board: _whole, ...rest } = args;
  return { ...rest, fields: places };
}

// What is asked while a board is put right. It stands above the board, where whose turn it is stands otherwise: below it, it is out of sight.
export const editorTitle = () => TITLES[known.editing.what](known.editing);

export function drawEditor(state) {
  const node = byId("editor");
  const { editing } = known;
  show(node, Boolean(editing));
  if (!editing) return;
  redraw(node, [editing, state.seats, state.kit, state.conserved, known.sending, known.language], () => {
    const then = at(state, editing.of);
    const wrong = editor().wrong(editing, then);
    return [
      editing.of ? html("p", { class: "hint" }, translate("The turns after it are judged again. What was ruled stays in the record.")) : null,
      editor().panel(editing, then),
      html("p", { class: "editor-sum", role: "status" }, editor().summed(editing, then)),
      editing.what === "correct" ? counted(editing, state) : null,
      // Why it can't be saved stays in sight with the button that can't be pressed.
      html("div", { class: "row editor-done" },
        wrong ? html("p", { class: "editor-wrong", id: "editor-wrong", role: "alert" }, wrong) : null,
        button(translate("Cancel"), leaveEditor, { "data-key": "cancel" }),
        button(translate("One step back"), stepBack, { "data-key": "step-back", disabled: editing.steps.length === 0 }),
        button(editing.what === "correct" ? translate("Save the correction") : translate("So it stands"), save,
          { class: "main", "data-key": "save", disabled: Boolean(wrong), "aria-describedby": wrong ? "editor-wrong" : null })),
    ];
  });
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
    countStepper(`${counter.id}-${colour}`, value, 0, counter.of > 0 ? counter.of : Infinity, put, { role: "group", "aria-label": words }));
}

function whole(id) {
  return Object.fromEntries(known.state.seats.map(({ colour, counters }) =>
    [colour, counters.find((counter) => counter.id === id)?.value ?? 0]));
}
