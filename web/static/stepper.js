// What is shown between two buttons, one down and one up: a number, or a level.

import { html } from "./dom.js";
import { translate } from "./i18n.js";

// down, up: attributes of the buttons, their words as "aria-label". attributes: of the whole.
export function stepper(shown, down, up, attributes = {}) {
  const step = (sign, own) => html("button", { type: "button", ...own }, sign);
  return html("div", { class: "stepper", ...attributes }, step("−", down), html("output", { class: "stepper-value" }, shown), step("+", up));
}

// A number from least to most; set: is told the next one.
export function countStepper(key, n, least, most, set, attributes = {}) {
  return stepper(String(n),
    { "data-key": `${key}-less`, "aria-label": translate("one less"), disabled: n <= least, click: () => set(n - 1) },
    { "data-key": `${key}-more`, "aria-label": translate("one more"), disabled: n >= most, click: () => set(n + 1) }, attributes);
}
