// Showing a board without a printed frame: its corners are proposed in a photograph, drawn onto their places, and confirmed.

import { button, html, redraw, svg } from "./dom.js";
import { translate } from "./i18n.js";
import { language } from "./prefs.js";
import { act, token } from "./session.js";

const ASK_MS = 700;
const NAMES = ["nw", "ne", "se", "sw"];
const STEP = 0.004; // by an arrow key
const ZOOM = 4; // of what lies under the finger

let board = null; // as /api/board tells
let corners = /** @type {Record<string, number[]>} */ ({});
let url = "";
let shown = 0; // the photograph that the corners are of
let trouble = "";
let busy = false;
let isWatched = false;

/** Whether a photograph waits for its corners. */
export const isTouched = () => Boolean(board?.picture && url);

/** Whether the board may be shown anew. */
export const mayForget = () => Boolean(board?.known && board.open);

/**
 * Follow what the referee knows of the board.
 * @param {HTMLElement} node where a photograph is shown
 * @param {() => any} state the table's
 * @param {() => void} onChange called when a photograph begins or ends to wait
 */
export async function watchBoard(node, state, onChange) {
  if (isWatched) return;
  isWatched = true;
  for (;;) {
    await follow();
    draw(node, state(), onChange);
    onChange();
    await new Promise((done) => setTimeout(done, ASK_MS));
  }
}

async function follow() {
  const answer = await fetch(`/api/board?lang=${language()}`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  board = await answer.json();
  if (board.picture === shown) return;
  URL.revokeObjectURL(url);
  [url, trouble] = ["", ""];
  shown = board.picture;
  corners = board.corners;
  if (!shown) return;
  const picture = await fetch(`/api/board/pictures/${shown}?lang=${language()}`, { headers: { "X-CSRF-Token": token() } }).catch(() => null);
  if (picture?.ok) url = URL.createObjectURL(await picture.blob());
  else shown = 0;
}

export async function forgetBoard() {
  const answer = await act("POST", "/api/board/forget", {});
  trouble = answer.ok ? "" : answer.words;
}

// Whoever does not see the picture come is led to what is asked of it, and back to the buttons once that is told.
function draw(node, state, onChange) {
  if (!state) return;
  const [was, had] = [Boolean(node.firstChild), node.contains(document.activeElement)];
  redraw(node, [url, trouble, busy, language()], () => (url ? panel(node, state, onChange) : []));
  if (!was && url) node.querySelector(".touch-told").focus({ preventScroll: true });
  if (was && !url && had) {
    onChange();
    /** @type {HTMLElement | null} */ (document.querySelector("#hand-buttons .main"))?.focus({ preventScroll: true });
  }
}

function panel(node, state, onChange) {
  const [width, height] = board.size;
  const outline = svg("polygon", { class: "touch-outline" });
  const shape = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "touch-picture", "aria-label": translate("The board’s corners in the picture") },
    svg("image", { href: url, width, height }), outline);
  const glass = magnifier(width, height);
  const marks = NAMES.map((name) => mark(shape, name, width, height, state.kit, place, glass.over));
  shape.append(...marks, glass.node);
  function place() {
    outline.setAttribute("points", NAMES.map((name) => corners[name].map((part, axis) => part * board.size[axis]).join(",")).join(" "));
    for (const [at, node] of marks.entries()) {
      const [x, y] = corners[NAMES[at]];
      node.setAttribute("transform", `translate(${x * width} ${y * height})`);
    }
  }
  place();
  return [
    html("p", { class: "touch-told", tabindex: -1 }, board.known
      ? translate("Which side is which can’t be told from here: put the letters onto the same corners as before.")
      : translate("Do the lines lie on the board’s edge? If not, draw each corner onto its place. Turn the letters if row 1 is on another side.")),
    shape,
    trouble ? html("p", { class: "hand-told", role: "alert" }, trouble) : null,
    html("div", { class: "touch-buttons" },
      button(translate("Turn the letters"), () => {
        corners = Object.fromEntries(NAMES.map((name, at) => [name, corners[NAMES[(at + 1) % 4]]]));
        place();
      }, { "data-key": "touch-turn", disabled: busy }),
      button(translate("Another picture"), () => send("leave", {}, node, state, onChange), { "data-key": "touch-leave", disabled: busy }),
      button(busy ? translate("The board is being learnt …") : translate("That is the board"), () => send("corners", corners, node, state, onChange),
        { class: "main", "data-key": "touch-done", disabled: busy })),
  ];
}

// What lies under the finger, larger, on the other side of the picture.
function magnifier(width, height) {
  const size = Math.max(width, height) / 100;
  const radius = Math.min(17 * size, 0.32 * Math.min(width, height));
  const picture = svg("image", { href: url, width, height });
  const node = svg("g", { class: "touch-glass", "aria-hidden": "true", visibility: "hidden" },
    svg("clipPath", { id: "touch-glass" }, svg("circle", { r: radius })),
    svg("g", { "clip-path": "url(#touch-glass)" }, picture),
    svg("circle", { r: radius, class: "touch-ring" }),
    svg("path", { d: `M${-radius} 0H${radius}M0 ${-radius}V${radius}`, class: "touch-cross" }));
  const over = (at) => {
    node.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    const [x, y] = [at[0] * width, at[1] * height];
    node.setAttribute("transform", `translate(${x > width / 2 ? radius : width - radius} ${radius})`);
    picture.setAttribute("transform", `scale(${ZOOM}) translate(${-x} ${-y})`);
  };
  return { node, over };
}

/** @param {SVGElement} shape @param {string} name @param {() => void} place @param {(at: number[] | null) => void} magnify */
function mark(shape, name, width, height, { columns, rows }, place, magnify) {
  const field = `${columns.at(name.endsWith("e") ? -1 : 0)}${rows.at(name.startsWith("n") ? 0 : -1)}`;
  const size = Math.max(width, height) / 100;
  const node = svg("g", { class: "touch-mark", tabindex: "0", role: "slider", "aria-label": translate("Corner at {field}", { field }), "aria-valuetext": field },
    svg("circle", { r: 9 * size, class: "touch-reach" }), svg("circle", { r: 2.2 * size, class: "touch-ring" }), svg("circle", { r: 0.4 * size, class: "touch-dot" }),
    svg("text", { y: -3.2 * size, "font-size": 4 * size, "text-anchor": "middle" }, field));
  const put = (x, y) => {
    corners[name] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
    place();
  };
  let grip = /** @type {number[] | null} */ (null); // a finger hides what lies under it: the corner moves as far as the finger does
  const at = (event) => {
    const box = shape.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  node.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    grip = at(event).map((part, axis) => part - corners[name][axis]);
    magnify(corners[name]);
  });
  node.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = at(event);
    put(x - grip[0], y - grip[1]);
    magnify(corners[name]);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    node.addEventListener(end, () => {
      grip = null;
      magnify(null);
    });
  }
  node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!step) return;
    event.preventDefault();
    put(corners[name][0] + step[0], corners[name][1] + step[1]);
  });
  return node;
}

async function send(what, body, node, state, onChange) {
  busy = true;
  draw(node, state, onChange);
  const answer = await act("POST", `/api/board/pictures/${shown}/${what}`, body);
  busy = false;
  trouble = answer.ok ? "" : answer.words || translate("No connection to the referee");
  if (answer.ok) await follow();
  draw(node, state, onChange);
  onChange();
}
