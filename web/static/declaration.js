// What no camera sees is declared: the game's own form, folded away until somebody has something to say.

import { button, byId, html, redraw, show } from "./dom.js";
import { answered, filledIn, stepped, told, whole } from "./forms.js";
import { translate } from "./i18n.js";
import { copies, copyForm, putRow } from "./session.js";
import { closeSheet, confirmed, openSheet } from "./sheet.js";
import { stepper } from "./stepper.js";
import { action, changed, known, mayAct, tell, toast } from "./store.js";

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
  const shown = Boolean(state.form) && state.board.kind !== "ledger" && ["playing", "violation", "unsure"].includes(state.phase.id)
    && !known.editing && !state.asked;
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
          html("div", { class: "row" }, action("declare") ? button(translate("Declare"), () => allFits(node) && send(state), { class: "main", "data-key": "declare" }) : null,
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
      html("button", { type: "button", "data-key": `${field.id}-add`, "aria-label": translate("one number more"), click: () => answer([...list, field.least]) }, "+"));
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

// One of a ledger's options, with what it asks. What can't be done by the rules is declared only when that is meant.
export async function chooseOption(option) {
  if (option.hindrance) {
    const words = `${option.hindrance} ${translate("Was it done all the same? Then it is told so, and ruled on.")}`;
    if (!(await confirmed(option.tile_name ?? option.name, words, translate("Tell it all the same")))) return;
  }
  if (option.form?.fields?.length) askFirst(option);
  else await chosen(option);
}

const TRIES = 4;
const SEEN_MS = 3000;

// Several players choose at once: where somebody was faster the same choice is made again after theirs, if there still is one.
async function chosen(option, tries = TRIES) {
  const { declared } = known.state;
  const before = known.state.event;
  const again = async () => {
    const by = Date.now() + SEEN_MS;
    while (known.state.event === before && Date.now() < by) await new Promise((done) => setTimeout(done, 40));
    const same = (known.state.board.options ?? []).find(({ id, kind }) => id === option.id && kind !== "undo");
    if (same && tries) return chosen(same, tries - 1);
    toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
    return false;
  };
  return tell("declare", { declared: option.declared ?? { ...declared, [option.id]: true } }, true, again);
}

function askFirst(option) {
  /** @type {import("./forms.js").Answers} */
  let values = {};
  const place = html("div", { class: "form-fields" });
  const drawn = () => redraw(place, values, () => fields(option.form, values, (id, value, anew = true) => {
    values = { ...values, [id]: value };
    if (anew) drawn();
  }));
  drawn();
  openSheet(option.asks ?? option.name, [place, html("div", { class: "row row-end" }, button(translate("Declare"), async () => {
    if (!allFits(place)) return;
    const declared = option.declared ? filledIn(option.declared, option.form, values)
      : { ...known.state.declared, [option.id]: answered(values, option.form) };
    if (declared === null) toast(translate("Fill something in first."), "trouble");
    else if (await tell("declare", { declared })) {
      closeSheet();
      if (option.place) keepValues(option.place, values);
    }
  }, { class: "main", "data-key": "send-answers" }))]);
}

// Values of the copy told in a game are kept with the copy for the next one, where it was entered here.
async function keepValues([part, row], told) {
  const { copy } = known.state.position;
  const kept = await copies();
  const one = kept.ok ? kept.copies.find(({ name }) => name === copy?.copy) : null;
  const form = one ? await copyForm(one.id) : null;
  const before = form?.parts?.find(({ id }) => id === part)?.rows.find(({ id }) => id === row)?.values;
  if (before) await putRow(one.id, part, row, { ...before, ...answered(told, { fields: Object.keys(told).map((id) => ({ id, kind: "", name: "", answers: [], least: 0, most: 0 })) }) });
}
