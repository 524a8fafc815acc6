// A sheet over the page that asks one thing. Not <dialog>: its top layer would not turn with the page.

import { button, byId, html } from "./dom.js";
import { icon } from "./icons.js";
import { translate } from "./i18n.js";

let back = null;
let leave = null;

// parts: what stands on the sheet. Returns a function that closes it, and no other that was opened since.
export function openSheet(title, parts, closed = () => {}) {
  closeSheet();
  back = document.activeElement;
  leave = closed;
  const shut = html("button", { type: "button", class: "icon-button", "aria-label": translate("Close"), click: closeSheet }, icon("close"));
  const box = html("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title", tabindex: -1 },
    html("header", { class: "sheet-head" }, html("h2", { id: "sheet-title" }, title), shut),
    html("div", { class: "sheet-body" }, ...parts));
  const veil = html("div", { class: "veil", click: (event) => event.target === veil && closeSheet() }, box);
  byId("sheet").replaceChildren(veil);
  byId("behind").inert = true;
  box.focus();
  return () => box.isConnected && closeSheet();
}

export function closeSheet() {
  if (!sheetOpen()) return;
  byId("sheet").replaceChildren();
  byId("behind").inert = false;
  focusAgain();
  const tell = leave;
  leave = null;
  tell?.();
}

// The focus goes back to what had it, or to what was drawn in its place since.
function focusAgain() {
  const key = back?.getAttribute("data-key");
  const now = key && !back.isConnected ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : back;
  if (now instanceof HTMLElement) now.focus();
}

export function sheetOpen() {
  return Boolean(byId("sheet")?.childElementCount); // a page without sheets may load this, too
}

// Ask before something that can't be taken back lightly. Resolves to whether it was wanted.
export function confirmed(title, words, yes, kind = "main") {
  return new Promise((decide) => {
    let wanted = false;
    openSheet(title, [
      html("p", { class: "sheet-words" }, words),
      html("div", { class: "row row-end" },
        button(translate("Cancel"), closeSheet, { class: kind ? "" : "main" }),
        button(yes, () => {
          wanted = true;
          closeSheet();
        }, { class: kind })),
    ], () => decide(wanted));
  });
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSheet();
});
