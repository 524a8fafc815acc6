// What stands and what may follow, in sentences for the ear. Says nothing and touches nothing: aloud.js speaks them.

import { signed, translate, translateN } from "./i18n.js";
import { boardFrom, widgetOf } from "./kinds.js";
import { whoseTurn } from "./whoseturn.js";

const MOST_TOLD = 16; // fields; more say no more than their number does

/** @typedef {(colour: string) => string} Called the name of who plays a colour */

/**
 * All of it: the ruling, what the last turn changed, whose turn it is, what is asked, and what stands where.
 * @param {any} state
 * @param {Called} called
 * @returns {string[]}
 */
export function situation(state, called) {
  const all = [...ruling(state), ...changes(state, called), ...next(state, called), ...asked(state), ...widgetOf(state.board).told(state.board, state)];
  return all.filter((words, index) => words && !all.slice(0, index).some((earlier) => earlier.includes(words)));
}

// The ruling with the rules that were broken, where they are written, and what is still to be put back.
export function ruling({ banner, violation, swept, live, ended, board }) {
  const { headline, detail, advice } = banner;
  const written = (violation?.rules ?? []).map(({ paragraph, sheet, words }) => [words.includes(paragraph) ? "" : paragraph, sheet].filter(Boolean).join(", "));
  const open = (violation?.put_back ?? swept?.tasks ?? live.tasks).filter(({ done }) => !done).map((task) => widgetOf(board).taskWords(task));
  return [headline, detail, ...new Set(written), advice, open.length ? translate("Still to put back: {list}", { list: shortened(open).join("; ") }) : "", ended];
}

// How the fields stand that the last turn changed, or what it booked.
function changes(state, called) {
  const last = [...state.history].reverse().find(({ what, counts, entry }) => what === "turn" && (counts || entry === state.violation?.entry));
  if (!last) return [];
  const [before, after] = state.violation ? [state.violation.before, state.violation.after]
    : [boardFrom(last.before, state), boardFrom(last.after, state, last.open)];
  const fields = before && after ? widgetOf(state.board).changed(before, after) : [];
  const booked = last.bookings.map(({ player, words, changes: sums }) =>
    [called(player), words, ...sums.map(({ name, change }) => `${name} ${signed(change)}`)].filter(Boolean).join(" "));
  const told = [...shortened(fields), ...booked];
  return told.length ? [translate("Changed in turn {n} of {who}", { n: last.turn, who: called(last.player) }), ...told] : [];
}

function shortened(list) {
  return list.length > MOST_TOLD ? [translateN("{n} field", "{n} fields", list.length)] : list;
}

function next(state, called) {
  return state.finished ? [translate("Game over")] : [whoseTurn(state, called(state.to_move)), translate("Turn {n}", { n: state.turn })];
}

// What is asked with its answers, and what may be said now.
function asked({ asked: question, ask, candidates, doubt, setup, actions, board, phase }) {
  const answers = (one) => [translate("What stands on {field}?", { field: one.field }), one.why ?? "", translate("Possible answers: {list}", {
    list: one.answers.map(({ height, piece }) => widgetOf(board).taskWords({ field: one.field, height, piece })).join("; ") })];
  const first = actions.filter((offered) => offered.first).map(({ words }) => words);
  return [
    ...(question ? [question.words, question.why, translate("Possible answers: {list}", { list: [...question.replies.map(({ name }) => name), question.no].join("; ") })] : []),
    ...(candidates.length > 1 ? [translate("Which of these boards stands there?"), ...candidates.map(({ told, board: shown }) =>
      widgetOf(board).some(shown, Object.keys(told)).join("; "))] : []),
    ...(ask ? answers(ask) : []), ...(setup?.asks ?? []).flatMap(answers),
    ...(doubt?.ways.length ? [translate("Was it meant so?"), ...doubt.ways.map(({ name }) => name)] : []),
    phase.id === "playing" && board.ready === false ? board.blocked : "",
    first.length ? translate("What may follow: {list}", { list: first.join("; ") }) : ""];
}

export const EVERYBODY = "all";

/**
 * Whether anything may be said now: nothing while the clock of a player runs who has not asked for it.
 * @param {{ clock: { aside: boolean, running: boolean, player: string | null } | null }} state
 * @param {string} speaksFor the player who asked for it, EVERYBODY, or nobody ("")
 */
export function maySpeak({ clock }, speaksFor) {
  return !clock || clock.aside || !clock.running || speaksFor === EVERYBODY || (speaksFor !== "" && speaksFor === clock.player);
}
