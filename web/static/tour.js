// The tour of a first start: six steps above the game, each done at the table itself, any of them skipped. A device that
// comes when others play already is only offered it.

import { button, byId, html, redraw, show } from "./dom.js";
import { screenAsked } from "./frame.js";
import { translate } from "./i18n.js";
import { keep, kept } from "./prefs.js";
import { action, changed, known, mayAct, onChange, playerName } from "./store.js";
import { before, begun, stepsAt } from "./toursteps.js";

const KEY = "tour"; // what this device remembers: the number of the step, "done" after the last, OFFERED until somebody wants it
const OFFERED = "offered";
const LIVE = new Set(["playing", "reading", "ruling", "violation", "unsure", "blind", "correcting", "restoring"]);

let seen = null;
let praised = "";
let folded = false; // to one line, for this step

function at() {
  return Math.min(Number(kept(KEY, "0")) || 0, stepsAt(known.state).length);
}

function go(step) {
  [seen, folded] = [null, false];
  keep(KEY, String(step));
  changed();
}

function leave() {
  keep(KEY, "done");
  show(byId("tour"), false);
}

// Look at the table; whether the step under way was done by what happened.
function follow(state, screen) {
  const step = stepsAt(state)[at()];
  if (!step) return;
  if (seen?.id !== step.id) seen = begun(step.id, state);
  seen = step.note?.(state, seen) ?? seen;
  if (step.done(state, seen, screen)) {
    praised = step.title();
    go(at() + 1);
  }
}

// Somebody else plays already: a short offer on the screen of play, and nothing above the record.
function offer() {
  return [
    html("p", {}, translate("New here? A tour leads through a few turns.")),
    html("div", { class: "row row-end" },
      button(translate("Show me around"), () => go(0), { "data-key": "tour-take" }),
      button(translate("No, thanks"), leave, { "data-key": "tour-decline" })),
  ];
}

function wordsOf(step, state) {
  const other = before(step, state);
  if (other) return translate("First {who} plays: watch the table.", { who: playerName(other) });
  if (seen?.asked && step.asked) return step.asked();
  return step.words(action("turn_ended")?.words ?? translate("Turn ended"), state);
}

function card(state) {
  const number = at();
  const steps = stepsAt(state);
  const step = steps[number];
  if (!step) {
    return [
      html("p", { class: "tour-step" }, translate("That was the tour")),
      html("p", {}, translate("Play on: the other seats answer every turn of yours.")),
      html("div", { class: "row row-end" }, button(translate("Finish"), leave, { class: "main", "data-key": "tour-finish" })),
    ];
  }
  const fold = () => {
    folded = !folded;
    changed();
  };
  const signs = steps.map((_, index) => html("li", { "data-done": index < number ? "yes" : null, "aria-current": index === number ? "step" : null }));
  const head = [
    html("div", { class: "tour-head" },
      html("p", { class: "tour-step" }, translate("Step {n} of {of}: {title}", { n: number + 1, of: steps.length, title: step.title() })),
      html("ol", { class: "tour-dots", "aria-hidden": "true" }, ...signs),
      button(folded ? translate("Unfold") : translate("Fold"), fold, { "data-key": "tour-fold", "aria-expanded": String(!folded) })),
  ];
  if (folded) return head;
  return [...head,
    praised ? html("p", { class: "tour-done" }, translate("Done: {what}", { what: praised })) : null,
    html("p", {}, wordsOf(step, state)),
    html("div", { class: "row row-end" },
      step.id === "record" ? html("a", { class: "button main", href: "#/record", "data-key": "tour-record" }, translate("Open the record")) : null,
      button(translate("Skip this step"), () => {
        praised = "";
        go(number + (step.id === "breach" ? 2 : 1)); // nothing was laid wrong: there is nothing to put back
      }, { "data-key": "tour-skip" }),
      button(translate("Leave the tour"), leave, { "data-key": "tour-leave" })),
  ];
}

function draw() {
  const { state } = known;
  const node = byId("tour");
  const screen = screenAsked().screen;
  if (!state || !known.language || !mayAct() || kept(KEY) === "done" || !LIVE.has(state.phase.id)) {
    show(node, false);
    return;
  }
  if (!kept(KEY)) keep(KEY, state.history.length ? OFFERED : "0");
  const offered = kept(KEY) === OFFERED;
  if (!offered) follow(state, screen);
  show(node, kept(KEY) !== "done" && (screen === "play" || (screen === "record" && !offered)));
  node.setAttribute("aria-label", translate("Tour"));
  redraw(node, [at(), offered, praised, folded, wordsKey(state), known.language], () => (offered ? offer() : card(state)));
}

function wordsKey(state) {
  const step = stepsAt(state)[at()];
  return step ? wordsOf(step, state) : "";
}

export function startTour() {
  byId("main").prepend(html("aside", { id: "tour", class: "tour", hidden: true }));
  onChange(draw);
  addEventListener("hashchange", changed);
  changed();
}
