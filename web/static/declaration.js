// What no camera sees is declared: the game's own form, folded away until somebody has something to say.

import { button, byId, folding, html, redraw, show } from "./dom.js";
import { fillIn, underWay, written } from "./entering.js";
import { answered, nothing, stepped, told, whole } from "./forms.js";
import { translate } from "./i18n.js";
import { widgetOf } from "./kinds.js";
import { stepper } from "./stepper.js";
import { action, changed, known, mayAct, ownPlayer, playerName, tell, toast } from "./store.js";

const FORM = "form ";
let open = { turn: 0, now: false };

export function drawDeclaration(state) {
  const node = byId("declaration");
  const shown = Boolean(state.form) && !widgetOf(state.board).asks && ["playing", "violation", "unsure"].includes(state.phase.id)
    && !known.editing && !state.asked;
  show(node, shown);
  if (!shown) return;
  if (open.turn !== state.turn) open = { turn: state.turn, now: false };
  const values = valuesOf(state);
  const acting = mayAct() && ["", state.to_move].includes(ownPlayer());
  const texts = state.form.fields.filter(({ kind }) => kind === "text");
  const drawn = Object.entries(values).filter(([id]) => !texts.some((field) => field.id === id));
  redraw(node, [state.form, drawn, open.now, acting, mayAct(), ownPlayer(), state.phase.id, state.to_move, known.language], () => [
    folding({}, open.now, (now) => (open.now = now),
      html("summary", { "data-key": "declare-open" }, html("span", {}, translate("Declare something for {who}", { who: playerName(state.to_move) })),
        html("span", { class: "quiet", "data-said": true })),
      acting ? html("div", { class: "form-fields" }, ...fields(state.form, values, (id, value) => enter(state, id, value)),
        html("div", { class: "row" }, ...ways(state)))
        : html("p", { class: "quiet" }, mayAct() ? translate("This device declares for {who} only.", { who: playerName(ownPlayer()) })
          : translate("A paired device can declare."))),
  ]);
  const said = state.form.fields.filter(({ id }) => id in values).map((field) => told(field, values[field.id]));
  node.querySelector("[data-said]").textContent = said.length ? said.join("; ") : translate("nothing declared");
  for (const { id } of texts) typedIn(node.querySelector(`input[data-key="${CSS.escape(id)}"]`), String(values[id] ?? ""));
}

// What is typed is drawn by whoever types it; here comes what was typed elsewhere.
function typedIn(input, text) {
  if (input && input.value.trim() !== text) input.value = text;
}

// What is declared, with what was filled in here since.
function valuesOf(state) {
  const here = Object.entries(underWay(state)).filter(([key]) => key.startsWith(FORM)).map(([key, value]) => [key.slice(FORM.length), value]);
  return answered({ ...state.declared, ...Object.fromEntries(here) }, state.form);
}

function enter(state, id, value) {
  const field = state.form.fields.find((each) => each.id === id);
  const said = nothing(value) ? null : value;
  fillIn(FORM + id, said, "enter", { field: id, value: said }, said === null ? field.name : told(field, said));
}

// In play what is filled in goes with the turn's end; a turn that waits is ruled on again.
function ways(state) {
  const none = button(translate("Nothing to declare"), clear, { "data-key": "declare-nothing" });
  if (state.phase.id === "playing") return [button(translate("Done"), fold, { class: "main", "data-key": "declare" }), none];
  return [action("declare") ? button(translate("Declare"), declare, { class: "main", "data-key": "declare" }) : null, none];
}

function fold() {
  open.now = false;
  changed();
}

async function declare() {
  if ((await written()) && (await tell("declare"))) fold();
}

async function clear() {
  const said = Object.keys(valuesOf(known.state)).length > 0;
  fold();
  if (said && action("declare") && (await written())) await tell("declare", { declared: {} });
}

// The questions of a form, each as its kind is answered; put(id, value, drawn): with drawn false nothing is drawn anew.
export function fields(form, values, answer) {
  return form.fields.map((field) => (KINDS[field.kind] ?? KINDS.text)(field, values[field.id], (value, drawn) => answer(field.id, value, drawn)));
}

const MOST_CHIPS = 5; // more are a list that opens

function listed({ id, name, answers }, value, answer) {
  const meant = answers.find((each) => each.id === value)?.explains;
  return html("label", { class: "form-text" }, html("span", {}, name),
    html("select", { "data-key": id, change: (event) => answer(event.target.value || null) },
      html("option", { value: "" }, translate("nothing")),
      ...answers.map((each) => html("option", { value: each.id, selected: each.id === value }, each.name))),
    meant ? html("span", { class: "hint" }, meant) : null);
}

function chips({ id, name, answers }, value, answer) {
  return html("fieldset", { class: "chips" }, html("legend", {}, name),
    ...[{ id: null, name: "–" }, ...answers].map((each) => html("button", { type: "button", class: "chip", "data-key": `${id}-${each.id ?? "none"}`,
      "aria-pressed": String((value ?? null) === each.id), "aria-label": each.id === null ? translate("nothing") : null, title: each.explains || null,
      click: () => answer(each.id) }, each.name)));
}

// A number typed in: some are too large to be stepped to.
function typed({ id, name, least, most }, value, answer) {
  return html("label", { class: "form-text" }, html("span", {}, name),
    html("input", { value: value ?? "", inputmode: least < 0 ? "text" : "numeric", maxlength: 12, "data-key": id, autocomplete: "off", input: ({ target }) => {
      const number = whole(target.value);
      const fits = number === null || (number >= least && number <= (most ?? Infinity));
      target.setCustomValidity(fits ? "" : most === null || most === undefined ? translate("{name}: type a whole number from {least} on.", { name, least })
        : translate("{name}: type a whole number from {least} to {most}.", { name, least, most }));
      answer(fits ? number : null, false);
    } }));
}

// Whether all that was typed can be sent; else says what can't, and leads there.
export function allFits(place) {
  const wrong = place.querySelector("input:invalid");
  if (!wrong) return true;
  toast(wrong.validationMessage, "trouble");
  wrong.focus();
  return false;
}

function several({ id, name, answers }, value, answer) {
  const list = Array.isArray(value) ? value : [];
  return html("fieldset", { class: "chips" }, html("legend", {}, name), ...answers.map((each) =>
    html("button", { type: "button", class: "chip", "data-key": `${id}-${each.id}`, "aria-pressed": String(list.includes(each.id)),
      click: () => answer(list.includes(each.id) ? list.filter((one) => one !== each.id) : [...list, each.id]) }, each.name)));
}

// Things in order, such as places along a path: a touch adds one at the end, a touch on one takes it out.
function sequence({ id, name, answers }, value, answer) {
  const list = Array.isArray(value) ? value : [];
  const called = (word) => answers.find((each) => each.id === word)?.name ?? word;
  return html("fieldset", { class: "chips sequence" }, html("legend", {}, name),
    html("ol", {}, ...list.map((word, at) => html("li", {}, html("button", { type: "button", class: "chip", "data-key": `${id}-at-${at}`,
      "aria-label": translate("Take out {n}: {name}", { n: at, name: called(word) }), click: () => answer(list.filter((_, index) => index !== at)) },
    html("small", {}, String(at)), called(word))))),
    html("p", { class: "hint" }, translate("Tap what comes next:")),
    ...answers.map((each) => html("button", { type: "button", class: "chip", "data-key": `${id}-add-${each.id}`, click: () => answer([...list, each.id]) }, `+ ${each.name}`)));
}

const KINDS = {
  number: typed,
  several: several,
  choice: (field, value, answer) => (field.answers.length > MOST_CHIPS ? listed : chips)(field, value, answer),
  count: (field, value, answer) => row(field, numbered(field, field.id, value, answer)),
  flag: ({ id, name }, value, answer) => html("label", { class: "chip" },
    html("input", { type: "checkbox", checked: Boolean(value), "data-key": id, change: (event) => answer(event.target.checked || null) }), html("span", {}, name)),
  counts: (field, value, answer) => {
    const list = Array.isArray(value) ? value : [];
    const change = (at) => (next) => answer(next === null ? list.filter((_, index) => index !== at) : list.map((each, index) => (index === at ? next : each)));
    return row(field, ...list.map((each, index) => numbered(field, `${field.id}-${index}`, each, change(index))),
      html("button", { type: "button", "data-key": `${field.id}-add`, click: () => answer([...list, field.least]) }, translate("+ one number more")));
  },
  sequence: sequence,
  text: ({ id, name, most }, value, answer) => html("label", { class: "form-text" }, html("span", {}, name),
    html("input", { value: value ?? "", maxlength: most || 200, "data-key": id, input: (event) => answer(event.target.value.trim(), false) })),
};

function row({ name }, ...parts) {
  return html("div", { class: "count-row", role: "group", "aria-label": name }, html("span", {}, name), html("div", { class: "row" }, ...parts));
}

function numbered(field, key, value, answer) {
  const none = value === null || value === undefined;
  return stepper(none ? "–" : String(value),
    { "data-key": `${key}-less`, "aria-label": translate("one less"), disabled: none, click: () => answer(stepped(field, value, -1)) },
    { "data-key": `${key}-more`, "aria-label": translate("one more"), disabled: value >= field.most, click: () => answer(stepped(field, value, 1)) });
}
