// Correcting a grid of stacks: a field's height and its piece.

import { boardOf, differing, isPiece, standing, textOf } from "./boardtext.js";
import { counts } from "./counts.js";
import { html } from "/static/dom.js";
import { byNumber, translate, translateN } from "/static/i18n.js";
import { nameOf } from "/static/paints.js";
import { sign } from "/static/pieces.js";
import { stepper } from "/static/stepper.js";
import { changed, known } from "/static/store.js";

export const gridEditor = {
  start: (state, what) => (what === "correct" ? boardOf(state.position.board, state.kit) : settled(state)),
  differing: ({ board, start }) => differing(board, start),
  text: (board, { kit }) => textOf(board, kit),
  places: (board, { position, kit }) => standing(board, differing(board, boardOf(position.board, kit)), kit),
  summed, wrong, panel,
};

// Fields that can't be told are as they stood before the turn, until somebody says otherwise.
function settled({ board, position, kit }) {
  const before = boardOf(position.board, kit);
  const fields = board.fields.map((field, index) => {
    const stood = before.fields[index];
    return { ...field, height: field.height ?? stood.height, piece: field.piece === "?" ? stood.piece : field.piece };
  });
  return { ...board, fields, open: [] };
}

function set(field, change) {
  const { editing } = known;
  editing.steps.push({ board: structuredClone(editing.board), chosen: field.name });
  Object.assign(field, change);
  changed();
}

function counted({ board, start }, { kit, conserved }) {
  return counts(board, start, kit, conserved?.stones ?? null);
}

function summed(editing, state) {
  const { stones, before } = counted(editing, state);
  const name = byNumber(stones, state.kit.stone, state.kit.stones);
  const fields = differing(editing.board, editing.start).length;
  const told = translateN("{n} field changed", "{n} fields changed", fields);
  const all = stones === before ? translate("{n} {stones} on the board.", { n: stones, stones: name })
    : translate("{n} {stones} on the board, {before} before.", { n: stones, before, stones: name });
  return `${told}. ${all}`;
}

// Why it can't be sent. A board after a turn may be wrong: that is what is ruled on; the position of a game may not.
function wrong(editing, state) {
  if (editing.what === "rule_board" || editing.what === "put_right") return null;
  const { stones, missing, many } = counted(editing, state);
  const { kit } = state;
  const reserves = Object.keys(editing.counters).length > 0; // what is off the board was counted anew: the table adds up
  if (missing && !reserves && editing.what === "correct") {
    const values = { n: Math.abs(missing), all: stones + missing, stones: kit.stones };
    return missing > 0
      ? translate("It does not add up: {n} too few, this game has {all} {stones} on the board.", values)
      : translate("It does not add up: {n} too many, this game has {all} {stones} on the board.", values);
  }
  return many.length ? translate("It does not add up: {piece} stands {n} times, {most} at most.",
    { piece: nameOf(many[0].word), n: many[0].count, most: many[0].most }) : null;
}

function panel({ board, chosen }, { kit, seats }) {
  if (!chosen) return html("p", { class: "editor-hint" }, translate("Touch a field to change it."));
  const field = board.fields.find(({ name }) => name === chosen);
  const height = field.height ?? 0;
  const playing = new Set(seats.map(({ colour }) => colour));
  const offered = kit.pieces.filter(({ owner }) => !owner || playing.has(owner)).map(({ word }) => word);
  return html("div", { class: "field-panel", role: "group", "aria-label": translate("Field {name}", { name: chosen }) },
    html("b", { class: "field-name" }, chosen),
    stepper(String(height),
      { "data-key": "lower", "aria-label": translate("one lower"), disabled: height === 0, click: () => set(field, { height: height - 1 }) },
      { "data-key": "higher", "aria-label": translate("one higher"), disabled: height >= kit.tallest, click: () => set(field, { height: height + 1 }) },
      { role: "group", "aria-label": translate("Height") }),
    html("div", { class: "piece-choices", role: "group", "aria-label": translate("Piece") },
      ...[null, ...offered].map((word) => html("button", {
        type: "button", class: "piece-choice", "data-key": `piece-${word ?? "none"}`,
        "aria-pressed": String((isPiece(field.piece) ? field.piece : null) === word),
        "aria-label": word ? nameOf(word) : translate("no piece"),
        click: () => set(field, { piece: word }),
      }, word ? sign(word) : html("span", { "aria-hidden": "true" }, "–")))));
}
