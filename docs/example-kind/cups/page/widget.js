// A row of cups on the page.

import { html } from "/static/dom.js";

const SIGNS = { u: "∪", d: "∩", "?": "?" };

/** @type {Partial<import("/static/kinds.js").Widget>} */
export const widget = {
  surface: "html",
  draw: (node, { cups }) => node.replaceChildren(html("p", {}, cups.map(({ name, stands }) => `${name} ${SIGNS[stands]}`).join("  "))),
};
