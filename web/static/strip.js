// What the referee says now, above a virtual table: who you are everywhere, and the ruling where the tablet's page has no
// room beside it.

import { button, byId, html, intoSight, redraw, show, unparted } from "./dom.js";
import { translate } from "./i18n.js";
import { follow } from "./live.js";
import { learnPaints } from "./paints.js";
import { sign } from "./pieces.js";
import { language } from "./prefs.js";
import { whoseTurn } from "./whoseturn.js";

const SIGNS = { time: "!", legal: "✓", illegal: "✕", unsure: "?", busy: "…", won: "★", paused: "‖" };
const MOST_TOLD = 12; // of a board knocked over the tablet's page has the whole list

/** @typedef {(field: string, n: number, piece: string) => string} Named a field and what stands on it, in words */

let state = null;
let said = "";

/**
 * Follow the table.
 * @param {{ yours: () => string[], changed: () => void, toTablet: () => void, named: Named }} room yours: the colours of who
 *   plays here
 * @returns {{ wake: () => void, draw: () => void, open: () => string[], learned: () => boolean, showing: () => any }} open: the
 *   fields still to be put back; learned: whether colours and names are known; showing: what is asked of a phone in the hand
 */
export function startStrip({ yours, changed, toTablet, named }) {
  const draw = () => drawStrip(yours(), toTablet, named);
  const line = follow({
    language: language(),
    onState: (newest) => {
      state = newest;
      learnPaints(state);
      draw();
      changed();
    },
    onConnection: () => {},
  });
  return { wake: () => line.wake(), draw, open: () => tasks().filter(({ done }) => !done).map(({ field }) => field), learned: () => Boolean(state), showing: () => state?.showing ?? null };
}

function tasks() {
  return state?.swept?.tasks ?? state?.live.tasks ?? [];
}

function drawStrip(yours, toTablet, named) {
  if (!state) return;
  const { banner, violation } = state;
  show(byId("strip"), true);
  byId("strip").dataset.tone = banner.tone;
  redraw(byId("you"), [yours, state.to_move, state.turn, state.finished, state.seats], () => [
    yours.length === 1 ? html("b", {}, sign(yours[0]), translate("You are {who}", { who: nameIn(yours[0]) })) : null,
    html("span", {}, state.finished ? translate("Game over") : whoseTurn(state, nameIn(state.to_move)))]);
  redraw(byId("said"), [banner, violation?.rules], () => [
    html("h2", {}, html("span", { class: "strip-sign", "aria-hidden": "true" }, SIGNS[banner.tone] ?? ""), unparted(banner.headline)),
    banner.detail ? html("p", {}, banner.detail) : null,
    banner.advice ? html("p", { class: "strip-advice" }, banner.advice) : null]);
  const items = tasks().map((task) => ({ ...task, words: named(task.field, task.height, task.piece ? nameIn(task.piece) : "") }));
  redraw(byId("back"), items, () => putBack(items));
  const decides = banner.tone !== "busy" && state.actions.some(({ id, first }) => first && id !== "turn_ended") && !state.finished;
  showSaid(banner);
  redraw(byId("decide"), [decides], () => (decides ? [button(translate("Answer on the tablet"), toTablet)] : []));
}

// Whoever is down at the list of fields sees the ruling come.
function showSaid({ tone, headline }) {
  const before = said;
  said = JSON.stringify([tone, headline, state.turn]);
  if (before && said !== before && tone !== "busy") intoSight(byId("board"), byId("strip"));
}

function putBack(items) {
  if (!items.length) return [];
  const open = items.filter(({ done }) => !done).length;
  return [html("p", {}, html("b", {}, translate("To put back")), open ? "" : ` ${translate("all done")}`),
    html("ul", {}, ...items.slice(0, MOST_TOLD).map(({ field, words, done, unseen }) =>
      html("li", { "data-field": field, "data-done": done }, done ? "✓ " : "", words,
        html("span", { class: unseen ? "" : "for-reader" }, done ? translate("done") : unseen ? ` ${translate("out of the cameras’ sight")}` : translate("still to do")))))];
}

function nameIn(word) {
  return state.players[word]?.name ?? state.kit.pieces.find((kind) => kind.word === word)?.name ?? state.palette[word]?.name ?? word;
}
