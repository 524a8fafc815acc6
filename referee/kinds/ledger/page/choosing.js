// One of a ledger's options is chosen, with what it asks first.

import { allFits, fields } from "/static/declaration.js";
import { button, html, redraw } from "/static/dom.js";
import { fillIn, written } from "/static/entering.js";
import { answered, filledIn } from "/static/forms.js";
import { translate } from "/static/i18n.js";
import { copies, copyForm, putRow } from "/static/session.js";
import { closeSheet, confirmed, openSheet } from "/static/sheet.js";
import { known, tell, toast } from "/static/store.js";

// values: what was filled in of it before. What can't be done by the rules is declared only when that is meant.
export async function chooseOption(option, values = {}) {
  if (option.hindrance) {
    const words = `${option.hindrance} ${translate("Was it done all the same? Then it is told so, and ruled on.")}`;
    if (!(await confirmed(option.tile_name ?? option.name, words, translate("Tell it all the same")))) return;
  }
  if (option.form?.fields?.length) askFirst(option, values);
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

/** @param {import("/static/forms.js").Answers} values */
function askFirst(option, values) {
  const { turn, declared } = known.state;
  let filled = Object.keys(values).length > 0;
  let done = false;
  const place = html("div", { class: "form-fields" });
  const drawn = () => redraw(place, values, () => fields(option.form, values, (id, value, anew = true) => {
    values = { ...values, [id]: value };
    filled = true;
    draft(option, answered(values, option.form));
    if (anew) drawn();
  }));
  drawn();
  openSheet(option.asks ?? option.name, [place, html("div", { class: "row row-end" }, button(translate("Declare"), async () => {
    if (!allFits(place)) return;
    if (known.state.turn !== turn) {
      toast(translate("That turn is over. Undo it if this belongs to it."), "trouble");
      return;
    }
    // What somebody else declared meanwhile stays: the option as it is now holds it.
    const same = JSON.stringify(known.state.declared) === JSON.stringify(declared);
    done = await answer(same ? option : (known.state.board.options ?? []).find(({ id }) => id === option.id), values);
    if (done) closeSheet();
  }, { class: "main", "data-key": "send-answers" }))], () => filled && !done && draft(option, null));
}

// Whether the answers to an option were declared.
async function answer(option, values) {
  if (!option) {
    toast(translate("Somebody was faster: look at the table and decide anew."), "trouble");
    return false;
  }
  const declared = option.declared ? filledIn(option.declared, option.form, values)
    : { ...known.state.declared, [option.id]: answered(values, option.form) };
  if (declared === null) toast(translate("Fill something in first."), "trouble");
  else if ((await written()) && (await tell("declare", { declared, option: option.id }))) {
    if (option.place) keepValues(option.place, values);
    return true;
  }
  return false;
}

// What is filled in is known at the table, which asks about it when the turn ends before it is declared. values: null drops it.
function draft({ id, name }, values) {
  fillIn(`draft ${id}`, values, "draft", { option: id, values }, name);
}

export function dropDraft({ option }) {
  draft({ id: option, name: option }, null);
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
