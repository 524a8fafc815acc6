// What players take away: the record as text and JSON, a picture of the board, the checkpoint as a QR code.

import { partsAt } from "./addons.js";
import { button, html, svg } from "./dom.js";
import { translate } from "./i18n.js";
import { icon } from "./icons.js";
import { isDrawn, widgetOf } from "./kinds.js";
import { qrCode } from "./qr.js";
import { openSheet } from "./sheet.js";
import { known, playerName, toast } from "./store.js";

export function takeAway() {
  return html("section", { class: "takeaway", "aria-label": translate("Take the record away") },
    html("h2", {}, translate("Take the record away")),
    html("div", { class: "row" },
      button(translate("As text"), () => fetched("/api/record.txt", "txt"), { "data-key": "as-text" }, icon("save")),
      button("JSON", () => fetched("/api/record.json", "json"), { "data-key": "as-json" }, icon("save")),
      isDrawn(known.state.board)
        ? button(translate("Picture of the board"), picture, { "data-key": "as-picture" }, icon("save")) : null,
      button(translate("Checkpoint"), checkpoint, { "data-key": "checkpoint" }),
      ...partsAt("takeaway").draw()),
    html("p", { class: "hint" }, translate("A checkpoint is a signed note of how far the record has come: with it anybody can show later that nothing was changed.")));
}

function save(content, kind, ending, game = known.state.game) {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
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

// All that is known of a turn, to be kept and shown to others: as a page of its own, or on paper.
export function reportButton(turn) {
  return button(translate("Report of this turn"), () => reportSheet(turn), { "data-key": "report" }, icon("save"));
}

function reportSheet(turn) {
  const take = (ending, what = "report") => taking(`/api/turns/${turn}/${what}.${ending}?lang=${known.language}`, `turn-${turn}.${ending}`);
  openSheet(translate("Report of this turn"), [
    html("p", { class: "sheet-words" }, translate("Boards, pictures with what was read on them, the rule, who decided what: one file, to be kept or sent. It takes a few seconds.")),
    html("div", { class: "choices" },
      button(translate("As a page"), take("html"), { "data-key": "report-html" }, icon("save")),
      button(translate("As PDF"), take("pdf"), { "data-key": "report-pdf" }, icon("save"))),
    html("h3", {}, translate("Share this turn")),
    html("p", { class: "sheet-words" }, translate("The boards, the rule and pictures of the board alone, without names. It is saved on this device; nobody gets it unless you send it.")),
    html("div", { class: "choices" },
      button(translate("A page to send"), take("html", "share"), { "data-key": "share-html" }, icon("save")),
      isDrawn(known.state.board)
        ? button(translate("A moving picture"), take("gif", "share"), { "data-key": "share-gif" }, icon("save")) : null),
  ]);
}

// What a button does that takes a report away; it waits while the report is made.
export function taking(address, ending, game) {
  return async ({ currentTarget: pressed }) => {
    pressed.disabled = true;
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (answer.ok) save(await answer.blob(), answer.headers.get("Content-Type"), ending, game);
      else toast((await answer.json()).detail, "trouble");
    } catch {
      toast(translate("The report can’t be made now."), "trouble");
    } finally {
      pressed.disabled = false;
    }
  };
}

// The board as a picture that every phone can show and send: PNG, or SVG where the browser can't draw one.
async function picture() {
  const drawn = pictured();
  const png = await asPng(drawn).catch(() => null);
  if (png) save(png, "image/png", "png");
  else save(drawn, "image/svg+xml", "svg");
}

async function asPng(drawn) {
  const address = URL.createObjectURL(new Blob([drawn], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = html("canvas", { width: WIDTH_PX, height: Math.round((WIDTH_PX * image.naturalHeight) / image.naturalWidth) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// An SVG file of its own, with what the game came to below it: what the style sheets say is written into it.
const WIDTH_PX = 1600;
const LINE = 44; // of text, in the drawing's units
const SAID = ["fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "stroke-dasharray", "paint-order",
  "font-family", "font-size", "font-weight", "text-anchor", "opacity"];

function pictured() {
  const { state } = known;
  const node = svg("svg", { class: "mini hidden-board" });
  document.body.append(node);
  widgetOf(state.board).draw(node, state.board, { seats: state.seats, kit: state.kit });
  const [x, y, width, height] = node.getAttribute("viewBox").split(" ").map(Number);
  const lines = [`${state.title}, ${new Date().toLocaleDateString(known.language)}`, ...broken(told(state), MOST_SIGNS)];
  const full = height + lines.length * LINE + 40;
  node.setAttribute("viewBox", `${x} ${y} ${width} ${full}`);
  node.prepend(svg("rect", { x, y, width, height: full, class: "picture-ground" }));
  node.append(...lines.map((line, index) =>
    svg("text", { x: x + 30, y: y + height + 44 + index * LINE, class: index ? "picture-line" : "picture-line picture-title" }, line)));
  for (const part of node.querySelectorAll("*")) {
    const style = getComputedStyle(part);
    for (const name of SAID) part.setAttribute(name, style.getPropertyValue(name));
  }
  node.remove();
  node.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  node.removeAttribute("class");
  node.setAttribute("width", width);
  node.setAttribute("height", full);
  return new XMLSerializer().serializeToString(node);
}

const MOST_SIGNS = 58; // of a line

function told({ result, turn, to_move: mover }) {
  return result ? result.words : `${translate("Turn {n}", { n: turn })}, ${translate("{who} to play", { who: playerName(mover) })}`;
}

// Words in lines of at most so many signs.
function broken(words, most) {
  const lines = [""];
  for (const word of words.split(/\s+/)) {
    const line = lines.pop();
    lines.push(...(line && line.length + word.length >= most ? [line, word] : [line ? `${line} ${word}` : word]));
  }
  return lines;
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
