// The game clock of a new game: how much time, and what each turn earns.

import { html } from "./dom.js";
import { translate, translateN } from "./i18n.js";

const TOTALS = [0, 300, 600, 900, 1800, 2700, 3600, 5400, 7200];
const TURNS = [0, 30, 60, 90, 120, 180, 300, 600];
const BONUSES = [0, 2, 5, 10, 15, 30, 60];

let chosen = { total_s: 0, turn_s: 0, kind: "increment_s", bonus: 0 };

// What was chosen, as a new game takes it; null for no clock.
export function chosenClock() {
  const { total_s: total, turn_s: turn, kind, bonus } = chosen;
  if (!total && !turn) return null;
  return { ...(total ? { total_s: total } : {}), ...(turn ? { turn_s: turn } : {}), ...(total && bonus ? { [kind]: bonus } : {}) };
}

export function clockForgotten() {
  chosen = { total_s: 0, turn_s: 0, kind: "increment_s", bonus: 0 };
}

// changed(): called when something was chosen.
export function clockChoice(changed) {
  const put = (change) => {
    chosen = { ...chosen, ...change };
    changed();
  };
  const seconds = (n) => (n % 60 ? translateN("{n} second", "{n} seconds", n) : translateN("{n} minute", "{n} minutes", n / 60));
  const pick = (key, title, values, none) => html("label", { class: "clock-pick" }, html("span", {}, title),
    html("select", { "data-key": `clock-${key}`, change: (event) => put({ [key]: Number(event.target.value) }) },
      ...values.map((n) => html("option", { value: n, selected: n === chosen[key] }, n ? seconds(n) : none))));
  return html("fieldset", { class: "clock-choice" }, html("legend", {}, translate("Game clock")),
    pick("total_s", translate("In all, for each player"), TOTALS, translate("no limit")),
    pick("turn_s", translate("For each turn"), TURNS, translate("no limit")),
    chosen.total_s ? pick("bonus", translate("Each turn earns"), BONUSES, translate("nothing")) : null,
    chosen.total_s && chosen.bonus ? html("label", { class: "clock-pick" }, html("span", {}, translate("How it is earned")),
      html("select", { "data-key": "clock-kind", change: (event) => put({ kind: event.target.value }) },
        html("option", { value: "increment_s", selected: chosen.kind === "increment_s" }, translate("added after every turn (increment)")),
        html("option", { value: "delay_s", selected: chosen.kind === "delay_s" }, translate("given back as far as it was used (Bronstein)")))) : null,
    html("p", { class: "hint" }, chosenClock()
      ? translate("The end of the first turn starts the clock. It stands while the referee rules, a dispute is open or a camera is gone.")
      : translate("Without a clock nobody has to hurry.")));
}

export function chosenKey() {
  return chosen;
}
