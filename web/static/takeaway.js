// What players take away: the record as text and JSON, a picture of the board, the checkpoint as a QR code.

import { drawBoard } from "./board.js";
import { button, html, svg } from "./dom.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { qrCode } from "./qr.js";
import { openSheet } from "./sheet.js";
import { known, toast } from "./store.js";

export function takeAway() {
  return html("section", { class: "takeaway", "aria-label": translate("Take the record away") },
    html("h2", {}, translate("Take the record away")),
    html("div", { class: "row" },
      button(translate("As text"), () => fetched("/api/record.txt", "txt"), { "data-key": "as-text" }, icon("save")),
      button("JSON", () => fetched("/api/record.json", "json"), { "data-key": "as-json" }, icon("save")),
      button(translate("Picture of the board"), picture, { "data-key": "as-picture" }, icon("save")),
      button(translate("Checkpoint"), checkpoint, { "data-key": "checkpoint" })),
    html("p", { class: "hint" }, translate("A checkpoint is a signed note of how far the record has come: with it anybody can show later that nothing was changed.")));
}

function save(content, kind, ending) {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  const { game } = known.state;
  const link = html("a", { href: address, download: `${game}-${new Date().toISOString().slice(0, 10)}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

async function fetched(address, ending) {
  try {
    const answer = await fetch(`${address}?lang=${known.language}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    save(await answer.text(), answer.headers.get("Content-Type"), ending);
  } catch {
    toast(translate("The record can’t be fetched now."), "trouble");
  }
}

// The board as an SVG file of its own: what the style sheets say is written into it.
const SAID = ["fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-dasharray", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor", "opacity"];

function picture() {
  const node = svg("svg", { class: "mini hidden-board" });
  document.body.append(node);
  drawBoard(node, known.state.board, { seats: known.state.seats });
  for (const part of node.querySelectorAll("*")) {
    const style = getComputedStyle(part);
    for (const name of SAID) part.setAttribute(name, style.getPropertyValue(name));
  }
  node.remove();
  node.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  node.removeAttribute("class");
  node.setAttribute("width", "1000");
  save(new XMLSerializer().serializeToString(node), "image/svg+xml", "svg");
}

async function checkpoint() {
  try {
    const answer = await fetch("/api/checkpoint", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const { text, qr } = await answer.json();
    openSheet(translate("Checkpoint"), [
      html("p", { class: "sheet-words" }, translate("Scan it with a phone and keep the text.")),
      qrCode(qr, translate("QR code of the checkpoint")), html("pre", { class: "checkpoint", tabindex: 0 }, text),
    ]);
  } catch {
    toast(translate("The checkpoint can’t be fetched now."), "trouble");
  }
}
