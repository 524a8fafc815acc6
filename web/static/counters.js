// What a game counts for its players: counters, tracks beside the board and parts of the goal.

import { html } from "./dom.js";
import { translate } from "./i18n.js";
import { sign } from "./pieces.js";

const MOST_PIPS = 7;

// timed: whether a game clock counts.
export function seatCard(seat, timed = false) {
  const kind = `seat${seat.to_move ? " seat-active" : ""}${seat.winner ? " seat-winner" : ""}`;
  const steps = seat.steps ?? [];
  return html("article", { class: kind, "data-colour": seat.colour, "aria-current": seat.to_move ? "true" : null },
    html("h2", {}, sign(seat.colour), html("span", { class: "seat-name" }, seat.name),
      timed ? html("time", { class: "seat-time", role: "timer", "data-clock": seat.colour }) : null,
      seat.winner ? html("em", {}, translate("wins")) : null, seat.out ? html("em", {}, translate("gave up")) : null),
    ...seat.counters.map(counter),
    steps.length ? goal(seat, steps)
      : seat.goal ? html("p", { class: "goal" }, seat.goal.replaceAll("-", "\u2011")) : null);
}

function goal(seat, steps) {
  return html("p", { class: "steps" }, html("span", { class: "for-reader" }, seat.goal),
    ...steps.map(({ text, reached }) =>
      html("span", { class: `step${text.length > 2 ? " step-words" : ""}${reached ? " step-on" : ""}`, "aria-hidden": "true" }, text)));
}

function counter({ id, name, value, of, track, seen = null }) {
  const told = of > 0
    ? translate("{name}: {value} of {of}", { name, value, of }) : translate("{name}: {value}", { name, value });
  const small = of > 0 && of <= MOST_PIPS && !track?.ring;
  return html("div", { class: "counter", "data-counter": id, "data-value": value },
    html("p", {}, html("span", { class: "counter-name", "aria-hidden": "true" }, name),
      small ? pips(value, of) : html("b", { "aria-hidden": "true" }, of > 0 ? `${value}\u2009/\u2009${of}` : String(value)),
      html("span", { class: "for-reader" }, told)),
    track ? trackOf(track, value, seen) : null);
}

// A track of fields beside the board with its marker: where it ought to stand, and where the cameras see it.
// Of a ring around the board, from field 0 on, nothing is said as long as the marker stands where it ought to.
// It is said and not drawn, once something was counted: before that the marker may stand on the first field already.
function trackOf({ at, ring = false }, value, seen) {
  const differs = seen !== null && seen !== at;
  if (ring) {
    return differs ? html("p", { class: "track-row", "data-at": at, "data-seen": seen },
      html("span", { class: "track-differs" }, translate("marker on {n}", { n: at }), ", ",
        translate("the cameras see it on {n}", { n: seen }))) : null;
  }
  const ought = at ? translate("marker on {n}", { n: at }) : translate("marker off the track");
  const found = seen ? translate("the cameras see it on {n}", { n: seen }) : translate("the cameras see none");
  return html("div", { class: "track-row", "data-at": at, "data-seen": seen },
    value || differs ? html("span", { class: "track-ought", "aria-hidden": "true" }, ought) : null,
    differs ? html("span", { class: "track-differs", "aria-hidden": "true" }, seen ? translate("seen on {n}", { n: seen }) : translate("not seen")) : null,
    html("span", { class: "for-reader" }, differs ? `${ought}, ${found}` : ought));
}

function pips(value, of) {
  return html("span", { class: "pips", "aria-hidden": "true" },
    ...Array.from({ length: of }, (_, i) => html("i", { class: i < value ? "pip pip-on" : "pip" })));
}
