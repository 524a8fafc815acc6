// What the tour asks for, step by step, and how the table tells that it was done. Pure: nothing is drawn here.

import { translate } from "./i18n.js";

const BUSY = new Set(["reading", "ruling"]);

// The seat of whoever takes the tour: a person plays first.
export function guest(state) {
  return state.history[0]?.player ?? state.to_move;
}

function turns(state, seen) {
  return state.history.filter((entry) => entry.entry > seen.entry && entry.what === "turn" && entry.player === guest(state));
}

// What a first turn is, where that is no turn as they usually are: a piece is put, say.
function first(state) {
  const played = state.history.some(({ what, player, verdict }) => what === "turn" && player === guest(state) && verdict === "legal");
  return !played && state.banner.advice ? [state.banner.advice] : null;
}

// Every step has its words by what the button says and by the state. held: only at a table with a camera in a hand. done: whether a step was done. seen: what was noted when it began, {entry}, and by it since, {asked}.
// words: what to do; asked: once the referee has asked back.
const STEPS = [
  {
    id: "phone",
    title: () => translate("A phone in the hand"),
    words: (press) => translate("Make your turn on the table and press “{press}”. Then show the board: drag the phone around the ring, or press “{walk}”. Each picture is a view; the ring marks the sides that are done and the one that is wanted.",
      { press, walk: translate("Walk around for me") }),
    own: true,
    held: true,
    done: (state, seen) => turns(state, seen).length > 0 || (BUSY.has(state.phase.id) && state.showing?.views > 0),
  },
  {
    id: "legal",
    title: () => translate("A turn by the rules"),
    words: (press, state) => [...(first(state) || (state.explained?.how ?? []).slice(1, 3)),
      translate("Choose below the table what your hand does, touch the fields, and end with “{press}”.", { press }),
      ...(document.documentElement.dataset.tour === "plays" ? [translate("Or touch “{play}”.", { play: translate("Play a turn for me") })] : [])].join(" "),
    own: true,
    done: (state, seen) => turns(state, seen).some(({ verdict, counts }) => verdict === "legal" && counts),
  },
  {
    id: "breach",
    title: () => translate("A turn against the rules"),
    words: (press) => translate("Now do more than a turn allows, with a piece too many, and press “{press}”. The referee names the rule and the place.", { press }),
    own: true,
    done: (state) => Boolean(state.violation),
  },
  {
    id: "back",
    title: () => translate("Put back"),
    words: () => translate("Put everything back as it was before the turn. The page marks what is still wrong, and the referee sees by itself when all is right."),
    done: (state, seen) => !state.violation && state.phase.id === "playing"
      && (seen.entry === 0 || state.history.some(({ entry, fate }) => entry >= seen.entry && (fate === "taken-back" || fate === "replaced" || fate === "accepted"))),
  },
  {
    id: "question",
    title: () => translate("A question in place of a guess"),
    words: (press) => translate("Touch nothing and press “{press}”. What the referee can’t know, it does not claim.", { press }),
    asked: () => translate("It asks, and accuses nobody. Answer with one of the buttons."),
    own: true,
    note: (state, seen) => ({ ...seen, asked: seen.asked || state.phase.id === "unsure" }),
    done: (state, seen) => seen.asked && state.phase.id !== "unsure" && !BUSY.has(state.phase.id),
  },
  {
    id: "correction",
    title: () => translate("A correction"),
    words: () => translate("People have the last word: open “{more}”, choose “{correct}”, change something and save it; then lay it so on the table.",
      { more: translate("More"), correct: translate("Correct the position") }),
    done: (state, seen) => state.history.some(({ entry, what }) => entry > seen.entry && what === "correction"),
  },
  {
    id: "record",
    title: () => translate("The record"),
    words: () => translate("Open the record: every turn stands there, with what was ruled, what people decided, and what was put right."),
    done: (_state, _seen, screen) => screen === "record",
  },
];

export function stepsAt(state) {
  const held = state.cameras.some((camera) => camera.held);
  return STEPS.filter((step) => held || !step.held);
}

// Who plays before a step can be done; nobody where it can be done now.
export function before(step, state) {
  return step.own && (state.phase.id === "playing" || BUSY.has(state.phase.id)) && state.to_move !== guest(state) ? state.to_move : "";
}

// Where a step begins: nothing before it counts for it. What was put back belongs to the newest entry.
export function begun(id, state) {
  return { entry: state.history.at(-1)?.entry ?? 0, asked: false, id };
}
