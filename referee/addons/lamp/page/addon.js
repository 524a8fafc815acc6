// How good the light is in a camera's picture, while the table is set up.

import { html } from "/static/dom.js";
import { translate } from "/static/i18n.js";

export const addon = {
  parts: {
    camera: { from: ({ lamp }) => lamp, draw: ({ lamp, name }) => (lamp ? meter(lamp, name) : []) },
    "camera-checks": { from: ({ lamp }) => lamp, draw: ({ lamp, line }) => (lamp?.checks ?? []).map(line) },
  },
};

// Rises and falls while somebody moves a lamp.
function meter(lamp, name) {
  return [html("div", { class: "lamp-meter" },
    html("span", {}, translate("Light: {n} of 100", { n: lamp.score })),
    html("meter", { min: 0, max: 100, low: 50, high: 75, optimum: 100, value: lamp.score, "aria-label": translate("Light in the picture of {camera}", { camera: name }) }),
    lamp.advice ? html("p", {}, lamp.advice) : null)];
}
