// One of a ledger's options is chosen, with what it asks first.

import { allFits, fields } from "/static/declaration.js";
import { button, html, redraw } from "/static/dom.js";
import { fillIn, written } from "/static/entering.js";
import { answered, filledIn } from "/static/forms.js";
import { translate } from "/static/i18n.js";
import { copies, copyForm, putRow } from "/static/session.js";
import { confirmed, openSheet } from "/static/sheet.js";
import { known, shown, tell, toast } from "/static/store.js";

// values: what was filled in of it before. What can't be done by the rules is declared only when that is meant.
export async function chooseOption(option, values = {}) {
  if (option.hindrance) {
    const { game, turn, event } = known.state;
    const words = `${option.hindrance} ${translate("Was it done all the same? Then it is told so, and ruled on.")}`;
    if (!(await confirmed(option.tile_name ?? option.name, words, translate("Tell it all the same"), ""))) return;
    const now = known.state;
    // What somebody else declared meanwhile stays: the option as it is now holds it.
    const same = now.event === event ? option : now.game === game && now.turn === turn ? offered(option) : null;
    if (!same) return void refused(faster());
    option = same;
  }
  if (option.form?.fields?.length) askFirst(option, values);
  else await chosen(option);
}

const TRIES = 4;
const NEW = "+"; // the row of a card that is still to be made

// Several players choose at once: where somebody was faster the same choice is made again after theirs, if there still is one.
async function chosen(option, tries = TRIES) {
  return tell("declare", { declared: option.declared ?? { ...known.state.declared, [option.id]: true } }, undefined,
    afterTheirs(() => tries && option.kind !== "undo" && offered(option), (same) => chosen(same, tries - 1)));
}

// Once the page shows what somebody else was faster with: what is still there is done after it, else it is said that it can't be.
function afterTheirs(still, go) {
  const before = known.state.event;
  return async () => {
    await shown(() => known.state.event !== before);
    const same = still();
    return same ? go(same) : refused(faster());
  };
}

function offered({ id }) {
  return (known.state.board.options ?? []).find((option) => option.id === id);
}

function faster() {
  return translate("Somebody was faster: look at the table and decide anew.");
}

function refused(words) {
  toast(words, "trouble");
  return false;
}

/** @param {import("/static/forms.js").Answers} values */
function askFirst(option, values) {
  const { turn } = known.state;
  const before = JSON.stringify(known.state.declared);
  let filled = Object.keys(values).length > 0;
  let [sending, done] = [false, false];
  const place = html("div", { class: "form-fields" });
  const drawn = () => redraw(place, values, () => fields(option.form, values, (id, value, anew = true) => {
    values = { ...values, [id]: value };
    filled = true;
    draft(option, answered(values, option.form));
    if (anew) drawn();
  }));
  drawn();
  // What somebody else declared meanwhile stays: the option as it is now holds it.
  const send = async (tries = TRIES) => {
    if (!(await written())) return false;
    if (known.state.turn !== turn) return refused(translate("That turn is over. Undo it if this belongs to it."));
    const now = JSON.stringify(known.state.declared) === before ? option : offered(option);
    if (!now) return refused(faster());
    const declared = now.declared ? filledIn(now.declared, now.form, values) : { ...known.state.declared, [now.id]: answered(values, now.form) };
    if (declared === null) return refused(translate("Fill something in first."));
    return tell("declare", { declared, option: now.id }, undefined, afterTheirs(() => tries && offered(now), () => send(tries - 1)));
  };
  const shut = openSheet(option.asks ?? option.name, [place, html("div", { class: "row row-end" }, button(translate("Declare"), async () => {
    if (sending || !allFits(place)) return; // pressed twice it would be declared twice
    sending = true;
    done = await send();
    sending = false;
    if (!done) return;
    if (option.place) keepValues(option.place, values);
    shut();
  }, { class: "main", "data-key": "send-answers" }))], () => filled && !done && !sending && draft(option, null));
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
  const before = row === NEW ? {} : form?.parts?.find(({ id }) => id === part)?.rows.find(({ id }) => id === row)?.values;
  if (before) await putRow(one.id, part, row, { ...before, ...answered(told, { fields: Object.keys(told).map((id) => ({ id, kind: "", name: "", answers: [], least: 0, most: 0 })) }) });
}
