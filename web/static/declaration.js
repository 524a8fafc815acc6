// What no camera sees is declared: the game's own form, folded away until somebody has something to say.

import { button, byId, html, redraw, show } from "./dom.js";
import { answered, stepped, told } from "./forms.js";
import { translate } from "./i18n.js";
import { openSheet, closeSheet } from "./sheet.js";
import { action, changed, known, mayAct, tell } from "./store.js";

let draft = { of: "", values: {}, open: false };

// What was filled in and not yet sent, by the ids of the form; null where there is nothing.
export function declaration(state) {
  if (!state.form || draft.of !== moment(state)) return null;
  const values = answered(draft.values, state.form);
  return JSON.stringify(values) === JSON.stringify(answered(state.declared, state.form)) ? null : values;
}

// A draft is of one turn, and of what was declared of it so far.
function moment({ game, turn, declared, form }) {
  return JSON.stringify([game, turn, declared, form.fields.map(({ id }) => id)]);
}

export function drawDeclaration(state) {
  const node = byId("declaration");
  const shown = Boolean(state.form) && ["playing", "violation", "unsure"].includes(state.phase.id) && !known.editing && !state.asked;
  show(node, shown);
  if (!shown) return;
  if (draft.of !== moment(state)) draft = { of: moment(state), values: { ...state.declared }, open: false };
  redraw(node, [state.form, state.declared, draft, mayAct(), known.language], () => {
    const said = state.form.fields.filter(({ id }) => id in answered(state.declared, state.form));
    return [
      html("details", { open: draft.open, toggle: (event) => (draft.open = event.target.open) },
        html("summary", { "data-key": "declare-open" }, html("span", {}, translate("Declare something")),
          html("span", { class: "quiet" }, said.length ? said.map((field) => told(field, state.declared[field.id])).join("; ") : translate("nothing declared"))),
        mayAct() ? html("div", { class: "form-fields" }, ...fields(state.form, draft.values, put),
          html("div", { class: "row" }, action("declare") ? button(translate("Declare"), () => send(state), { class: "main", "data-key": "declare" }) : null,
            button(translate("Nothing to declare"), () => clear(state), { "data-key": "declare-nothing" })))
          : html("p", { class: "quiet" }, translate("A paired device can declare."))),
    ];
  });
}

function put(id, value, drawn = true) {
  draft = { ...draft, values: { ...draft.values, [id]: value } };
  if (drawn) changed();
}

async function send(state) {
  if (await tell("declare", { declared: answered(draft.values, state.form) })) {
    draft = { ...draft, open: false };
    changed();
  }
}

async function clear(state) {
  draft = { ...draft, values: {}, open: false };
  if (Object.keys(state.declared).length && action("declare")) await tell("declare", { declared: {} });
  changed();
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

const KINDS = {
  choice: (field, value, answer) => (field.answers.length > MOST_CHIPS ? listed : chips)(field, value, answer),
  count: (field, value, answer) => row(field, stepper(field, field.id, value, answer)),
  flag: ({ id, name }, value, answer) => html("label", { class: "chip" },
    html("input", { type: "checkbox", checked: Boolean(value), "data-key": id, change: (event) => answer(event.target.checked || null) }), html("span", {}, name)),
  counts: (field, value, answer) => {
    const list = Array.isArray(value) ? value : [];
    const change = (at) => (next) => answer(next === null ? list.filter((_, index) => index !== at) : list.map((each, index) => (index === at ? next : each)));
    return row(field, ...list.map((each, index) => stepper(field, `${field.id}-${index}`, each, change(index))),
      html("button", { type: "button", "data-key": `${field.id}-add`, "aria-label": translate("one number more"), click: () => answer([...list, field.least]) }, "+"));
  },
  text: ({ id, name }, value, answer) => html("label", { class: "form-text" }, html("span", {}, name),
    html("input", { value: value ?? "", maxlength: 200, "data-key": id, input: (event) => answer(event.target.value.trim(), false) })),
};

function row({ name }, ...parts) {
  return html("div", { class: "count-row", role: "group", "aria-label": name }, html("span", {}, name), html("div", { class: "row" }, ...parts));
}

function stepper(field, key, value, answer) {
  return html("span", { class: "stepper" },
    html("button", { type: "button", "data-key": `${key}-less`, "aria-label": translate("one less"), disabled: value === null || value === undefined,
      click: () => answer(stepped(field, value, -1)) }, "−"),
    html("output", { class: "stepper-value" }, value === null || value === undefined ? "–" : String(value)),
    html("button", { type: "button", "data-key": `${key}-more`, "aria-label": translate("one more"), disabled: value >= field.most,
      click: () => answer(stepped(field, value, 1)) }, "+"));
}

// One of a ledger's options, with what it asks.
export function chooseOption(option) {
  const { declared } = known.state;
  if (option.declared) return tell("declare", { declared: option.declared });
  if (!option.form?.fields?.length) return tell("declare", { declared: { ...declared, [option.id]: true } });
  /** @type {import("./forms.js").Answers} */
  let values = {};
  const place = html("div", { class: "form-fields" });
  const drawn = () => redraw(place, values, () => fields(option.form, values, (id, value, anew = true) => {
    values = { ...values, [id]: value };
    if (anew) drawn();
  }));
  drawn();
  openSheet(option.name, [place, html("div", { class: "row row-end" }, button(translate("Declare"), async () => {
    if (await tell("declare", { declared: { ...declared, [option.id]: answered(values, option.form) } })) closeSheet();
  }, { class: "main" }))]);
  return null;
}
